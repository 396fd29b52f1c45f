// What can be seen on a canvas.

import type { Locator } from "playwright-core";

/** How many colours it has, each on at least 20 pixels. */
export function inks(canvas: Locator): Promise<number> {
  return canvas.evaluate((element) => {
    const board = element as HTMLCanvasElement;
    const { data } = board.getContext("2d")!.getImageData(0, 0, board.width, board.height);
    const seen = new Map<number, number>();
    for (let i = 0; i < data.length; i += 4) {
      if (data[i + 3] === 255) {
        const colour = (data[i]! << 16) | (data[i + 1]! << 8) | data[i + 2]!;
        seen.set(colour, (seen.get(colour) ?? 0) + 1);
      }
    }
    return [...seen.values()].filter((count) => count >= 20).length;
  });
}

/** The mean brightness of the letters at its lower edge, where the horizontal axis says what it is: 0 to 255. */
export function brightness(canvas: Locator): Promise<number> {
  return canvas.evaluate((element) => {
    const board = element as HTMLCanvasElement;
    const { data } = board.getContext("2d")!.getImageData(0, board.height - 16, board.width, 16);
    let [sum, count] = [0, 0];
    for (let i = 0; i < data.length; i += 4) {
      if (data[i + 3]! > 200) {
        sum += (data[i]! + data[i + 1]! + data[i + 2]!) / 3;
        count += 1;
      }
    }
    return count > 0 ? sum / count : NaN;
  });
}
