// SPDX-License-Identifier: LGPL-2.1-only
// Numbers and lists of ranks as the page shows them: the same texts as console/number.h, and lists against a slow reading.
import assert from "node:assert/strict";
import test from "node:test";
import { load, plain, randomFrom } from "./load.mjs";

const { counted, percent, plural, ranksOf, significant, tickText, withUnit } =
  load(["numbers", "rank_list"], ["counted", "percent", "plural", "ranksOf", "significant", "tickText", "withUnit"]);

test("significant digits", () => {
  assert.equal(significant(12.345, 4), "12.35");
  assert.equal(significant(0, 4), "0");
  assert.equal(significant(123456, 4), "123456");
  assert.equal(significant(999.96, 4), "1000");
  assert.equal(significant(0.00001234, 3), "1.23e-5");
});

test("units", () => {
  assert.equal(withUnit(2e-6, "s", 4), "2.000 us");
  assert.equal(withUnit(4e9, "B/s", 3), "4.00 GB/s");
  assert.equal(withUnit(0.99996, "s", 4), "1.000 s");
  assert.equal(withUnit(7200, "s", 4), "7200 s");
  assert.equal(withUnit(21.3, "1", 4), "21.30");
  assert.equal(withUnit(null, "s"), "-");
  assert.equal(tickText(1e-5, "s"), "10 us");
  assert.equal(tickText(5e5, "B"), "500 kB");
  assert.equal(tickText(10000, ""), "10k");
  assert.equal(percent(0.1234), "12.3 %");
  assert.equal(plural(1, "core"), "1 core");
  assert.equal(plural(1234, "message"), "1,234 messages");
  assert.equal(counted(2.6), "3");
});

test("a text with a unit means its value", () => {
  const factors = { n: 1e-9, u: 1e-6, m: 1e-3, "": 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12 };
  const random = randomFrom(1);
  for (let i = 0; i < 2000; ++i) {
    const unit = i % 2 ? "s" : "B/s", value = (1 + random(1e6) / 1e6) * 10 ** (random(9) - (unit === "s" ? 8 : 0));
    const [, number, prefix] = withUnit(value, unit, 6).match(/^([0-9.]+) ([numkMGT]?)(?:s|B\/s)$/) ?? assert.fail(String(value));
    assert.ok(Math.abs(Number(number) * factors[prefix] / value - 1) < 1e-5, String(value));
  }
});

test("ranks", () => {
  assert.equal(ranksOf(" ", 4), null);
  for (const wrong of ["4", "2-1", "x", "1,,2", "-1", "1-"]) assert.equal(ranksOf(wrong, 4), undefined, wrong);
  const random = randomFrom(2);
  for (let i = 0; i < 300; ++i) {
    const expected = new Set(), parts = [];
    for (let part = random(5); part >= 0; --part) {
      const from = random(20), to = from + random(20 - from);
      parts.push(random(2) && from === to ? `${from}` : ` ${from} - ${to}`);
      for (let rank = from; rank <= to; ++rank) expected.add(rank);
    }
    assert.deepEqual(plain([...ranksOf(parts.join(","), 20)].sort((a, b) => a - b)), [...expected].sort((a, b) => a - b));
  }
});
