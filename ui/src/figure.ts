// A figure as Rust computed it: burn_report::figure, type by type. tests/sample.ts holds the two together.

export interface Figure {
  name: string;
  subject: Subject;
  kind: Kind;
  title: string;
  caption: string;
  x: Axis;
  y: Axis;
  curves: Curve[];
  bands: Band[];
  levels: Level[];
  marks: Mark[];
  stretches: Stretch[];
}

/** Whose figure it is, by indexes into the plan's clients and into a client's populations. */
export type Subject = "run" | { client: number } | { application: [number, number] };

export type Kind = "percentiles" | "response_time" | "goodput" | "buffer" | "signal" | "bit_rate" | "shares";

export interface Axis {
  label: string;
  unit: Unit;
  scale: Scale;
  range: [number, number];
  ticks: Tick[];
}

export interface Tick {
  at: number;
  text: string;
}

export type Unit = "seconds" | "milliseconds" | "mbps" | "dbm" | "share";

export type Scale = "linear" | "logarithmic" | "nines";

export interface Curve {
  name: string;
  style: Style;
  tone: Tone;
  x: number[];
  /** As many as there are places; null: a gap. */
  y: (number | null)[];
}

export type Style = "line" | "dashed" | "steps" | "points";

export type Tone = "main" | "second" | { other: number } | "trouble";

export interface Band {
  name: string;
  /** The index of its curve. */
  curve: number;
  x: number[];
  lower: (number | null)[];
  /** Null above a known lower edge: unbounded. */
  upper: (number | null)[];
}

export interface Level {
  text: string;
  at: number;
  kind: "good" | "bad";
}

export interface Mark {
  text: string;
  at: number;
  kind: "roam" | "lost" | "failure";
}

export interface Stretch {
  text: string;
  from: number;
  to: number;
  kind: "not_judged" | "stall" | "never" | "radio";
}

/** Whether the horizontal axis is the run's time line, which all such figures share. */
export function isOnTheTimeLine(figure: Figure): boolean {
  return figure.kind !== "percentiles";
}
