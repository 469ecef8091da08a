// SPDX-License-Identifier: LGPL-2.1-only
// Several runs side by side: what they have in common, point by point, and plots of the same name on one scale.

function sharedMetrics(runs) {
  const metrics = new Map();
  for (const run of runs) for (const m of run.values) {
    const key = `${m.metric}\n${m.unit}`;
    if (!metrics.has(key)) metrics.set(key, { metric: m.metric, unit: m.unit, values: new Map() });
    m.points.forEach((point, i) => {
      const values = metrics.get(key).values;
      if (!values.has(point)) values.set(point, new Map());
      values.get(point).set(run.name, m.values[i]);
    });
  }
  return [...metrics.values()];
}

function metricTable(metric, runs) {
  const rows = [...metric.values].filter(([, byRun]) => byRun.size > 1).map(([point, byRun]) => ({ point, byRun }));
  if (rows.length === 0) return null;
  const base = runs.find((run) => rows.some((row) => row.byRun.has(run.name)));
  const ratio = (row, run) => {
    const ours = row.byRun.get(run.name) ?? null, first = row.byRun.get(base.name) ?? null;
    return ours === null || !first ? null : ours / first;
  };
  const columns = [{ heading: "point", value: (row) => row.point || "(the only point)" }];
  for (const run of runs) {
    columns.push({ heading: run.name, number: true, value: (row) => row.byRun.get(run.name) ?? null,
      text: (row) => withUnit(row.byRun.get(run.name), metric.unit) });
    if (run !== base) {
      columns.push({ heading: `${run.name} / ${base.name}`, number: true, value: (row) => ratio(row, run),
        text: (row) => (ratio(row, run) === null ? "-" : significant(ratio(row, run), 4)) });
    }
  }
  return sortableTable({ caption: `${metric.metric}: points that several runs have`, columns, rows });
}

// Simulated times of programs.
function timesTable(runs) {
  const timed = runs.filter((run) => run.simulated_time_s !== null);
  if (timed.length < 2) return null;
  const base = timed[0].simulated_time_s;
  return sortableTable({
    caption: "Simulated times",
    columns: [
      { heading: "run", value: (run) => run.name },
      { heading: "machine", value: (run) => run.machine.name },
      { heading: "simulated time", number: true, value: (run) => run.simulated_time_s, text: (run) => withUnit(run.simulated_time_s, "s", 6) },
      { heading: "over the first", number: true, value: (run) => run.simulated_time_s / base, text: (run) => significant(run.simulated_time_s / base, 4) },
    ],
    rows: timed,
  });
}

function sharedRange(charts) {
  const values = charts.flatMap((c) => c.series.flatMap((s) => s.points.map((p) => p[1]))).filter((v) => v !== null);
  if (values.length === 0 || charts.some((c) => c.stacked)) return null;
  const low = Math.min(...values), high = Math.max(...values);
  if (charts.every((c) => c.y.log)) return extent(values, true);
  return charts.some((c) => c.y.log) ? null : { min: Math.min(0, low), max: high * 1.05 };
}

function besideSection(runs) {
  const content = [paragraph("Points with the same parameters in each run. Ratios are to the first run that has the metric: above 1 is more.")];
  const tables = [timesTable(runs), ...sharedMetrics(runs).map((metric) => metricTable(metric, runs))].filter((t) => t !== null);
  if (tables.length === 0) content.push(paragraph("No two of these runs have a point in common."));
  const byName = new Map();
  for (const run of runs) for (const chart of run.charts) {
    if (!byName.has(chart.name)) byName.set(chart.name, []);
    byName.get(chart.name).push({ ...chart, title: `${run.name}: ${chart.title}` });
  }
  for (const same of byName.values()) {
    if (same.length < 2) continue;
    const range = sharedRange(same);
    content.push(element("div", { class: "charts beside" }, ...same.map((chart) => chartFigure(chart, range))));
  }
  return [...content, ...tables];
}
