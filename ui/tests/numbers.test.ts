// Places, numbers and points: what needs no browser.

import assert from "node:assert/strict";
import { test } from "node:test";
import type uPlot from "uplot";
import type { Axis, Curve, Style } from "../src/figure";
import { nearest } from "../src/nearest";
import { clock, place, value } from "../src/numbers";
import { fraction, nines, share } from "../src/scales";

test("a share by its nines is where its nines say, and comes back", () => {
  // 1 − 0.99 = 10^−2.
  assert.ok(Math.abs(nines(0.99) - 2) < 1e-9);
  assert.ok(Math.abs(share(3) - 0.999) < 1e-12);
  assert.ok(Number.isFinite(nines(1)));
});

test("a value lies between the ends of its axis as its scale says", () => {
  const axis = (scale: Axis["scale"], range: [number, number]): Axis => ({ label: "", unit: "share", scale, range, ticks: [] });
  // 10 to 10,000 are three decades; 0 to 0.999 are three nines.
  for (const [found, expected] of [
    [fraction(axis("linear", [10, 30]), 15), 1 / 4],
    [fraction(axis("logarithmic", [10, 10_000]), 100), 1 / 3],
    [fraction(axis("nines", [0, 0.999]), 0.99), 2 / 3],
    [fraction(axis("linear", [5, 5]), 5), 0],
  ] as const) {
    assert.ok(Math.abs(found - expected) < 1e-9, `${found}`);
  }
});

test("numbers have three digits and their unit, times are clocks", () => {
  const axis = (unit: Axis["unit"]): Axis => ({ label: "", unit, scale: "linear", range: [0, 1], ticks: [] });
  assert.equal(value(axis("milliseconds"), 12.34), "12.3 ms");
  assert.equal(value(axis("milliseconds"), 1234), "1.23 s");
  assert.equal(value(axis("mbps"), 105.4), "105 Mbps");
  assert.equal(value(axis("dbm"), -61), "-61 dBm");
  assert.deepEqual([0, 75.9, 3661].map(clock), ["0:00", "1:15", "1:01:01"]);
  // What is left to one is 0.0063: two digits of it.
  assert.equal(place("share", 0.9937), "99.37 %");
  assert.equal(place("share", 0.5), "50 %");
});

test("a cursor means the nearest of a curve's own points, and of steps the one that holds", () => {
  const found = (style: Style, x: number): number | null => {
    const curve: Curve = { name: "", style, tone: "main", x: [], y: [] };
    // Own points at 1, 3 (a gap) and 6; the places 2 and 4 are another curve's.
    const data = [
      [1, 2, 3, 4, 6],
      [10, undefined, null, undefined, 20],
    ];
    const closest = data[0]!.reduce<number>((best, at, i) => (Math.abs(at! - x) < Math.abs(data[0]![best]! - x) ? i : best), 0);
    return nearest({ data } as unknown as uPlot, curve, 1, closest, x);
  };
  // 1.9 is nearer to 1 than to 3; 2.1 to 3; 4.4 to 3, and 4.6 to 6.
  assert.deepEqual([1, 1.9, 2.1, 4.4, 4.6, 6].map((x) => found("line", x)), [0, 0, 2, 2, 4, 4]);
  // What holds at 2.9 began at 1.
  assert.deepEqual([1, 2.9, 3, 5.9].map((x) => found("steps", x)), [0, 0, 2, 2]);
  // Half a second beyond an end is still its second, more is not.
  assert.deepEqual([0.6, 0.4, 6.5, 6.6].map((x) => found("line", x)), [0, null, 4, null]);
});
