// SPDX-License-Identifier: LGPL-2.1-only
// Numbers as text, as analysis/format.h writes them: significant digits, SI prefixes.

const prefixes = [[1e-9, "n"], [1e-6, "u"], [1e-3, "m"], [1, ""], [1e3, "k"], [1e6, "M"], [1e9, "G"], [1e12, "T"]];

function significant(value, digits) {
  if (value === 0) return "0";
  const exponent = Number(value.toExponential(digits - 1).split("e")[1]);
  if (exponent < -4 || exponent >= 9) return value.toExponential(digits - 1);
  return value.toFixed(Math.max(0, digits - 1 - exponent));
}

// The multiple of a unit in which the value has one to three digits before the point. A time is never shown in ks.
function scaleFor(value, unit) {
  const shown = unit === "1" ? "" : unit;
  if (!["s", "B", "B/s", "flop/s"].includes(unit) || value === 0 || !Number.isFinite(value)) return [1, shown];
  let best = null;
  for (const [factor, text] of prefixes) {
    if (unit === "s" ? factor > 1 : factor < 1) continue;
    if (best === null || Math.abs(value) >= factor * 0.99995) best = [factor, text];
  }
  return [1 / best[0], best[1] + unit];
}

function withUnit(value, unit, digits = 4) {
  if (value === null || value === undefined) return "-";
  const [factor, shown] = scaleFor(value, unit);
  const number = significant(value * factor, digits);
  return shown ? `${number} ${shown}` : number;
}

function tickText(value, unit) {
  const short = (number) => String(Number(number.toPrecision(6)));
  if (unit === "" || unit === "1") {
    let best = prefixes[3];
    for (const prefix of prefixes) if (prefix[0] > 1 && Math.abs(value) >= prefix[0] * 0.99995) best = prefix;
    return short(value / best[0]) + best[1];
  }
  const [factor, shown] = scaleFor(value, unit);
  return `${short(value * factor)} ${shown}`;
}

const percent = (share, digits = 3) => `${significant(share * 100, digits)} %`;
const counted = (number) => Math.round(number).toLocaleString("en-US");
const plural = (number, noun) => `${counted(number)} ${noun}${number === 1 ? "" : "s"}`;
