// Colours: the page's CSS variables, which differ between light and dark.

import type { Tone } from "./figure";

/** How many tones there are beside main and second; further ones begin again. */
const OTHERS = 6;

/** The colour that a variable of the page has now. */
export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** The name of a tone, as the page's variables and the static drawings' classes have it. */
export function toneName(tone: Tone): string {
  return typeof tone === "string" ? tone : `other-${(tone.other % OTHERS) + 1}`;
}

/** Calls when the page's colours become others. */
export function onOtherColours(call: () => void): void {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", call);
}
