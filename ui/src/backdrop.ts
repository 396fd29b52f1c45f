// What lies behind the curves: stretches that are set apart, and confidence bands.

import type { Band, Figure, Stretch } from "./figure";
import type { Canvas } from "./canvas";
import { font, LETTERS, written } from "./letters";
import { colour, toneName } from "./palette";

const BAND = 0.2;
const SET_APART = { not_judged: 0.5, stall: 0.16, never: 0.16 };

export function backdrop(figure: Figure, canvas: Canvas): void {
  for (const stretch of figure.stretches) {
    setApart(stretch, canvas);
  }
  for (const band of figure.bands) {
    const curve = figure.curves[band.curve];
    canvas.pen.fillStyle = colour(curve ? toneName(curve.tone) : "main");
    canvas.pen.globalAlpha = BAND;
    area(band, canvas);
  }
}

/** What stretches are, where there is room for it, over the curves that run through them. */
export function stretchTexts(figure: Figure, { pen, x, top, bottom, ratio }: Canvas): void {
  pen.font = font(ratio);
  pen.fillStyle = colour("faint");
  for (const { from, to, kind, text } of figure.stretches) {
    if (pen.measureText(text).width + 8 * ratio < x(to) - x(from)) {
      const base = kind === "radio" ? top + (LETTERS + 1) * ratio : bottom - 6 * ratio;
      written(pen, text, x(from) + 4 * ratio, base, ratio);
    }
  }
}

function setApart({ from, to, kind }: Stretch, { pen, x, top, bottom, ratio }: Canvas): void {
  const left = x(from);
  if (kind === "radio") {
    pen.globalAlpha = 1;
    pen.fillStyle = colour("line");
    pen.fillRect(left, top, ratio, bottom - top);
    return;
  }
  const width = Math.max(x(to) - left, ratio);
  pen.globalAlpha = SET_APART[kind];
  pen.fillStyle = colour(kind === "not_judged" ? "line" : "trouble");
  pen.fillRect(left, top, width, bottom - top);
}

/** Along the upper edge and back along the lower one; to the box's edge where there is no such edge. */
function area(band: Band, { pen, x, y, top, bottom }: Canvas): void {
  pen.beginPath();
  band.x.forEach((at, i) => pen.lineTo(x(at), edge(band.upper[i], y, top)));
  for (let i = band.x.length - 1; i >= 0; i -= 1) {
    pen.lineTo(x(band.x[i]!), edge(band.lower[i], y, bottom));
  }
  pen.fill();
}

function edge(value: number | null | undefined, y: (value: number) => number, end: number): number {
  return value === null || value === undefined ? end : y(value);
}
