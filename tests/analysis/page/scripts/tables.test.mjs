// SPDX-License-Identifier: LGPL-2.1-only
// The order of tables' rows, what runs have in common, and the ranges of plots.
import assert from "node:assert/strict";
import test from "node:test";
import { load, plain, randomFrom } from "./load.mjs";

const { compareValues, extent, sharedMetrics, sharedRange } =
  load(["numbers", "tables", "charts", "beside"], ["compareValues", "extent", "sharedMetrics", "sharedRange"], { document: {} });

test("values are ordered: numbers by size, texts as people count, missing ones last", () => {
  const sorted = [10, 9, null, 2.5, undefined, -1].sort(compareValues);
  assert.deepEqual(sorted.slice(0, 4), [-1, 2.5, 9, 10]);
  assert.deepEqual(["rank 10", "rank 9", "node 2"].sort(compareValues), ["node 2", "rank 9", "rank 10"]);
  const random = randomFrom(9), values = Array.from({ length: 40 }, () => (random(5) ? random(100) : null));
  for (const a of values) for (const b of values) assert.equal(Math.sign(compareValues(a, b)) + Math.sign(compareValues(b, a)), 0);
});

test("metrics of several runs, by point", () => {
  const runs = [
    { name: "a", values: [{ metric: "time", unit: "s", points: ["n=1", "n=2"], values: [1, 2] }] },
    { name: "b", values: [{ metric: "time", unit: "s", points: ["n=2"], values: [3] }, { metric: "bytes", unit: "B", points: ["n=2"], values: [8] }] },
  ];
  const metrics = sharedMetrics(runs);
  assert.deepEqual(plain(metrics.map((m) => m.metric)), ["time", "bytes"]);
  assert.deepEqual(plain([...metrics[0].values].map(([point, byRun]) => [point, [...byRun]])), [["n=1", [["a", 1]]], ["n=2", [["a", 2], ["b", 3]]]]);
});

test("ranges hold all points", () => {
  assert.deepEqual(plain(extent([1, 100], false)), {});
  assert.deepEqual(plain(extent([0, 100], true)), {}, "no logarithm of 0");
  const { min, max } = extent([1, 100], true);
  assert.ok(min < 1 && min > 0.5 && max > 100 && max < 200);
  const chart = (points, log = false) => ({ y: { log }, series: [{ points: points.map((y, x) => [x, y]) }] });
  assert.deepEqual(plain(sharedRange([chart([1, null]), chart([4])])), { min: 0, max: 4 * 1.05 });
  assert.equal(sharedRange([chart([1]), chart([4], true)]), null, "axes of different kinds");
  assert.equal(sharedRange([chart([null])]), null);
});
