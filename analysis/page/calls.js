// SPDX-License-Identifier: LGPL-2.1-only
// The MPI functions that the program called, and how the time of each rank divides.

const mostRankBars = 256;

function callsSection(run, point) {
  const calls = run.calls ?? point.timeline.sums;
  const times = run.times ?? point.timeline.times;
  const total = calls.reduce((sum, c) => sum + c.seconds, 0);
  const content = [sortableTable({
    caption: "MPI functions, summed over the ranks",
    columns: [
      { heading: "function", value: (c) => c.call },
      { heading: "calls", number: true, value: (c) => c.count, text: (c) => counted(c.count) },
      { heading: "time", number: true, value: (c) => c.seconds, text: (c) => withUnit(c.seconds, "s") },
      { heading: "share", number: true, value: (c) => c.seconds, text: (c) => (total > 0 ? percent(c.seconds / total) : "-") },
      { heading: "waiting", number: true, value: (c) => c.waiting, text: (c) => withUnit(c.waiting, "s") },
      { heading: "a call", number: true, value: (c) => c.seconds / c.count, text: (c) => withUnit(c.seconds / c.count, "s") },
    ],
    rows: calls,
    sorted: 2,
  })];
  if (run.levels.length > 0) {
    content.push(sortableTable({
      caption: "Messages by the level of the machine at which they meet",
      columns: [
        { heading: "level", value: (l) => levelText(l.level) },
        { heading: "messages", number: true, value: (l) => l.messages, text: (l) => counted(l.messages) },
        { heading: "bytes", number: true, value: (l) => l.bytes, text: (l) => withUnit(l.bytes, "B") },
      ],
      rows: run.levels,
    }));
  }
  if (times.end.length > 0) content.push(rankBars(times), rankTimes(times));
  return content;
}

// The mean of neighbouring ranks where there are many.
function rankBars(times) {
  const ranks = times.end.length, each = Math.ceil(ranks / mostRankBars), bars = Math.ceil(ranks / each);
  const mean = (values, bar) => {
    const part = values.slice(bar * each, (bar + 1) * each);
    return part.reduce((a, b) => a + b, 0) / part.length;
  };
  const names = Array.from({ length: bars }, (_, b) => (each === 1 ? String(b) : `${b * each} to ${Math.min(ranks, (b + 1) * each) - 1}`));
  const chart = {
    name: "rank-times", title: each === 1 ? "Time of each rank" : `Time of the ranks: a bar is the mean of ${each}`, stacked: true, reference: null, cells: [],
    x: { label: "rank", unit: "", log: false, categories: names },
    y: { label: "time", unit: "s", log: false, categories: [] },
    series: ["computing", "communicating", "waiting"].map((state, i) => ({
      label: state, colour: -1, shape: i, line: false, marker: "filled", points: names.map((_, b) => [b, mean(times[state], b)]),
    })),
  };
  const option = () => {
    const o = chartOption(chart, null);
    o.series.forEach((s) => { s.itemStyle.color = cssColour(s.name); });
    return o;
  };
  return element("figure", {}, element("figcaption", {}, chart.title), plot(option));
}

function rankTimes(times) {
  return lazyDetails("Every rank as a table", () => sortableTable({
    caption: "Time of each rank",
    columns: [
      { heading: "rank", number: true, value: (r) => r },
      ...["computing", "communicating", "waiting", "end"].map((name) => ({
        heading: name, number: true, value: (r) => times[name][r], text: (r) => withUnit(times[name][r], "s", 5),
      })),
    ],
    rows: times.end.map((_, rank) => rank),
  }));
}
