// Makes programs of the tests, and of what takes pictures, where node finds what they import.

import { readdir, rm } from "node:fs/promises";
import { build } from "esbuild";

const here = new URL(".", import.meta.url);
const tests = (await readdir(new URL("tests", here))).filter((name) => name.endsWith(".test.ts"));

await rm(new URL("node_modules/.tests", here), { recursive: true, force: true });
await build({
  absWorkingDir: here.pathname,
  entryPoints: [...tests, "picture.ts"].map((name) => `tests/${name}`),
  outdir: "node_modules/.tests",
  outExtension: { ".js": ".mjs" },
  bundle: true,
  packages: "external",
  platform: "node",
  format: "esm",
  target: "node18",
  logLevel: "warning",
});
