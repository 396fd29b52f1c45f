// Pictures of pages: PAGE.html… gives PAGE-light.png, -dark, -phone and -print beside each; --beginning PAGE.html OUT.png
// its first screen and its first figure.

import type { Browser, BrowserContextOptions } from "playwright-core";
import { basename, dirname } from "node:path";
import { drawAll, launch, open } from "./browser";

const WAYS: Record<string, BrowserContextOptions> = {
  light: { colorScheme: "light" },
  dark: { colorScheme: "dark" },
  phone: { colorScheme: "light", viewport: { width: 360, height: 740 } },
  print: { colorScheme: "light", viewport: { width: 794, height: 1123 } },
};

const browser = await launch();
try {
  const [first, ...rest] = process.argv.slice(2);
  if (first === "--beginning") {
    await beginning(browser, rest[0]!, rest[1]!);
  } else {
    for (const page of [first!, ...rest]) {
      for (const [way, options] of Object.entries(WAYS)) {
        await whole(browser, page, way, options);
      }
    }
  }
} finally {
  await browser.close();
}

async function whole(browser: Browser, path: string, way: string, options: BrowserContextOptions): Promise<void> {
  process.env["NETBURN_PAGES"] = dirname(path);
  const { page } = await open(browser, basename(path), options);
  await drawAll(page);
  if (way === "print") {
    await page.emulateMedia({ media: "print" });
  } else {
    // Somebody reads a time line.
    const lines = page.locator("figure[data-figure]:not(.percentiles):visible .u-over");
    if ((await lines.count()) > 0) {
      await lines.first().hover();
    }
  }
  await page.screenshot({ path: path.replace(/\.html$/, `-${way}.png`), fullPage: true });
  await page.context().close();
}

/** From the top of the page to the end of its first figure. */
async function beginning(browser: Browser, path: string, out: string): Promise<void> {
  process.env["NETBURN_PAGES"] = dirname(path);
  const { page } = await open(browser, basename(path), { colorScheme: "light", viewport: { width: 1100, height: 2000 } });
  const figure = page.locator("figure[data-figure]:visible > .plot").first();
  await figure.locator("canvas").waitFor();
  const box = await figure.boundingBox();
  await page.screenshot({ path: out, clip: { x: 0, y: 0, width: 1100, height: box ? box.y + box.height + 6 : 1000 } });
  await page.context().close();
}
