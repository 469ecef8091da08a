// SPDX-License-Identifier: LGPL-2.1-only
// The page's scripts without a browser: they are plain scripts that share one global scope, so a test runs the ones that it
// needs in a scope of its own, and gets the names that it asks for.
//
//   const { withUnit } = load(["numbers"], ["withUnit"]);
import fs from "node:fs";
import vm from "node:vm";

export function load(scripts, names, globals = {}) {
  const source = scripts.map((name) => fs.readFileSync(`analysis/page/${name}.js`, "utf8")).join("\n");
  return vm.runInNewContext(`${source}\n;({ ${names.join(", ")} })`, { atob, ...globals });
}

// Random whole numbers from 0 to n - 1, the same for the same seed (mulberry32 of T. Ettinger, public domain).
export function randomFrom(seed) {
  let state = seed;
  return (n) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
}

export const plain = (value) => JSON.parse(JSON.stringify(value));  // values of another scope have other prototypes
