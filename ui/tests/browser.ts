// A browser, and pages in it that are watched: what they ask the network for, and what they complain of.

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";

// As root in a container there is no sandbox to be had; the pages are ours. The rest keeps the browser's own business off the network.
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** When a wait is given up, in ms: long past what a busy machine takes, so that it tells of what never comes and not of speed. */
const PATIENCE = 120_000;

/** `cargo xtask page` makes the pages, and says where they are. */
export function given(name: "NETBURN_PAGES" | "NETBURN_CHROMIUM"): string {
  const value = process.env[name];
  if (!value) {
    throw new Error(`${name} is not set: run these tests by cargo xtask page`);
  }
  return value;
}

export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: given("NETBURN_CHROMIUM"), args: FLAGS });
}

export interface Watched {
  readonly page: Page;
  /** What the page asked for, beside itself. */
  readonly requests: string[];
  /** Errors, warnings and violations of its policy. */
  readonly complaints: string[];
  /** Dialogs and windows that opened. */
  readonly surprises: string[];
}

/** Opens a page that was made, and waits until what is seen of its figures is drawn; without scripts, until it is loaded. */
export async function open(browser: Browser, name: string, options: BrowserContextOptions = {}): Promise<Watched> {
  const context = await browser.newContext({ viewport: { width: 1100, height: 900 }, ...options });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const address = pathToFileURL(join(given("NETBURN_PAGES"), name)).href;
  const watched: Watched = { page, requests: [], complaints: [], surprises: [] };
  context.on("request", (request) => {
    if (request.url() !== address) {
      watched.requests.push(request.url());
    }
  });
  context.on("page", (other) => watched.surprises.push(`a window: ${other.url()}`));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) {
      watched.complaints.push(message.text());
    }
  });
  page.on("pageerror", (error) => watched.complaints.push(String(error)));
  page.on("dialog", (dialog) => {
    watched.surprises.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(address);
  if (options.javaScriptEnabled !== false) {
    await page.locator("html[data-netburn-ready]").waitFor({ state: "attached" });
  }
  return watched;
}

/** Scrolls to every figure that can be seen, waits until each is drawn, and says how many they are. */
export async function drawAll(page: Page): Promise<number> {
  const figures = page.locator("figure[data-figure]:visible");
  const count = await figures.count();
  for (let i = 0; i < count; i += 1) {
    await figures.nth(i).scrollIntoViewIfNeeded();
    await figures.nth(i).locator("canvas").waitFor();
  }
  return count;
}
