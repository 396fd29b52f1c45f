// Letters over a plot, with an edge of the ground's colour: they can be read where a curve runs behind them.

import { FONT } from "./axes";
import { colour } from "./palette";

/** Their size, in CSS pixels. */
export const LETTERS = 11;

/** The font of letters over a plot on a canvas with so many pixels in one of the page. */
export function font(ratio: number): string {
  return FONT.replace("12", String(LETTERS * ratio));
}

export function written(pen: CanvasRenderingContext2D, text: string, x: number, y: number, ratio: number): void {
  pen.save();
  pen.setLineDash([]);
  pen.lineJoin = "round";
  pen.lineWidth = 3 * ratio;
  pen.strokeStyle = colour("ground");
  pen.strokeText(text, x, y);
  pen.restore();
  pen.fillText(text, x, y);
}
