// What all hand-drawn parts of a plot share: its box, and places in it, in pixels of the canvas.

import type uPlot from "uplot";

export interface Canvas {
  readonly pen: CanvasRenderingContext2D;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** Pixels of the canvas in one of the page. */
  readonly ratio: number;
  x(value: number): number;
  y(value: number): number;
}

/** The canvas of a plot; what is drawn stays within its box unless `overflow` says so. */
export function draw(plot: uPlot, paint: (canvas: Canvas) => void, overflow: "clipped" | "free" = "clipped"): void {
  const { left, top, width, height } = plot.bbox;
  const pen = plot.ctx;
  const within = (value: number, from: number, to: number) => Math.min(Math.max(value, from), to);
  pen.save();
  // uPlot leaves them as its axes needed them.
  pen.textAlign = "left";
  pen.textBaseline = "alphabetic";
  pen.setLineDash([]);
  pen.beginPath();
  if (overflow === "clipped") {
    pen.rect(left, top, width, height);
    pen.clip();
  }
  paint({
    pen,
    left,
    right: left + width,
    top,
    bottom: top + height,
    ratio: devicePixelRatio,
    x: (value) => within(plot.valToPos(value, "x", true), left, left + width),
    y: (value) => within(plot.valToPos(value, "y", true), top, top + height),
  });
  pen.restore();
}
