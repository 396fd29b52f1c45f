// Makes dist/page.js and dist/page.css from src. The same sources and the same lock file give the same bytes. A file that
// would not change is not written, so that cargo has nothing to build anew.

import { readFile, writeFile } from "node:fs/promises";
import { build } from "esbuild";

const here = new URL(".", import.meta.url);

// Whose work goes out with it: the licence asks that its text does too.
const licence = await readFile(new URL("node_modules/uplot/LICENSE", here), "utf8");
const banner = `/*! uPlot. ${licence.trim()} */`;

const { outputFiles } = await build({
  absWorkingDir: here.pathname,
  entryPoints: { page: "src/main.ts" },
  outdir: "dist",
  bundle: true,
  write: false,
  minify: true,
  format: "iife",
  target: ["es2020"],
  charset: "utf8",
  banner: { js: banner, css: banner },
  logLevel: "warning",
});

for (const { path, contents } of outputFiles) {
  const before = await readFile(path).catch(() => undefined);
  if (!before?.equals(contents)) {
    await writeFile(path, contents);
  }
}
