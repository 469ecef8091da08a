// SPDX-License-Identifier: LGPL-2.1-only
// The bytes from each rank to each other: a square for each pair, the sender's row, the receiver's column, in the order of the
// cores, with the machine's nodes and packages beside it. Darker is more (dark page: lighter), on a logarithmic scale.

const stripWidth = 12, largestCell = 28;

// The groups of a view's rows by the levels above them: [{name, starts: [0, 24, ...], labels}], outermost first.
function bandsOf(tree, entries) {
  const bands = [];
  for (const name of ["Machine", "Package", "NUMANode"]) {
    const groups = entries.map((entry) => tree.above(entry, name));
    if (groups.some((g) => g < 0)) continue;
    const starts = groups.flatMap((g, i) => (i === 0 || g !== groups[i - 1] ? [i] : []));
    if (starts.length < 2 || starts.length >= entries.length) continue;
    if (bands.length > 0 && bands.at(-1).starts.length === starts.length) continue;
    bands.push({ name, starts, labels: starts.map((i) => tree.path(groups[i])) });
  }
  return bands.slice(0, 2);
}

function matrixSection(run, point) {
  const tree = machineTree(run.machine);
  const matrix = point.matrix;
  let view = matrix.views[0], measure = "bytes", cursor = null;
  const canvas = element("canvas", { tabindex: "0", role: "application", id: "matrix-canvas" });
  const holder = element("div", { class: "drawing" }, canvas);
  const info = element("div", { class: "info", id: "matrix-info", role: "status", "aria-live": "polite" });
  const scale = element("div"), note = element("p", { class: "faint" }), table = element("div");
  let geometry = null;

  const entriesOf = () => view.entry ?? point.entries;
  const side = () => Math.ceil(view.groups / view.per_cell);
  const unit = () => (measure === "bytes" ? "B" : "");
  const shown = (value) => (measure === "bytes" ? withUnit(value, "B") : plural(value, "message"));

  // "rank 3", "ranks 0 to 7", "node 1".
  function name(index) {
    const first = index * view.per_cell, last = Math.min(view.groups, first + view.per_cell) - 1;
    const one = (i) => (view.by === "rank" ? `rank ${point.order[i]}` : tree.path(view.entry[i]));
    return first === last ? one(first) : `${one(first)} to ${one(last)}`;
  }
  function cellText(row, column) {
    const i = geometry.at.get(row * side() + column);
    const place = (index) => (view.by === "rank" && view.per_cell === 1 ? ` (${tree.path(point.entries[index])})` : "");
    const sent = i === undefined ? "nothing" : `${withUnit(view.bytes[i], "B")}, ${plural(view.messages[i], "message")}`;
    return `from ${name(row)}${place(row)}\nto ${name(column)}${place(column)}: ${sent}`;
  }
  function prepare() {
    const values = view[measure].filter((v) => v > 0);
    const low = values.reduce((a, b) => Math.min(a, b), Infinity), high = values.reduce((a, b) => Math.max(a, b), 0);
    const at = new Map(view.row.map((row, i) => [row * side() + view.column[i], i]));
    const share = (v) => (high <= low * 1.001 ? 0.999 : Math.log(v / low) / Math.log(high / low));
    const bands = view.per_cell === 1 ? bandsOf(tree, entriesOf()) : bandsOf(tree, entriesOf().filter((_, i) => i % view.per_cell === 0));
    geometry = { at, low, high, share, bands };
  }
  function draw() {
    const n = side();
    const room = Math.min(640, Math.max(240, (holder.clientWidth || 640) - 40));
    const left = geometry.bands.length * stripWidth + 4;
    const cell = Math.max(1, Math.min(largestCell, Math.floor((room - left) / n)));
    const extentOfCells = n * cell;
    canvas.width = canvas.height = left + extentOfCells + 1;
    geometry.cell = cell;
    geometry.left = left;
    const c = canvas.getContext("2d");
    c.fillStyle = cssColour("ground");
    c.fillRect(0, 0, canvas.width, canvas.height);
    c.fillStyle = cssColour("none");
    c.fillRect(left, left, extentOfCells, extentOfCells);
    view.row.forEach((row, i) => {
      if (!(view[measure][i] > 0)) return;
      c.fillStyle = heatColour(geometry.share(view[measure][i]));
      c.fillRect(left + view.column[i] * cell, left + row * cell, cell, cell);
    });
    geometry.bands.forEach((band, b) => {
      band.starts.forEach((start, i) => {
        const end = band.starts[i + 1] ?? n;
        c.fillStyle = seriesColour(i % 2 === 0 ? 0 : 5);
        c.fillRect(b * stripWidth, left + start * cell, stripWidth - 2, (end - start) * cell - (cell > 1 ? 1 : 0));
        c.fillRect(left + start * cell, b * stripWidth, (end - start) * cell - (cell > 1 ? 1 : 0), stripWidth - 2);
        if (b === 0 && start > 0) {
          c.fillStyle = cssColour("faint");
          c.fillRect(left, left + start * cell, extentOfCells, 0.7);
          c.fillRect(left + start * cell, left, 0.7, extentOfCells);
        }
      });
    });
    if (cursor) {
      c.strokeStyle = cssColour("focus");
      c.lineWidth = 2;
      c.strokeRect(left + cursor[1] * cell - 1, left + cursor[0] * cell - 1, cell + 2, cell + 2);
    }
  }
  function describe() {
    canvas.setAttribute("aria-label", `Matrix of ${measure} by ${view.by === "rank" ? "rank" : levelText(view.by)}, ${side()} rows. ` +
      "Arrow keys move. The table below has the largest pairs.");
    const steps = Array.from({ length: heat.length }, (_, i) => i / heat.length);
    scale.replaceChildren(geometry.high > 0 ? legend([[cssColour("none"), "nothing"], ...(geometry.high <= geometry.low * 1.001
      ? [[heatColour(0.999), shown(geometry.high)]]
      : steps.map((s) => [heatColour(s), `from ${withUnit(geometry.low * Math.pow(geometry.high / geometry.low, s), unit(), 3)}`]))])
      : legend([[cssColour("none"), "nothing"]]));
    const beside = geometry.bands.map((b) => `${levelText(b.name)}s`).join(" and ");
    note.textContent = (view.per_cell > 1 ? `A cell is the sum of ${view.per_cell} x ${view.per_cell} neighbours. ` : "") +
      (beside ? `Strips beside the matrix: ${beside}, from the outside.` : "");
    const rows = view.row.map((_, i) => i);
    table.replaceChildren(lazyDetails("The largest pairs as a table", () => sortableTable({
      caption: `Largest pairs by ${view.by === "rank" ? "rank" : levelText(view.by)}`,
      columns: [
        { heading: "from", value: (i) => view.row[i], text: (i) => name(view.row[i]) },
        { heading: "to", value: (i) => view.column[i], text: (i) => name(view.column[i]) },
        { heading: "bytes", number: true, value: (i) => view.bytes[i], text: (i) => withUnit(view.bytes[i], "B") },
        { heading: "messages", number: true, value: (i) => view.messages[i], text: (i) => counted(view.messages[i]) },
      ],
      rows: rows.sort((a, b) => view.bytes[b] - view.bytes[a]).slice(0, 1000),
    })));
  }
  function change() {
    cursor = null;
    prepare();
    draw();
    describe();
    info.textContent = `${withUnit(matrix.bytes, "B")} in ${plural(matrix.messages, "message")} in all.`;
  }
  function moveTo(row, column) {
    const last = side() - 1;
    cursor = [Math.min(last, Math.max(0, row)), Math.min(last, Math.max(0, column))];
    draw();
    info.textContent = cellText(...cursor);
  }
  canvas.addEventListener("mousemove", (event) => {
    const box = canvas.getBoundingClientRect(), ratio = canvas.width / box.width;
    const column = Math.floor(((event.clientX - box.left) * ratio - geometry.left) / geometry.cell);
    const row = Math.floor(((event.clientY - box.top) * ratio - geometry.left) / geometry.cell);
    if (row >= 0 && column >= 0 && row < side() && column < side()) info.textContent = cellText(row, column);
  });
  canvas.addEventListener("keydown", (event) => {
    const [row, column] = cursor ?? [0, 0];
    const moves = { ArrowUp: [row - 1, column], ArrowDown: [row + 1, column], ArrowLeft: [row, column - 1], ArrowRight: [row, column + 1],
      Home: [0, 0], End: [side() - 1, side() - 1] };
    if (!moves[event.key]) return;
    moveTo(...(cursor ? moves[event.key] : [0, 0]));
    event.preventDefault();
  });
  onColours(() => { draw(); describe(); });
  const views = matrix.views.map((v, i) => [i, v.by === "rank" ? "rank" : levelText(v.by)]);
  requestAnimationFrame(change);
  return [
    element("div", { class: "controls" }, choice("By", views, 0, (i) => { view = matrix.views[i]; change(); }),
      choice("Show", [["bytes", "bytes"], ["messages", "messages"]], measure, (m) => { measure = m; change(); })),
    scale, holder, note, info, table,
  ];
}
