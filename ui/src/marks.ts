// What happened: a vertical line with a sign above it. A diamond: a roam. A cross: a client was lost. A triangle: failures.

import type { Figure, Mark } from "./figure";
import type { Canvas } from "./canvas";
import { colour } from "./palette";

/** Room above a plot for the signs, in CSS pixels. */
export const ABOVE = 12;

export function marks(figure: Figure, { pen, x, top, bottom, ratio }: Canvas): void {
  pen.lineWidth = 1.2 * ratio;
  for (const mark of figure.marks) {
    const at = x(mark.at);
    pen.strokeStyle = colour(mark.kind === "roam" ? "faint" : "trouble");
    pen.globalAlpha = 0.6;
    pen.stroke(new Path2D(`M${at} ${top}V${bottom}`));
    pen.globalAlpha = 1;
    pen.stroke(sign(mark, at, top, ratio));
  }
}

function sign({ kind }: Mark, at: number, top: number, ratio: number): Path2D {
  const path = new Path2D();
  const shape = { roam: "M0 -8l4 4l-4 4l-4 -4Z", lost: "M-4 -8l8 8m-8 0l8 -8", failure: "M-4 -8h8l-4 7Z" }[kind];
  path.addPath(new Path2D(shape), new DOMMatrix([ratio, 0, 0, ratio, at, top]));
  return path;
}
