// Goals and floors: a dashed line right across, with its words at the right end.

import type { Figure } from "./figure";
import type { Canvas } from "./canvas";
import { font, LETTERS, written } from "./letters";
import { colour } from "./palette";

const DASH = { good: [8, 4], bad: [2, 3] };

export function levels(figure: Figure, { pen, left, right, top, y, ratio }: Canvas): void {
  const places: { base: number; left: number }[] = [];
  pen.font = font(ratio);
  pen.textAlign = "right";
  pen.lineWidth = 1.2 * ratio;
  for (const { at: value, kind, text } of figure.levels) {
    const at = y(value);
    pen.strokeStyle = pen.fillStyle = colour(kind === "good" ? "good" : "bad");
    pen.setLineDash(DASH[kind].map((length) => length * ratio));
    pen.beginPath();
    pen.moveTo(left, at);
    pen.lineTo(right, at);
    pen.stroke();
    // Below the line where there is no room above it; beside what is written at about the same height already.
    const above = at - top > (LETTERS + 3) * ratio;
    const base = above ? at - 3 * ratio : at + LETTERS * ratio;
    const taken = places.filter((other) => Math.abs(other.base - base) < LETTERS * ratio).map((other) => other.left);
    const end = Math.min(right - 4 * ratio, ...taken);
    const width = pen.measureText(text).width;
    written(pen, text, end, base, ratio);
    places.push({ base, left: end - width - 8 * ratio });
  }
}
