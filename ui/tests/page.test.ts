// What holds of every page: of a run, and of a comparison.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { drawAll, launch, open } from "./browser";
import { inks } from "./canvas";

let browser: Browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

for (const name of ["run.html", "compare.html"]) {
  test(`${name} asks the network for nothing, and gives a browser nothing to complain of`, async () => {
    const { page, requests, complaints, surprises } = await open(browser, name);
    await drawAll(page);
    assert.deepEqual({ requests, complaints, surprises }, { requests: [], complaints: [], surprises: [] });
    await page.context().close();
  });

  test(`every figure of ${name} is drawn when it comes into view`, async () => {
    const { page } = await open(browser, name);
    assert.ok((await drawAll(page)) > 0, "the page has figures");
    for (const canvas of await page.locator("figure canvas").all()) {
      assert.ok((await inks(canvas)) >= 3, "grid, letters and a curve each have a colour");
    }
    await page.context().close();
  });

  test(`${name} is no wider than a phone`, async () => {
    const { page } = await open(browser, name, { viewport: { width: 360, height: 740 } });
    await drawAll(page);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
    await page.context().close();
  });

  test(`${name} is printed with its static drawings`, async () => {
    const { page } = await open(browser, name);
    const count = await drawAll(page);
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.locator("figure .drawing > svg:visible").count(), count);
    assert.equal(await page.locator("canvas:visible").count(), 0);
    await page.context().close();
  });

  test(`${name} is whole where scripts are off`, async () => {
    const { page } = await open(browser, name, { javaScriptEnabled: false });
    const figures = await page.locator("figure[data-figure]:visible").count();
    assert.ok(figures > 0, "the page has figures");
    assert.equal(await page.locator("figure .drawing > svg:visible").count(), figures);
    assert.equal(await page.locator("canvas").count(), 0);
    const numbers = page.locator("figure:visible details.numbers").first();
    await numbers.locator("summary").click();
    await numbers.locator("table").waitFor();
    await page.context().close();
  });

  test(`the verdict of ${name} is its first heading and a word beside it`, async () => {
    const { page } = await open(browser, name);
    const heading = page.getByRole("heading", { level: 1 });
    assert.equal(await heading.count(), 1);
    assert.match((await heading.textContent()) ?? "", /\w+ .*\w+/);
    const main = await page.getByRole("main").ariaSnapshot();
    assert.match(main, /\b(pass|marginal|fail|inconclusive|better|worse|cannot tell|one run)\b/i);
    await page.context().close();
  });
}

test("run.html is printed with its explanations, and without its tables of numbers", async () => {
  const { page } = await open(browser, "run.html");
  const shown = (selector: string) =>
    page.locator(selector).evaluateAll((all) => all.map((one) => one.checkVisibility()));
  const [explained, numbers] = ["details.explain > :not(summary)", "details.numbers table"];
  assert.deepEqual(new Set(await shown(explained)), new Set([false]), "on a screen they are folded away");
  await page.emulateMedia({ media: "print" });
  assert.deepEqual(new Set(await shown(explained)), new Set([true]));
  assert.deepEqual(new Set(await shown(numbers)), new Set([false]));
  await page.context().close();
});
