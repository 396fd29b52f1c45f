// One figure, drawn.

import uPlot from "uplot";
import { axes } from "./axes";
import { backdrop, stretchTexts } from "./backdrop";
import { draw } from "./canvas";
import { columns, series } from "./curves";
import { cursor, reading } from "./cursor";
import type { Figure } from "./figure";
import { key } from "./key";
import { keyboard } from "./keyboard";
import { levels } from "./levels";
import { ABOVE, marks } from "./marks";
import { scale } from "./scales";
import { touch } from "./touch";

/** Between a third and two thirds of the width: curves are neither flattened nor stretched. */
const TALLEST = 300;
const LOWEST = 210;

export interface Drawn {
  /** Takes as much room as there is now. */
  fit(): void;
  /** Takes the focus, to be read by keys. */
  focus(): void;
  /** Draws again, with the colours of now. */
  redraw(): void;
}

/** Draws a figure into its place. */
export function drawn(figure: Figure, place: HTMLElement): Drawn {
  const names = key(figure);
  const board = document.createElement("div");
  board.className = "board";
  place.replaceChildren(names.element, board);
  const size = () => ({ width: Math.max(place.clientWidth, 200), height: height(place.clientWidth) });
  const options: uPlot.Options = {
    ...size(),
    padding: [ABOVE, 16, 0, 0],
    legend: { show: false },
    scales: { x: scale(figure.x), y: scale(figure.y) },
    axes: axes(figure.x, figure.y),
    series: series(figure),
    cursor: cursor(figure),
    hooks: {
      drawAxes: [(plot) => draw(plot, (canvas) => backdrop(figure, canvas))],
      draw: [
        (plot) => draw(plot, (canvas) => marks(figure, canvas), "free"),
        (plot) => draw(plot, (canvas) => stretchTexts(figure, canvas)),
        (plot) => draw(plot, (canvas) => levels(figure, canvas)),
      ],
      setCursor: [(plot) => names.show(reading(figure, plot))],
    },
  };
  const plot = new uPlot(options, columns(figure), board);
  keyboard(figure, board, plot);
  touch(plot);
  return {
    fit: () => plot.setSize(size()),
    focus: () => board.focus(),
    redraw: () => plot.redraw(),
  };
}

function height(width: number): number {
  return Math.round(Math.min(Math.max(width * 0.4, LOWEST), TALLEST));
}
