// SPDX-License-Identifier: LGPL-2.1-only
// The timeline: what each rank did when, in the order of the cores. Wheel, buttons and keys zoom and move; functions and
// ranks are filtered; calls are searched.

const gutter = 92, axisHeight = 22, tallestRow = 22, plotHeight = 480;

function timelineSection(run, point) {
  const data = point.timeline, tree = machineTree(run.machine);
  const events = timelineData(data);
  const whole = data.end_s > 0 ? data.end_s : 1;
  const parts = data.end_s > 0 ? events.busyParts() : [{ from: 0, to: whole, calls: 0 }];
  let part = parts.reduce((best, p, i) => (p.calls > parts[best].calls ? i : best), 0);
  const state = { from: parts[part].from, to: parts[part].to, top: 0, colourBy: "state", group: "rank", fn: "", ranks: null, find: "", selected: null, row: 0 };

  const canvas = element("canvas", { tabindex: "0", role: "application", id: "timeline-canvas", "aria-describedby": "timeline-keys" });
  const holder = element("div", { class: "drawing" }, canvas);
  const info = element("div", { class: "info", id: "timeline-info", role: "status", "aria-live": "polite" });
  const note = element("p", { class: "faint", id: "timeline-note" });
  const keys = element("div", {}), listed = element("div");
  const found = element("output", { id: "timeline-found" });
  const pauses = parts.length > 1 || parts[0].to - parts[0].from < 0.9 * whole;
  let rows = [], geometry = null, drawnLater = false;

  // --- rows: ranks, or all ranks of a package or a node ---
  function makeRows() {
    const places = data.order.map((rank, i) => ({ rank, entry: point.entries[i] })).filter((p) => !state.ranks || state.ranks.has(p.rank));
    if (state.group === "rank") rows = places.map((p) => ({ ranks: [p.rank], entry: p.entry, name: `rank ${p.rank}` }));
    else {
      const groups = new Map();
      for (const p of places) {
        const above = tree.above(p.entry, state.group);
        if (!groups.has(above)) groups.set(above, { ranks: [], entry: above, name: tree.path(above) });
        groups.get(above).ranks.push(p.rank);
      }
      rows = [...groups.values()];
    }
    state.top = 0;
    state.row = Math.min(state.row, Math.max(0, rows.length - 1));
  }
  const levels = ["Package", "Machine"].filter((name) => {
    const groups = new Set(point.entries.map((entry) => tree.above(entry, name)));
    return groups.size > 1 && groups.size < point.ranks && !groups.has(-1);
  });

  // --- colours ---
  const busiest = [...data.sums].sort((a, b) => b.seconds - a.seconds).map((s) => data.functions.indexOf(s.call));
  const colourOfFunction = (fn) => (busiest.indexOf(fn) < 6 ? seriesColour(busiest.indexOf(fn)) : cssColour("faint"));
  const matches = (fn) => {
    const name = fn < 0 ? "" : data.functions[fn];
    return (state.fn === "" || name === state.fn) && (state.find === "" || name.toLowerCase().includes(state.find));
  };
  function colourTable() {
    const ground = channels(cssColour("ground"));
    const faded = (colour) => colour.map((c, i) => ground[i] + (c - ground[i]) * 0.18);
    const filtered = state.fn !== "" || state.find !== "";
    // By state, then by function, of which the first is none.
    const table = stateNames.map((name, what) => {
      const own = channels(cssColour(name));
      const colours = [];
      for (let fn = -1; fn < data.functions.length; ++fn) {
        const base = state.colourBy === "state" || what !== communicating || fn < 0 ? own : channels(colourOfFunction(fn));
        colours.push(filtered && !matches(fn) ? faded(base) : base);
      }
      return colours;
    });
    return { table, ground };
  }

  // --- drawing ---
  const exact = () => events.isWhole(state.from, state.to);
  function draw() {
    drawnLater = false;
    const width = Math.max(120, Math.floor(holder.clientWidth || 1000) - gutter);
    const rowHeight = Math.max(1, Math.min(tallestRow, Math.floor(plotHeight / Math.max(1, rows.length))));
    const fitting = Math.min(rows.length, Math.floor(plotHeight / rowHeight));
    state.top = Math.max(0, Math.min(state.top, rows.length - fitting));
    const height = Math.max(rowHeight, fitting * rowHeight);
    geometry = { width, rowHeight, fitting, height };
    canvas.width = width + gutter;
    canvas.height = height + axisHeight;
    const c = canvas.getContext("2d");
    c.fillStyle = cssColour("ground");
    c.fillRect(0, 0, canvas.width, canvas.height);
    const image = c.createImageData(width, height);
    const painter = new RowPainter(width);
    const { table, ground } = colourTable();
    const scale = width / (state.to - state.from);
    const each = exact() ? events.eachCall : events.eachShare;
    for (let i = 0; i < fitting; ++i) {
      const row = rows[state.top + i];
      painter.clear();
      for (const rank of row.ranks) {
        each(rank, state.from, state.to, (from, to, what, fn, share = 1) =>
          painter.span((from - state.from) * scale, (to - state.from) * scale, table[what][Math.min(fn + 1, data.functions.length)], share));
      }
      painter.put(image, i * rowHeight, rowHeight > 4 ? rowHeight - 1 : rowHeight, ground, row.ranks.length);
    }
    c.putImageData(image, gutter, axisHeight);
    drawAxis(c);
    drawRows(c);
    drawSelection(c);
    describe();
  }
  function drawAxis(c) {
    const { ticks, round } = timeTicks(state.from, state.to, geometry.width / 110);
    c.font = "11px system-ui, sans-serif";
    c.textAlign = "center";
    for (const time of ticks) {
      const x = gutter + ((time - state.from) / (state.to - state.from)) * geometry.width;
      c.fillStyle = cssColour("line");
      c.fillRect(x, axisHeight - 5, 1, 5);
      c.fillStyle = cssColour("text");
      if (x > gutter + 24 && x < canvas.width - 24) c.fillText(tickTime(time, round), x, 13);
    }
  }
  // Names of rows where there is room; nodes and packages as brackets.
  function drawRows(c) {
    c.textAlign = "right";
    const level = state.group === "rank" ? "Machine" : "";
    let last = null, lastLabel = -100;
    for (let i = 0; i < geometry.fitting; ++i) {
      const row = rows[state.top + i], y = axisHeight + i * geometry.rowHeight;
      c.fillStyle = cssColour("text");
      if (y - lastLabel >= 12 && (geometry.rowHeight >= 10 || state.group !== "rank")) {
        c.fillText(row.name.length > 14 ? `...${row.name.slice(-12)}` : row.name, gutter - 8, y + Math.min(geometry.rowHeight, 14) - 2);
        lastLabel = y;
      }
      const above = level ? tree.above(row.entry, level) : -1;
      if (above < 0 || above === last) continue;
      last = above;
      c.fillStyle = cssColour("faint");
      c.fillRect(geometry.rowHeight >= 10 ? 0 : gutter - 60, y, geometry.rowHeight >= 10 ? gutter : 60, 1);
      if (geometry.rowHeight < 10 && y - lastLabel >= 12) {
        c.fillText(tree.label(above), gutter - 8, y + 11);
        lastLabel = y;
      }
    }
  }
  function drawSelection(c) {
    const y = axisHeight + (state.row - state.top) * geometry.rowHeight;
    c.strokeStyle = cssColour("focus");
    c.lineWidth = 2;
    if (state.row >= state.top && state.row < state.top + geometry.fitting) {
      c.strokeRect(gutter - 3, y - 1, 2, Math.max(3, geometry.rowHeight));
      if (state.selected) {
        const x = (time) => gutter + ((Math.min(Math.max(time, state.from), state.to) - state.from) / (state.to - state.from)) * geometry.width;
        c.strokeRect(x(state.selected.from), y - 1, Math.max(2, x(state.selected.to) - x(state.selected.from)), geometry.rowHeight + 1);
      }
    }
  }
  function later() {
    if (drawnLater) return;
    drawnLater = true;
    requestAnimationFrame(draw);
  }

  // --- words ---
  function describe() {
    const shownRows = geometry.fitting < rows.length ? `rows ${state.top + 1} to ${state.top + geometry.fitting} of ${rows.length}` : plural(rows.length, "row");
    canvas.setAttribute("aria-label", `Timeline from ${withUnit(state.from, "s", 6)} to ${withUnit(state.to, "s", 6)}, ${shownRows}.`);
    canvas.dataset.from = state.from;
    canvas.dataset.to = state.to;
    canvas.dataset.rows = rows.length;
    const window_ = data.calls.left_out ? `${withUnit(data.calls.from_s, "s")} to ${withUnit(data.calls.to_s, "s")}` : "";
    note.textContent = `${withUnit(state.from, "s", 6)} to ${withUnit(state.to, "s", 6)}, ${shownRows}. ` + (exact() ? "Every call is here. " :
      `Shown are the shares of the states in columns of ${withUnit(data.end_s / data.shares.columns, "s", 3)}, each under the function that takes ` +
      `most of it: the run has too many calls for a page. Every call is here from ${window_}. `) +
      (pauses ? `The run pauses for most of its ${withUnit(whole, "s")}, and works in ${plural(parts.length, "part")}. ` : "") +
      (geometry.fitting < rows.length ? "Page up and page down show other rows." : "");
    const states = [["computing", "computing"], ["communicating", "communicating"], ["waiting", "waiting for a late rank"]];
    const entries = state.colourBy === "state" ? states.map(([n, text]) => [cssColour(n), text])
      : [[cssColour("computing"), "computing"], [cssColour("waiting"), "waiting"],
        ...busiest.slice(0, 6).map((fn) => [colourOfFunction(fn), data.functions[fn]]), ...(busiest.length > 6 ? [[cssColour("faint"), "other functions"]] : [])];
    keys.replaceChildren(legend(entries));
  }
  function textAt(row, time) {
    const rank = row.ranks[0];
    if (row.ranks.length > 1 || !events.isWhole(time, time)) return `${row.name} at ${withUnit(time, "s", 6)}: ${sharesAt(row, time)}`;
    if (time > data.times.end[rank]) return `${row.name} at ${withUnit(time, "s", 6)}: ended at ${withUnit(data.times.end[rank], "s", 6)}`;
    const call = events.callAt(rank, time);
    return call < 0 ? `${row.name} at ${withUnit(time, "s", 6)}: computing` : callText(rank, call);
  }
  function callText(rank, call) {
    const { calls } = events;
    const length = calls.to[call] - calls.from[call];
    let text = `rank ${rank}, ${data.functions[calls.fn[call]]}: ${withUnit(length, "s")}, from ${withUnit(calls.from[call], "s", 6)} to ${withUnit(calls.to[call], "s", 6)}`;
    const waits = [];
    for (let w = calls.waitFirst[call]; w < calls.waitFirst[call + 1]; ++w)
      waits.push(`${withUnit(calls.waitTo[w] - calls.waitFrom[w], "s")} ${calls.waitFor[w] < 0 ? "(for which rank is not known)" : `for rank ${calls.waitFor[w]}`}`);
    if (waits.length > 0) text += `\nwaits ${waits.slice(0, 4).join(", ")}${waits.length > 4 ? ` and ${waits.length - 4} times more` : ""}`;
    return text;
  }
  function sharesAt(row, time) {
    const sums = [0, 0, 0];
    const width = data.shares ? data.end_s / data.shares.columns : (state.to - state.from) / geometry.width;
    const from = Math.floor(time / width) * width;
    const each = events.isWhole(from, from + width) ? events.eachCall : events.eachShare;
    for (const rank of row.ranks) each(rank, from, from + width, (a, b, what, fn, share = 1) => { sums[what] += ((b - a) / width) * share / row.ranks.length; });
    return sums.map((share, what) => `${stateNames[what]} ${percent(share)}`).join(", ");
  }

  // --- moving ---
  function view(from, to) {
    const length = Math.min(whole, Math.max(to - from, whole * 1e-12));
    state.from = Math.min(Math.max(0, from), whole - length);
    state.to = state.from + length;
    later();
  }
  function zoom(factor, around = (state.from + state.to) / 2) {
    view(around - (around - state.from) * factor, around + (state.to - around) * factor);
  }
  const pan = (share) => view(state.from + (state.to - state.from) * share, state.to + (state.to - state.from) * share);
  function scroll(by) {
    state.top += by;
    later();
  }
  function chooseRow(row) {
    state.row = Math.max(0, Math.min(rows.length - 1, row));
    if (state.row < state.top) state.top = state.row;
    if (state.row >= state.top + geometry.fitting) state.top = state.row - geometry.fitting + 1;
    state.selected = null;
    later();
    info.textContent = `${rows[state.row].name} (${tree.path(rows[state.row].entry)})`;
  }
  function select(row, rank, call) {
    const { calls } = events;
    state.row = row;
    if (row < state.top || row >= state.top + geometry.fitting) state.top = row - Math.floor(geometry.fitting / 2);
    state.selected = { from: calls.from[call], to: calls.to[call] };
    const length = state.selected.to - state.selected.from;
    if (state.selected.from < state.from || state.selected.to > state.to) {
      const half = Math.max((state.to - state.from) / 2, length);
      view(state.selected.from + length / 2 - half, state.selected.from + length / 2 + half);
    }
    info.textContent = callText(rank, call);
    later();
  }
  // The next or previous call of the row that is chosen, of the functions that are shown.
  function step(direction) {
    const rank = rows[state.row]?.ranks[0];
    if (rank === undefined) return;
    const { calls } = events;
    let call = events.callAfter(rank, state.selected ? state.selected.from : state.from);
    if (state.selected) call += direction;
    while (call >= calls.first[rank] && call < calls.first[rank + 1] && !matches(calls.fn[call])) call += direction;
    if (call >= calls.first[rank] && call < calls.first[rank + 1]) select(state.row, rank, call);
  }

  // --- search: "rank 17", or a part of a function's name; the longest calls first ---
  let hits = [], hit = -1;
  function search(text) {
    const rank = text.trim().match(/^rank\s*(\d+)$/i);
    state.find = rank ? "" : text.trim().toLowerCase();
    hits = [];
    hit = -1;
    if (rank) {
      const row = rows.findIndex((r) => r.ranks.includes(Number(rank[1])));
      found.textContent = row < 0 ? `no rank ${rank[1]} is shown` : `rank ${rank[1]}`;
      if (row >= 0) chooseRow(row);
    } else if (state.find !== "") {
      rows.forEach((row, at) => {
        for (const r of row.ranks) for (let c = events.calls.first[r]; c < events.calls.first[r + 1]; ++c)
          if (matches(events.calls.fn[c])) hits.push([at, r, c]);
      });
      const length = (h) => events.calls.to[h[2]] - events.calls.from[h[2]];
      hits.sort((a, b) => length(b) - length(a));
      found.textContent = hits.length === 0 ? "nothing found" : `${plural(hits.length, "call")} found`;
    } else found.textContent = "";
    later();
  }
  function nextHit(direction) {
    if (hits.length === 0) return;
    hit = (hit + direction + hits.length) % hits.length;
    found.textContent = `${counted(hit + 1)} of ${plural(hits.length, "call")}, the longest first`;
    select(...hits[hit]);
  }

  // --- the longest calls, as a table ---
  function longestTable() {
    const { calls } = events, all = [];
    for (const row of rows) for (const rank of row.ranks)
      for (let c = events.callAfter(rank, state.from); c < calls.first[rank + 1] && calls.from[c] < state.to; ++c)
        if (matches(calls.fn[c])) all.push([rank, c]);
    const length = (c) => calls.to[c] - calls.from[c];
    const waits = (c) => {
      let sum = 0;
      for (let w = calls.waitFirst[c]; w < calls.waitFirst[c + 1]; ++w) sum += calls.waitTo[w] - calls.waitFrom[w];
      return sum;
    };
    all.sort((a, b) => length(b[1]) - length(a[1]));
    return sortableTable({
      caption: `The longest ${Math.min(200, all.length)} of ${plural(all.length, "call")} in view`,
      columns: [
        { heading: "rank", number: true, value: (r) => r[0] },
        { heading: "function", value: (r) => data.functions[calls.fn[r[1]]] },
        { heading: "from", number: true, value: (r) => calls.from[r[1]], text: (r) => withUnit(calls.from[r[1]], "s", 6) },
        { heading: "takes", number: true, value: (r) => length(r[1]), text: (r) => withUnit(length(r[1]), "s") },
        { heading: "waiting", number: true, value: (r) => waits(r[1]), text: (r) => withUnit(waits(r[1]), "s") },
      ],
      rows: all.slice(0, 200),
    });
  }

  // --- events of the browser ---
  const timeAt = (event) => {
    const box = canvas.getBoundingClientRect(), x = ((event.clientX - box.left) * canvas.width) / box.width;
    return state.from + ((x - gutter) / geometry.width) * (state.to - state.from);
  };
  const rowAt = (event) => {
    const box = canvas.getBoundingClientRect(), y = ((event.clientY - box.top) * canvas.height) / box.height;
    return state.top + Math.floor((y - axisHeight) / geometry.rowHeight);
  };
  let dragged = null;
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    if (event.shiftKey) pan(Math.sign(event.deltaY || event.deltaX) * 0.2);
    else zoom(event.deltaY > 0 ? 1.25 : 0.8, timeAt(event));
  }, { passive: false });
  canvas.addEventListener("pointerdown", (event) => { dragged = { x: event.clientX, from: state.from, to: state.to, moved: false }; });
  canvas.addEventListener("pointermove", (event) => {
    if (dragged && event.buttons === 1) {
      const by = ((dragged.x - event.clientX) / geometry.width) * (dragged.to - dragged.from);
      if (Math.abs(dragged.x - event.clientX) > 3) dragged.moved = true;
      if (dragged.moved) view(dragged.from + by, dragged.to + by);
      return;
    }
    const row = rows[rowAt(event)], time = timeAt(event);
    if (row && time >= state.from && time <= state.to) info.textContent = textAt(row, time);
  });
  canvas.addEventListener("pointerup", (event) => {
    const row = rowAt(event), time = timeAt(event);
    if (dragged && !dragged.moved && rows[row] && time >= state.from) {
      chooseRow(row);
      info.textContent = textAt(rows[row], time);
      const call = rows[row].ranks.length === 1 ? events.callAt(rows[row].ranks[0], time) : -1;
      if (call >= 0) select(row, rows[row].ranks[0], call);
    }
    dragged = null;
  });
  canvas.addEventListener("dblclick", (event) => zoom(0.25, timeAt(event)));
  const pressed = {
    "+": () => zoom(0.5), "=": () => zoom(0.5), "-": () => zoom(2), ArrowLeft: () => pan(-0.25), ArrowRight: () => pan(0.25),
    Home: () => view(0, whole), ArrowUp: () => chooseRow(state.row - 1), ArrowDown: () => chooseRow(state.row + 1),
    PageUp: () => scroll(-geometry.fitting), PageDown: () => scroll(geometry.fitting),
    n: () => step(1), p: () => step(-1),
    Enter: () => { if (state.selected) view(state.selected.from - (state.selected.to - state.selected.from), state.selected.to + (state.selected.to - state.selected.from)); },
  };
  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !pressed[event.key]) return;
    pressed[event.key]();
    event.preventDefault();
  });

  // --- the section ---
  const ranksInput = element("input", { type: "text", size: 12, placeholder: "0-63, 128", id: "timeline-ranks", onchange: () => {
    const chosen = ranksOf(ranksInput.value, point.ranks);
    ranksInput.setAttribute("aria-invalid", chosen === undefined);
    if (chosen === undefined) { found.textContent = `ranks are numbers from 0 to ${point.ranks - 1}: 0-3, 8`; return; }
    state.ranks = chosen;
    found.textContent = "";
    makeRows();
    later();
  } });
  const findInput = element("input", { type: "search", size: 16, placeholder: "Allreduce, rank 17", id: "timeline-find",
    oninput: () => search(findInput.value),
    onkeydown: (event) => { if (event.key === "Enter") { nextHit(event.shiftKey ? -1 : 1); event.preventDefault(); } } });
  const functions = [["", "all"], ...data.sums.map((s) => [s.call, s.call])];
  const groups = [["rank", "rank"], ...levels.map((name) => [name, levelText(name)])];
  const buttons = [button("Zoom in", () => zoom(0.5)), button("Zoom out", () => zoom(2)), button("Earlier", () => pan(-0.5)),
    button("Later", () => pan(0.5)), button("Whole run", () => view(0, whole))];
  if (pauses) {
    buttons.push(button("Next part", () => {
      part = (part + 1) % parts.length;
      view(parts[part].from, parts[part].to);
    }));
  }
  if (data.calls.left_out) buttons.push(button("Where every call is", () => view(data.calls.from_s, data.calls.to_s)));
  const filters = [
    choice("Rows", groups, "rank", (v) => { state.group = v; makeRows(); later(); }),
    choice("Colour", [["state", "by state"], ["function", "by function"]], "state", (v) => { state.colourBy = v; later(); }),
    choice("Function", functions, "", (v) => { state.fn = v; later(); }),
    element("label", {}, "Ranks ", ranksInput), element("label", {}, "Find ", findInput),
    button("Previous", () => nextHit(-1)), button("Next", () => nextHit(1)), found,
  ];
  filters[2].querySelector("select").id = "timeline-function";
  makeRows();
  onColours(later);
  new ResizeObserver(() => { if (holder.isConnected) later(); }).observe(holder);
  later();
  const table = element("details", {}, element("summary", {}, "The longest calls in view, as a table"), listed);
  table.addEventListener("toggle", () => { if (table.open) listed.replaceChildren(longestTable()); });
  return [
    element("div", { class: "controls", role: "group", "aria-label": "Zoom" }, ...buttons),
    element("div", { class: "controls", role: "group", "aria-label": "Filter and search" }, ...filters),
    keys, holder, note, info,
    element("p", { class: "faint", id: "timeline-keys" }, "Wheel: zoom; with Shift: move. Drag: move. Keys: + and - zoom, left and right move, up and " +
      "down choose a row, n and p go to its next and previous call, Enter enlarges that, Home shows the whole run, page up and page down " +
      "other rows."),
    table,
  ];
}
