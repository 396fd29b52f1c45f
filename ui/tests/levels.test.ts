// What is written at goals and bounds does not lie over itself, in any window.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Canvas } from "../src/canvas";
import type { Figure, Level } from "../src/figure";
import { levels } from "../src/levels";

/** Six wide is a letter, eleven high; the box is 200 wide and `height` high, and a value is its distance from the bottom. */
function texts(height: number, of: readonly Level[]): { left: number; right: number; base: number }[] {
  const found: { left: number; right: number; base: number }[] = [];
  const width = (text: string) => text.length * 6;
  const pen = {
    save() {}, restore() {}, setLineDash() {}, beginPath() {}, moveTo() {}, lineTo() {}, stroke() {}, strokeText() {},
    measureText: (text: string) => ({ width: width(text) }),
    fillText: (text: string, right: number, base: number) => found.push({ left: right - width(text), right, base }),
  };
  const canvas = { pen, left: 0, right: 200, top: 0, bottom: height, ratio: 1, x: Number, y: (value: number) => height - value };
  levels({ levels: of } as unknown as Figure, canvas as unknown as Canvas);
  return found;
}

test("words at levels that are near each other stand beside each other", () => {
  Object.assign(globalThis, { document: {}, getComputedStyle: () => ({ getPropertyValue: () => "black" }) });
  const level = (at: number): Level => ({ text: "bad p95 2.5 s", at, kind: "bad" });
  // The upper one has no room above its line, 6 below the top, and goes below it: to where the lower one's words are.
  for (const [upper, lower] of [[94, 72], [94, 80], [60, 55]] as const) {
    const [one, other] = texts(100, [level(upper), level(lower)]);
    const apart = Math.abs(one!.base - other!.base) >= 11 || other!.right <= one!.left;
    assert.ok(apart, `${JSON.stringify([one, other])}`);
  }
  // Where they are far from each other, both stand at the right end.
  assert.deepEqual(texts(100, [level(90), level(30)]).map((text) => text.right), [196, 196]);
});
