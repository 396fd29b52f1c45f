// What lies behind the curves: stretches that are set apart, and confidence bands.

import type { Band, Figure, Stretch } from "./figure";
import type { Canvas } from "./canvas";
import { FONT } from "./axes";
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

function setApart({ from, to, kind, text }: Stretch, { pen, x, top, bottom, ratio }: Canvas): void {
  const left = x(from);
  const width = Math.max(x(to) - left, ratio);
  pen.globalAlpha = SET_APART[kind];
  pen.fillStyle = colour(kind === "not_judged" ? "line" : "trouble");
  pen.fillRect(left, top, width, bottom - top);
  pen.globalAlpha = 1;
  pen.fillStyle = colour("faint");
  pen.font = FONT.replace("12", String(11 * ratio));
  if (pen.measureText(text).width + 8 * ratio < width) {
    pen.fillText(text, left + 4 * ratio, bottom - 6 * ratio);
  }
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
