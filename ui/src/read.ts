// The page's figures, and the elements that wait for them.

import type { Figure } from "./figure";

/** A figure, and where it is drawn. */
export interface Place {
  readonly figure: Figure;
  /** The whole figure, with its title, its static drawing and its table. */
  readonly element: HTMLElement;
  /** What is drawn into. */
  readonly plot: HTMLElement;
}

/** Every figure of the page that has a place in it. The page and this script come from one program, so that its data is believed. */
export function places(page: Document): Place[] {
  const figures = JSON.parse(page.getElementById("figures")?.textContent ?? "[]") as Figure[];
  return [...page.querySelectorAll<HTMLElement>("figure[data-figure]")].flatMap((element) => {
    const figure = figures[Number(element.dataset["figure"])];
    const plot = element.querySelector<HTMLElement>(":scope > .plot");
    return figure && plot ? [{ figure, element, plot }] : [];
  });
}
