// Names that mean harm, and pages of much.

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { drawAll, given, launch, open } from "./browser";

let browser: Browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

test("names that try to be markup stay text", async () => {
  const { page, requests, complaints, surprises } = await open(browser, "hostile.html");
  await drawAll(page);
  for (const plot of await page.locator("figure:visible .u-over").all()) {
    await plot.hover();
  }
  assert.deepEqual({ requests, complaints, surprises }, { requests: [], complaints: [], surprises: [] });
  assert.equal(await page.evaluate(() => "__pwned" in window), false);
  assert.equal(await page.locator("img, iframe, object, embed, base, form, link").count(), 0);
  // The data, and what draws it.
  assert.equal(await page.locator("script").count(), 2);
  assert.ok((await page.getByText("<img src=x onerror=").count()) > 0, "the name is there, as text");
  await page.context().close();
});

test("a script that is not the page's own does not run", async () => {
  const text = await readFile(join(given("NETBURN_PAGES"), "compare.html"), "utf8");
  const folder = await mkdtemp(join(tmpdir(), "netburn-page-"));
  try {
    const altered = join(folder, "altered.html");
    await writeFile(altered, text.replace("</body>", "<script>window.__pwned = 1</script><b onclick='1'></b></body>"));
    const page = await browser.newPage();
    const refused = page.waitForEvent("console", (message) => message.text().includes("Content Security Policy"));
    await page.goto(pathToFileURL(altered).href);
    await refused;
    assert.equal(await page.evaluate(() => "__pwned" in window), false);
    await page.close();
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("a page of five minutes and four clients is smaller than 1 MB", async (t) => {
  const bytes = await size("run.html");
  t.diagnostic(`${bytes} bytes`);
  assert.ok(bytes < 1_000_000, `${bytes} bytes`);
});

for (const [name, what] of [["crowd.html", "200 clients"], ["hour.html", "an hour"]] as const) {
  test(`a page of ${what} opens`, async (t) => {
    const began = performance.now();
    const { page, complaints } = await open(browser, name);
    t.diagnostic(`${await size(name)} bytes, first figures drawn after ${Math.round(performance.now() - began)} ms`);
    assert.deepEqual(complaints, []);
    await page.locator("figure:visible").first().scrollIntoViewIfNeeded();
    await page.locator("figure canvas").first().waitFor();
    await page.context().close();
  });
}

async function size(name: string): Promise<number> {
  return (await stat(join(given("NETBURN_PAGES"), name))).size;
}
