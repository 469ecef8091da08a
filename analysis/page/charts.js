// SPDX-License-Identifier: LGPL-2.1-only
// Charts of a study (analysis/chart.h) by Apache ECharts, and, as tables, the numbers of each.

const symbols = ["circle", "triangle", "rect", "diamond", "pin", "roundRect"];
const dashes = ["solid", [9, 5], [2, 4], [12, 4, 2, 4], [5, 3]];
const charts = new Set();

// Draws `option()` into a new element, and again where the colours or the width change.
function plot(option, kind = "plot") {
  const place = element("div", { class: kind });
  // An element has its size once it is on the page.
  requestAnimationFrame(() => {
    if (!place.isConnected) return;
    const chart = echarts.init(place, null, { renderer: "svg" });
    const draw = () => { if (place.isConnected) chart.setOption(option(), true); };
    draw();
    onColours(draw);
    new ResizeObserver(() => { if (place.isConnected) chart.resize(); }).observe(place);
    charts.add(chart);
  });
  return place;
}

function textStyle() {
  return { color: cssColour("text"), fontFamily: "system-ui, sans-serif" };
}

function axisOption(axis, vertical) {
  const common = {
    name: axis.label,
    nameLocation: "middle",
    nameGap: vertical ? 58 : 30,
    nameTextStyle: { color: cssColour("faint") },
    axisLine: { show: true, lineStyle: { color: cssColour("faint") } },
    axisLabel: { color: cssColour("text"), hideOverlap: true },
    splitLine: { show: true, lineStyle: { color: cssColour("line") } },
  };
  if (axis.categories.length > 0) return { ...common, type: "category", data: axis.categories, splitLine: { show: false } };
  common.axisLabel.formatter = (value) => tickText(value, axis.unit);
  // The ends of a log axis are not round numbers.
  if (axis.log) common.axisLabel = { ...common.axisLabel, showMinLabel: false, showMaxLabel: false };
  return axis.log ? { ...common, type: "log", logBase: 10 } : { ...common, type: "value", scale: !vertical };
}

// A log axis of ECharts ends at powers of ten: ours end at the data.
function extent(values, log) {
  const low = Math.min(...values), high = Math.max(...values);
  if (!log || !(low > 0)) return {};
  const room = low === high ? 2 : Math.pow(high / low, 0.05);
  return { min: low / room, max: high * room };
}

function marker(series) {
  const shape = symbols[series.shape % symbols.length];
  if (series.marker === "none") return "none";
  if (series.marker === "plus") return "path://M-1,-8h2v7h7v2h-7v7h-2v-7h-7v-2h7z";
  if (series.marker === "cross") return "path://M-7,-8l7,7l7,-7l1,1l-7,7l7,7l-1,1l-7,-7l-7,7l-1,-1l7,-7l-7,-7z";
  return series.marker === "hollow" ? `empty${shape[0].toUpperCase()}${shape.slice(1)}` : shape;
}

// The least and the largest, as pale lines behind the line: the common build of ECharts draws no polygons.
function bandOptions(series) {
  const edge = (index) => ({
    type: "line",
    silent: true,
    z: 1,
    symbol: "none",
    data: series.band.map((range) => [range[0], range[index]]),
    lineStyle: { color: seriesColour(series.colour), width: 6, opacity: 0.25 },
  });
  return [edge(1), edge(2)];
}

function seriesOption(chart, series, index) {
  const colour = seriesColour(series.colour);
  const values = series.points.map(([x, y]) => (chart.x.categories.length > 0 ? [Math.round(x), y] : [x, y]));
  const common = { name: series.label || `series ${index + 1}`, data: values, itemStyle: { color: colour } };
  if (chart.stacked) return { ...common, type: "bar", stack: "all", barMaxWidth: 60 };
  if (!series.line) return { ...common, type: "scatter", symbol: marker(series), symbolSize: 9 };
  return {
    ...common,
    type: "line",
    symbol: marker(series),
    symbolSize: 7,
    showSymbol: true,
    lineStyle: { color: colour, width: 2, type: dashes[series.shape % dashes.length] },
    emphasis: { focus: "series" },
  };
}

// Text of the data in the tooltips of ECharts, which are HTML.
function escapeHtml(text) {
  return String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

function pointText(chart, name, point) {
  const x = chart.x.categories.length > 0 ? chart.x.categories[point[0]] : tickText(point[0], chart.x.unit);
  return `${escapeHtml(name)}<br>${escapeHtml(chart.x.label)}: ${escapeHtml(x)}<br>${escapeHtml(chart.y.label)}: ` +
    `<b>${escapeHtml(withUnit(point[1], chart.y.unit, chart.y.unit ? 4 : 3))}</b>`;
}

function chartOption(chart, range) {
  const bands = chart.series.flatMap((s) => s.band ?? []);
  const numbers = (index) => [
    ...chart.series.flatMap((s) => s.points.map((p) => p[index])),
    ...bands.flatMap(([x, low, high]) => (index === 0 ? [x] : [low, high])),
  ].filter((v) => v !== null);
  const series = chart.series.filter((s) => s.points.length > 0).map((s, i) => seriesOption(chart, s, i));
  if (chart.reference !== null && series.length > 0) {
    series[0].markLine = {
      silent: true, symbol: "none", label: { show: false },
      lineStyle: { color: cssColour("faint"), type: "dashed" }, data: [{ yAxis: chart.reference }],
    };
  }
  series.unshift(...chart.series.filter((s) => s.band && s.line).flatMap(bandOptions));
  return {
    animation: false,
    aria: { enabled: true, label: { description: `${chart.title}. The numbers are in the table below.` }, decal: { show: chart.stacked } },
    textStyle: textStyle(),
    legend: { type: "scroll", bottom: 0, textStyle: textStyle(), data: [...new Set(chart.series.map((s) => s.label))].filter((l) => l) },
    grid: { left: 78, right: 16, top: 14, bottom: 78 },
    tooltip: { trigger: "item", confine: true, formatter: (p) => pointText(chart, p.seriesName, p.value) },
    xAxis: { ...axisOption(chart.x, false), ...extent(numbers(0), chart.x.log) },
    yAxis: { ...axisOption(chart.y, true), ...(range ?? extent(numbers(1), chart.y.log)) },
    series,
  };
}

function chartTable(chart) {
  const named = chart.series.filter((s) => s.points.length > 0);
  const xs = [...new Set(named.flatMap((s) => s.points.map((p) => p[0])))].sort((a, b) => a - b);
  const rows = xs.map((x) => [
    chart.x.categories.length > 0 ? chart.x.categories[x] : tickText(x, chart.x.unit),
    ...named.map((s) => withUnit(s.points.find((p) => p[0] === x)?.[1], chart.y.unit, chart.y.unit ? 4 : 3)),
  ]);
  return plainTable(`${chart.title}: ${chart.y.label}`, [chart.x.label, ...named.map((s, i) => s.label || `series ${i + 1}`)], rows,
    [false, ...named.map(() => true)]);
}

// White at 0, green above it, red below, as in the report; the cells have the numbers.
function heatCellColour(value, largest) {
  const share = largest > 0 ? Math.min(1, Math.abs(value) / largest) : 0;
  return `rgb(${mixed("#ffffff", value < 0 ? "#e45a4c" : "#4daf4a", share).map(Math.round).join(",")})`;
}

function heatTable(chart) {
  const value = new Map(chart.cells.map(([column, row, v]) => [`${column} ${row}`, v]));
  const gains = chart.cells.map((c) => c[2] ?? 0);
  const largest = Math.max(0, ...gains) || Math.max(...gains.map(Math.abs));
  return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": chart.title },
    element("table", {}, element("caption", {}, `${chart.y.label} (rows) and ${chart.x.label} (columns)`),
      element("thead", {}, element("tr", {}, element("td"), ...chart.x.categories.map((c) => element("th", { scope: "col" }, c)))),
      element("tbody", {}, ...chart.y.categories.map((name, row) => element("tr", {}, element("th", { scope: "row" }, name),
        ...chart.x.categories.map((_, column) => {
          const v = value.get(`${column} ${row}`) ?? null;
          return element("td", { class: "heat", style: v === null ? null : `background:${heatCellColour(v, largest)}` },
            v === null ? "-" : significant(v, 3));
        }))))));
}

// The meaning of marks: series without points are entries of the key alone.
function marksText(chart) {
  const shapes = { none: "line", plus: "plus", filled: "filled mark", hollow: "hollow mark", cross: "cross" };
  const entries = chart.series.filter((s) => s.points.length === 0 && s.label);
  return entries.map((s) => `${s.line && s.marker === "none" ? "line" : shapes[s.marker]}: ${s.label}`).join("; ");
}

function chartFigure(chart, range = null) {
  if (chart.cells.length > 0) return element("figure", {}, element("figcaption", {}, chart.title), heatTable(chart));
  return element("figure", { "data-chart": chart.name }, element("figcaption", {}, chart.title), plot(() => chartOption(chart, range)),
    marksText(chart) ? paragraph(marksText(chart), "faint") : null, lazyDetails("Numbers", () => chartTable(chart)));
}
