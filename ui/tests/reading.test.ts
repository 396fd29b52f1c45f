// Reading a figure: by mouse, by keyboard, by ear; in the dark and in a narrow window.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, Locator } from "playwright-core";
import { drawAll, launch, open } from "./browser";
import { brightness } from "./canvas";

const TIME_LINES = "figure[data-figure]:not(.percentiles):visible";

let browser: Browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

test("pointing at one time line shows the same second in all others", async () => {
  const { page } = await open(browser, "run.html");
  await drawAll(page);
  const lines = await page.locator(TIME_LINES).all();
  assert.ok(lines.length >= 2, "the page has time lines");
  await lines[0]!.locator(".u-over").hover();
  const second = await saidPlace(lines[0]!).textContent();
  assert.match(second ?? "", /^\d+:\d\d$/);
  for (const line of lines) {
    assert.equal(await saidPlace(line).textContent(), second);
    const cursor = line.locator(".u-cursor-x");
    assert.ok(await cursor.evaluate((line) => new DOMMatrix(getComputedStyle(line).transform).e > 0));
  }
  // Percentiles have no seconds.
  for (const other of await page.locator("figure.percentiles:visible").all()) {
    assert.equal(await saidPlace(other).textContent(), "");
  }
  await page.context().close();
});

test("arrow keys move the cursor of the plot that has the focus, and its values are said", async () => {
  const { page } = await open(browser, "run.html");
  await drawAll(page);
  const line = page.locator(TIME_LINES).first();
  const plot = line.getByRole("slider");
  await plot.focus();
  await page.keyboard.press("Home");
  assert.equal(await saidPlace(line).textContent(), "0:00");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  assert.equal(await saidPlace(line).textContent(), "0:02");
  assert.match((await plot.getAttribute("aria-valuetext")) ?? "", /^0:02, \S/);
  await page.keyboard.press("ArrowLeft");
  assert.equal(await saidPlace(line).textContent(), "0:01");
  assert.match((await plot.getAttribute("aria-valuetext")) ?? "", /^0:01, \S/);
  await page.keyboard.press("Escape");
  assert.equal(await saidPlace(line).textContent(), "");
  await page.context().close();
});

test("every figure can be reached by keys, has a name, and its numbers as a table", async () => {
  const { page } = await open(browser, "run.html");
  const count = await drawAll(page);
  for (const figure of await page.locator("figure[data-figure]:visible").all()) {
    const title = await figure.locator(".title").textContent();
    await figure.getByRole("slider", { name: title ?? "" }).focus();
    await figure.locator("summary").click();
    assert.ok((await figure.getByRole("table").getByRole("columnheader").count()) >= 2);
  }
  assert.ok(count > 0, "the page has figures");
  await page.context().close();
});

test("keys come to every figure in its turn, though none of those below was drawn yet", async () => {
  const { page } = await open(browser, "run.html");
  const titles = await page.locator("figure[data-figure]:visible .title").allTextContents();
  await page.locator(".card a").last().focus();
  const reached: string[] = [];
  // A figure has its plot and its table, and explanations stand between them.
  for (let i = 0; reached.length < titles.length && i < titles.length * 2 + 20; i += 1) {
    await page.keyboard.press("Tab");
    const name = await page.evaluate(() => {
      const now = document.activeElement;
      return now?.getAttribute("role") === "slider" ? now.getAttribute("aria-label") : null;
    });
    if (name) {
      reached.push(name.replace(/: read it with the arrow keys$/, ""));
    }
  }
  assert.deepEqual(reached, titles);
  await page.context().close();
});

test("figures take the colours of the dark when it falls", async () => {
  const { page } = await open(browser, "run.html", { colorScheme: "light" });
  const canvas = page.locator("figure:visible").first().locator("canvas");
  await page.locator("figure:visible").first().scrollIntoViewIfNeeded();
  await canvas.waitFor();
  const light = await brightness(canvas);
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await brightness(canvas);
  assert.ok(light < 128, `letters are dark on a light ground: ${light}`);
  assert.ok(dark > 128, `letters are light on a dark ground: ${dark}`);
  await page.context().close();
});

test("figures keep to the window when it becomes narrower", async () => {
  const { page } = await open(browser, "run.html");
  await drawAll(page);
  await page.setViewportSize({ width: 500, height: 900 });
  await page.waitForFunction(() =>
    [...document.querySelectorAll("figure canvas")].every((canvas) => canvas.getBoundingClientRect().right <= 500),
  );
  await page.context().close();
});

/** Where the key of a figure says that the cursor is. */
function saidPlace(figure: Locator): Locator {
  return figure.locator(".key .at");
}
