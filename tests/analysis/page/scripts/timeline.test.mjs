// SPDX-License-Identifier: LGPL-2.1-only
// The timeline's data and painting, on random calls: decoding, what a rank does at a moment, rows of pixels, ticks.
import assert from "node:assert/strict";
import test from "node:test";
import { load, plain, randomFrom } from "./load.mjs";

const { RowPainter, tickTime, timelineData, timeTicks } =
  load(["numbers", "timeline_data", "timeline_paint"], ["RowPainter", "tickTime", "timelineData", "timeTicks"]);

function base128(numbers) {
  const bytes = [];
  for (let value of numbers) {
    while (value >= 128) {
      bytes.push((value % 128) + 128);
      value = Math.floor(value / 128);
    }
    bytes.push(value);
  }
  return btoa(String.fromCharCode(...bytes));
}

// Calls in ticks, per rank: {from, to, fn, waits: [{from, to, message}]}, and the page's data of them.
function randomRun(random) {
  const ranks = 1 + random(4), ticks = 1000, rows = [], runs = [];
  for (let rank = 0; rank < ranks; ++rank) {
    const calls = [];
    let at = 0;
    for (let left = random(8); left > 0 && at < ticks - 200; --left) {
      const from = at + random(40), to = from + 1 + random(100), waits = [];
      let moment = from;
      while (random(3) === 0 && moment < to) {
        const begin = moment + random(to - moment), end = begin + random(to - begin + 1);
        waits.push({ from: begin, to: end, message: random(300) });
        moment = end;
      }
      calls.push({ from, to, fn: random(5), waits });
      at = to;
    }
    runs.push(calls);
    rows.push(calls.length);
    let last = 0;
    for (const call of calls) {
      rows.push(call.from - last, call.fn, call.to - call.from, call.waits.length);
      last = call.to;
      let moment = call.from;
      for (const wait of call.waits) {
        rows.push(wait.from - moment, wait.to - wait.from, wait.message + 1);
        moment = wait.to;
      }
    }
  }
  const end = Array(ranks).fill(1);
  return { runs, data: { ranks, end_s: 1, times: { end }, calls: { from_s: 0, to_s: 1, ticks, left_out: 0, rows: base128(rows) } } };
}

test("calls are decoded, and found by their moment", () => {
  const random = randomFrom(5);
  for (let i = 0; i < 200; ++i) {
    const { runs, data } = randomRun(random), { calls, callAt } = timelineData(data);
    for (const [rank, expected] of runs.entries()) {
      assert.equal(calls.first[rank + 1] - calls.first[rank], expected.length);
      for (const [k, call] of expected.entries()) {
        const c = calls.first[rank] + k;
        assert.deepEqual([Math.round(calls.from[c] * 1000), Math.round(calls.to[c] * 1000), calls.fn[c]], [call.from, call.to, call.fn]);
        const waits = [];
        for (let w = calls.waitFirst[c]; w < calls.waitFirst[c + 1]; ++w)
          waits.push({ from: Math.round(calls.waitFrom[w] * 1000), to: Math.round(calls.waitTo[w] * 1000), message: calls.waitFor[w] });
        assert.deepEqual(waits, call.waits);
      }
      for (let k = 0; k < 50; ++k) {
        const tick = random(1000) + 0.5, found = expected.findIndex((call) => call.from <= tick && tick < call.to);
        assert.equal(callAt(rank, tick / 1000), found < 0 ? -1 : calls.first[rank] + found);
      }
    }
  }
});

test("what a rank does between two moments, without gaps", () => {
  const random = randomFrom(6);
  for (let i = 0; i < 200; ++i) {
    const { runs, data } = randomRun(random), { eachCall } = timelineData(data);
    const from = (random(900) + 0.25) / 1000, to = from + (1 + random(99)) / 1000;
    for (const [rank, calls] of runs.entries()) {
      let at = from;
      eachCall(rank, from, to, (begin, end, state, fn) => {
        assert.ok(Math.abs(begin - at) < 1e-12 && end >= begin);
        at = end;
        if (end === begin) return;  // a wait without a length
        const tick = (begin + end) / 2 * 1000;
        const call = calls.find((c) => c.from <= tick && tick < c.to);
        const waits = call?.waits.some((w) => w.from <= tick && tick < w.to);
        assert.equal(state, !call ? 0 : waits ? 2 : 1);
        assert.equal(fn, call ? call.fn : -1);
      });
      assert.ok(Math.abs(at - Math.min(to, 1)) < 1e-12);
    }
  }
});

test("parts of a run that work", () => {
  const rows = base128([2, 10, 0, 10, 0, 950, 0, 20, 0]);  // one rank: calls from 10 to 20 and from 970 to 990 ticks
  const run = timelineData({ ranks: 1, end_s: 1, times: { end: [1] }, calls: { from_s: 0, to_s: 1, ticks: 1000, left_out: 0, rows } });
  assert.deepEqual(plain(run.busyParts().map((part) => [part.from, part.to].map((t) => Math.round(t * 1e4) / 1e4))), [[0, 0.0204], [0.9694, 1]]);
});

test("a row of pixels has the mean colour of its time", () => {
  const random = randomFrom(7), width = 16, fine = 1000;
  for (let i = 0; i < 100; ++i) {
    const painter = new RowPainter(width), covered = new Float64Array(width);
    for (let k = 0; k < 5; ++k) {
      const from = (random(24 * fine) - 4 * fine) / fine, to = from + random(6 * fine) / fine;
      painter.span(from, to, [100, 0, 50], 1);
      for (let x = 0; x < width; ++x) covered[x] += Math.max(0, Math.min(to, x + 1) - Math.max(from, x));
    }
    for (let x = 0; x < width; ++x) {
      assert.ok(Math.abs(painter.weight[x] - covered[x]) < 1e-4);
      assert.ok(Math.abs(painter.red[x] - 100 * covered[x]) < 1e-2);
      assert.ok(Math.abs(painter.blue[x] - 50 * covered[x]) < 1e-2);
    }
  }
});

test("ticks are round, and as many as asked for", () => {
  const random = randomFrom(8);
  for (let i = 0; i < 500; ++i) {
    const from = random(1e6) / 1e5, to = from + (1 + random(1e6)) / 1e6, most = 2 + random(20);
    const { ticks, round } = timeTicks(from, to, most);
    assert.ok(ticks.length <= most + 1);
    const mantissa = round / 10 ** Math.floor(Math.log10(round) + 1e-9);
    assert.ok([1, 2, 5].some((m) => Math.abs(mantissa - m) < 1e-6), String(round));
    for (const tick of ticks) assert.ok(tick >= from - 1e-12 && tick <= to && Math.abs(tick / round - Math.round(tick / round)) < 1e-6);
    assert.equal(new Set(ticks.map((tick) => tickTime(tick, round))).size, ticks.length, "labels differ");
  }
});
