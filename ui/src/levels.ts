// Goals and floors: a dashed line right across, with its words at the right end.

import type { Figure } from "./figure";
import type { Canvas } from "./canvas";
import { FONT } from "./axes";
import { colour } from "./palette";

const DASH = { good: [8, 4], bad: [2, 3] };
const LETTERS = 11;

export function levels(figure: Figure, { pen, left, right, top, y, ratio }: Canvas): void {
  const written: { at: number; left: number }[] = [];
  pen.font = FONT.replace("12", String(LETTERS * ratio));
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
    // Beside what is written at about the same height already; below the line where there is no room above it.
    const taken = written.filter((other) => Math.abs(other.at - at) < LETTERS * ratio).map((other) => other.left);
    const end = Math.min(right - 4 * ratio, ...taken);
    const above = at - top > (LETTERS + 3) * ratio;
    const base = above ? at - 3 * ratio : at + LETTERS * ratio;
    const width = pen.measureText(text).width;
    halo(pen, text, end, base, ratio);
    written.push({ at, left: end - width - 8 * ratio });
  }
}

/** Letters that can be read where a curve runs behind them. */
function halo(pen: CanvasRenderingContext2D, text: string, x: number, y: number, ratio: number): void {
  pen.save();
  pen.setLineDash([]);
  pen.lineJoin = "round";
  pen.lineWidth = 3 * ratio;
  pen.strokeStyle = colour("ground");
  pen.strokeText(text, x, y);
  pen.restore();
  pen.fillText(text, x, y);
}
