// Draws the figures of a page, where they can be pointed at. The page is whole without this.

import "uplot/dist/uPlot.min.css";
import "./page.css";
import { places } from "./read";
import { stage } from "./stage";

stage(places(document), () => {
  document.documentElement.dataset["netburnReady"] = "";
});
