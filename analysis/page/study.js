// SPDX-License-Identifier: LGPL-2.1-only
// The outcome of a study: its tables and plots, models and claims.

// "10.46 us", or "10.46 us (9.81 us to 11.1 us)" with an error bar.
function valueText(column, i) {
  const digits = column.unit ? 4 : 3, text = withUnit(column.values[i], column.unit, digits), bar = column.bars?.[i];
  return bar ? `${text} (${withUnit(bar[0], column.unit, 3)} to ${withUnit(bar[1], column.unit, 3)})` : text;
}

function resultsSection(run) {
  const content = run.explained.map((text) => paragraph(text, "faint"));
  if (run.charts.length > 0) content.push(element("div", { class: "charts" }, ...run.charts.map((chart) => chartFigure(chart))));
  for (const line of run.skipped) content.push(paragraph(`Not drawn: ${line}.`, "faint"));
  for (const table of run.tables) {
    const columns = table.columns.map((c) => ({
      heading: c.heading, number: true, value: (i) => c.values[i], text: (i) => valueText(c, i),
    }));
    if (table.row_heading) columns.unshift({ heading: table.row_heading, value: (i) => table.rows[i], text: (i) => table.rows[i] });
    content.push(sortableTable({ caption: table.heading || "Results", columns, rows: table.rows.map((_, i) => i) }));
  }
  return content;
}

function modelsSection(run) {
  const content = [paragraph("The residual is (simulated - predicted) / predicted. Where a model's assumptions do not hold, it is " +
    "shown and not judged.")];
  const largest = (m) => (m.largest_agreeing === null ? "-" : percent(m.largest_agreeing));
  content.push(sortableTable({
    caption: "Models against the simulation",
    columns: [
      { heading: "model", value: (m) => m.model },
      { heading: "tolerance", number: true, value: (m) => m.tolerance, text: (m) => percent(m.tolerance, 2) },
      { heading: "agree", number: true, value: (m) => m.agree },
      { heading: "outside the model", number: true, value: (m) => m.outside },
      { heading: "disagree", number: true, value: (m) => m.disagree },
      { heading: "largest residual that agrees", number: true, value: (m) => m.largest_agreeing, text: largest },
    ],
    rows: run.models,
    className: (m) => (m.disagree > 0 ? "bad" : "good"),
  }));
  for (const model of run.models.filter((m) => m.rows.length > 0)) {
    content.push(lazyDetails(`${model.model}: every point`, () => sortableTable({
      caption: `${model.model}, point by point`,
      columns: [
        { heading: "parameters", value: (r) => r.parameters },
        { heading: "predicted", number: true, value: (r) => r.predicted_s, text: (r) => withUnit(r.predicted_s, "s") },
        { heading: "simulated", number: true, value: (r) => r.simulated_s, text: (r) => withUnit(r.simulated_s, "s") },
        { heading: "residual", number: true, value: (r) => r.residual, text: (r) => (r.residual === null ? "-" : percent(r.residual)) },
        { heading: "verdict", value: (r) => r.verdict },
        { heading: "reason", value: (r) => r.reason },
      ],
      rows: model.rows,
    })));
  }
  return content;
}

function claimsSection(run) {
  const content = [paragraph("A claim is reproduced where ours is within the stated factor of the paper's value in either " +
    "direction, or at least or at most it.")];
  if (run.causes.length > 0) {
    content.push(sortableTable({
      caption: "Why claims are not reproduced",
      columns: [
        { heading: "cause", value: (c) => c.cause },
        { heading: "meaning", value: (c) => c.meaning },
        { heading: "claims", number: true, value: (c) => c.claims },
      ],
      rows: run.causes,
    }));
  }
  content.push(
    sortableTable({
      caption: "Claims of papers",
      columns: [
        { heading: "paper", value: (c) => c.paper },
        { heading: "claim", value: (c) => c.claim },
        { heading: "paper's value", number: true, value: (c) => c.value, text: (c) => c.value_text },
        { heading: "ours", number: true, value: (c) => c.ours, text: (c) => withUnit(c.ours, c.unit, c.unit ? 4 : 3) },
        { heading: "ratio", number: true, value: (c) => c.ratio, text: (c) => (c.ratio === null ? "-" : significant(c.ratio, 3)) },
        { heading: "within", value: (c) => c.within },
        { heading: "reproduced?", value: (c) => c.outcome },
        { heading: "cause", value: (c) => c.cause },
        { heading: "why", value: (c) => c.why },
      ],
      rows: run.claims,
      className: (c) => ({ reproduced: "good", "not reproduced": "bad" })[c.outcome] ?? null,
    }),
  );
  return content;
}
