// The key above a plot: what each curve is, and what it says where the cursor is. Text goes in as text.

import type { Curve, Figure } from "./figure";
import { toneName } from "./palette";
import { place, value } from "./numbers";

/** Where the cursor is, and each curve's nearest point; null where the curve has none, or a gap. */
export interface Reading {
  readonly at: number;
  readonly points: readonly (Point | null)[];
  /** What happened there. */
  readonly events: readonly string[];
}

export interface Point {
  readonly at: number;
  readonly value: number;
}

export interface Key {
  readonly element: HTMLElement;
  /** Shows what the cursor means, or with null the names alone. */
  show(reading: Reading | null): void;
}

export function key(figure: Figure): Key {
  const element = node("div", "key");
  const at = node("span", "at");
  const entries = figure.curves.map((curve) => entry(curve));
  const events = node("span", "events");
  element.append(at, ...entries.map((one) => one.element), ...signs(figure), events);
  return {
    element,
    show(reading) {
      at.textContent = reading ? place(figure.x.unit, reading.at) : "";
      entries.forEach((one, i) => {
        one.value.textContent = reading ? said(figure, reading.at, reading.points[i]) : "";
      });
      events.textContent = reading ? reading.events.join(" · ") : "";
    },
  };
}

/** A reading as a sentence, for those who hear it. */
export function sentence(figure: Figure, { at, points, events }: Reading): string {
  const curves = figure.curves.map((curve, i) => `${curve.name} ${said(figure, at, points[i])}`);
  return [place(figure.x.unit, at), ...curves, ...events].join(", ");
}

/** A point's value. Where nothing fell due in a second, or points were left out, it is of another second, and says so. */
function said(figure: Figure, at: number, point: Point | null | undefined): string {
  if (!point) {
    return "–";
  }
  const [here, there] = [at, point.at].map((one) => place(figure.x.unit, one));
  const text = value(figure.y, point.value);
  return figure.x.unit === "seconds" && here !== there ? `${text} at ${there}` : text;
}

function entry(curve: Curve): { element: HTMLElement; value: HTMLElement } {
  const element = node("span", "entry");
  const swatch = node("i", `swatch tone-${toneName(curve.tone)} style-${curve.style}`);
  const name = node("span", "name");
  name.textContent = curve.name;
  const value = node("span", "value");
  element.append(swatch, name, value);
  return { element, value };
}

/** What the signs above the plot mean. */
function signs(figure: Figure): HTMLElement[] {
  const here = new Set(figure.marks.map((mark) => mark.kind));
  return (["roam", "lost", "failure"] as const)
    .filter((kind) => here.has(kind))
    .map((kind) => {
      const sign = node("span", `meaning ${kind}`);
      sign.textContent = { roam: "\u25c7 roam", lost: "\u2715 client lost", failure: "\u25bd failures" }[kind];
      return sign;
    });
}

function node<K extends keyof HTMLElementTagNameMap>(tag: K, className: string): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  made.className = className;
  return made;
}
