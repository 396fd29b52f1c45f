// A finger that moves sideways over a plot moves its cursor; up and down it scrolls the page (touch-action in page.css).

import type uPlot from "uplot";

export function touch(plot: uPlot): void {
  plot.over.addEventListener("pointermove", (event) => {
    if (event.pointerType !== "mouse") {
      const { left, top } = plot.over.getBoundingClientRect();
      plot.setCursor({ left: event.clientX - left, top: event.clientY - top });
    }
  });
}
