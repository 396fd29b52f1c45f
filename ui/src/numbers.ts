// Numbers as people read them. Nothing is computed here but how many digits are shown.

import type { Axis, Unit } from "./figure";

/** A value on an axis, with its unit. */
export function value(axis: Axis, number: number): string {
  switch (axis.unit) {
    case "seconds":
      return `${digits(number)} s`;
    case "milliseconds":
      return number >= 1000 ? `${digits(number / 1000)} s` : `${digits(number)} ms`;
    case "mbps":
      return `${digits(number)} Mbps`;
    case "dbm":
      return `${digits(number)} dBm`;
    case "share":
      return `${percent(number)} %`;
  }
}

/** A place on a horizontal axis: a time of the run as a clock shows it, or a share. */
export function place(unit: Unit, number: number): string {
  return unit === "seconds" ? clock(number) : `${percent(number)} %`;
}

/** 75 as 1:15, 3661 as 1:01:01. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (n: number) => String(n).padStart(2, "0");
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** Three digits, and all of a whole number. */
function digits(number: number): string {
  const size = Math.abs(number);
  return number.toFixed(size >= 100 || Number.isInteger(number) ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3);
}

/** A share in percent, with two digits of what is left to one: 0.9937 as 99.37, 0.99937 as 99.937. */
function percent(share: number): string {
  const rest = Math.max(1 - share, 1e-9);
  const decimals = Math.max(0, Math.ceil(-Math.log10(rest)) - 1);
  return (share * 100).toFixed(Math.min(decimals, 7));
}
