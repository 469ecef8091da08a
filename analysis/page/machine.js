// SPDX-License-Identifier: LGPL-2.1-only
// The machine as a tree of boxes, the network on top and cores below. The strip at the bottom of a box is the link from it
// up (left half) and the one down to it (right half), coloured by use. Pointing at a box, or moving to it by the arrow
// keys, says what these carried.

const boxHeight = 36, stripHeight = 14, narrowestLabel = 26, narrowestBox = 2.5;
const useSteps = [0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75];  // of the capacity; a colour from each on

function useColour(share) {
  if (!(share > 0)) return cssColour("none");
  let step = 0;
  while (step + 1 < useSteps.length && share >= useSteps[step + 1]) ++step;
  return heatColour((step + 0.5) / useSteps.length);
}

// The bytes that links carried, by entry of the machine.
function linkUse(point) {
  const use = new Map();
  const links = point?.links;
  if (!links) return { of: () => null, any: false };
  links.entry.forEach((entry, i) => use.set(entry, i));
  const samples = point.samples;
  const sampled = new Map();
  for (const s of samples?.links ?? []) sampled.set(`${s.entry} ${s.direction}`, new Map(s.at.map((at, k) => [at, s.bytes[k]])));
  const period = (at) => samples.until_s[at] - (at > 0 ? samples.until_s[at - 1] : 0);
  function of(entry, at = -1) {
    if (!use.has(entry)) return null;
    const i = use.get(entry), kind = links.kinds[links.kind[i]];
    const way = (direction) => {
      const column = links[direction];
      if (at < 0) return { bytes: column.bytes[i], messages: column.messages[i], share: column.utilisation[i] };
      const bytes = sampled.get(`${entry} ${direction}`)?.get(at) ?? 0;
      return { bytes, messages: null, share: bytes / (kind.capacity_bytes_per_s * period(at)) };
    };
    return { level: kind.level, capacity: kind.capacity_bytes_per_s, up: way("up"), down: way("down") };
  }
  return { of, any: true, sampled, period };
}

function machineText(tree, use, v, at) {
  const below = tree.cores[v], lines = [`${tree.path(v)}: ${plural(below, "core")}${below === 1 ? "" : " below"}`];
  const link = use.of(v, at);
  if (!link) lines.push(v === 0 ? "the top: it has no link" : use.any ? "it has no link of its own" : "no traffic was kept");
  else {
    lines[0] += `, link ${tree.linkName(v)}, ${withUnit(link.capacity, "B/s", 3)} each way (${link.level})`;
    for (const direction of ["up", "down"]) {
      const way = link[direction];
      const messages = way.messages === null ? "" : `, ${plural(way.messages, "message")}`;
      lines.push(`${direction}: ${withUnit(way.bytes, "B")}${messages}, ${percent(way.share)} of its capacity`);
    }
  }
  return lines.join("\n");
}

function svgElement(name, attributes, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

// The boxes below `root` in `width` pixels: {v, x, w, row, count}, neighbours that are too narrow in one.
function boxes(tree, root, width) {
  const all = [];
  const unit = width / tree.cores[root];
  let level = [{ v: root, first: 0 }];
  for (let row = 0; level.length > 0; ++row) {
    const next = [];
    let last = null;
    for (const { v, first } of level) {
      const w = tree.cores[v] * unit, x = first * unit;
      if (w < narrowestBox && last && last.many && x + w - last.x < narrowestBox * 2) {
        last.w = x + w - last.x;
        last.members.push(v);
      } else {
        last = { v, x, w, row, members: [v], many: w < narrowestBox };
        all.push(last);
      }
      let at = first;
      for (const child of tree.children[v]) {
        next.push({ v: child, first: at });
        at += tree.cores[child];
      }
    }
    level = next;
  }
  return all;
}

function machineSection(run, point) {
  const tree = machineTree(run.machine);
  const use = linkUse(point);
  let root = 0, current = 0, at = -1;

  const svg = svgElement("svg", { tabindex: "0", role: "application", "aria-describedby": "machine-keys",
    "aria-label": "The machine. Arrow keys move, Enter enlarges, Escape goes back." });
  const drawing = element("div", { class: "drawing", id: "machine-drawing" });
  drawing.append(svg);
  const info = element("div", { class: "info", id: "machine-info", role: "status", "aria-live": "polite" });
  const overTime = element("div");
  let shownBoxes = [];

  function share(v) {
    const link = use.of(v, at);
    return link ? [link.up.share, link.down.share] : null;
  }
  function draw() {
    const width = Math.max(200, drawing.clientWidth || 1000);
    shownBoxes = boxes(tree, root, width);
    const rows = 1 + Math.max(...shownBoxes.map((b) => b.row));
    svg.setAttribute("viewBox", `0 0 ${width} ${rows * boxHeight}`);
    svg.setAttribute("height", rows * boxHeight);
    const parts = shownBoxes.map((box) => {
      const y = box.row * boxHeight, group = svgElement("g", { "data-entry": box.v });
      const w = Math.max(0.5, box.w - (box.w > 4 ? 1 : 0));
      const fill = cssColour("panel"), edge = cssColour("line");
      group.append(svgElement("rect", { x: box.x, y, width: w, height: boxHeight - 3, fill, stroke: box.w > 4 ? edge : "none", "stroke-width": 1 }));
      const shares = box.members.map(share).filter((s) => s !== null);
      if (shares.length > 0) {
        const up = Math.max(...shares.map((s) => s[0])), down = Math.max(...shares.map((s) => s[1]));
        const top = y + boxHeight - 3 - stripHeight, half = w / 2;
        const strips = box.w > 4 ? [[box.x, half, up], [box.x + half, half, down]] : [[box.x, w, Math.max(up, down)]];
        for (const [x, wide, value] of strips) group.append(svgElement("rect", { x, y: top, width: wide, height: stripHeight, fill: useColour(value) }));
      }
      const text = box.many ? "" : tree.label(box.v);
      const short = text.replace(/^.* (\d+)$/, "$1");
      const fits = (t) => box.w > Math.max(narrowestLabel * 0.5, t.length * 6.6 + 4);
      if (!box.many && (fits(text) || fits(short))) {
        const node = svgElement("text", { x: box.x + box.w / 2, y: y + 14, "text-anchor": "middle" });
        node.textContent = fits(text) ? text : short;
        group.append(node);
      }
      return group;
    });
    svg.replaceChildren(...parts);
    mark();
  }
  function mark() {
    svg.querySelector(".mark")?.remove();
    const box = shownBoxes.find((b) => b.members.includes(current));
    if (!box) return;
    svg.append(svgElement("rect", { class: "mark", x: box.x, y: box.row * boxHeight, width: Math.max(2, box.w - 1),
      height: boxHeight - 3, fill: "none", stroke: cssColour("focus"), "stroke-width": 3 }));
  }
  function show(v) {
    current = v;
    mark();
    info.textContent = machineText(tree, use, v, at);
    overTime.replaceChildren();
    const series = linkOverTime(v);
    if (series) overTime.append(series);
  }
  function linkOverTime(v) {
    if (!point?.samples || !use.of(v)) return null;
    const until = point.samples.until_s;
    const chart = {
      title: `Use of the link of ${tree.path(v)} over time`, name: "link", stacked: false, reference: null, cells: [],
      x: { label: "period, until", unit: "s", log: false, categories: until.map((t) => withUnit(t, "s")) },
      y: { label: "share of the capacity, %", unit: "", log: false, categories: [] },
      series: ["up", "down"].map((direction, i) => ({
        label: direction, colour: i, shape: i, line: true, marker: "none",
        points: until.map((_, k) => [k, use.of(v, k)[direction].share * 100]),
      })),
    };
    return element("figure", {}, element("figcaption", {}, chart.title), plot(() => chartOption(chart, null), "plot low"),
      lazyDetails("Numbers", () => chartTable(chart)));
  }
  function entryAt(event) {
    const group = event.target.closest("g[data-entry]");
    return group ? Number(group.dataset.entry) : -1;
  }
  function enlarge(v) {
    root = v;
    current = v;
    draw();
    show(v);
    back.disabled = root === 0;
  }
  const back = button("Whole machine", () => enlarge(0));
  back.disabled = true;
  const siblings = (v) => (v === root || v === 0 ? [v] : tree.children[run.machine.parent[v]]);
  const moves = {
    ArrowDown: () => tree.children[current][0] ?? current,
    ArrowUp: () => (current === root ? current : run.machine.parent[current]),
    ArrowRight: () => siblings(current)[siblings(current).indexOf(current) + 1] ?? current,
    ArrowLeft: () => siblings(current)[siblings(current).indexOf(current) - 1] ?? current,
  };
  svg.addEventListener("mousemove", (event) => { const v = entryAt(event); if (v >= 0 && v !== current) show(v); });
  svg.addEventListener("click", (event) => { const v = entryAt(event); if (v >= 0) enlarge(v === root ? 0 : v); });
  svg.addEventListener("focus", () => show(current));
  svg.addEventListener("keydown", (event) => {
    if (moves[event.key]) show(moves[event.key]());
    else if (event.key === "Enter") enlarge(current);
    else if (event.key === "Escape") enlarge(root === 0 ? 0 : run.machine.parent[root]);
    else return;
    event.preventDefault();
  });
  onColours(draw);
  new ResizeObserver(() => { if (drawing.isConnected) draw(); }).observe(drawing);

  // The first vertex of each depth names its row.
  const levels = [];
  for (let v = 0; v < tree.size; ++v) if (tree.depth[v] === levels.length) levels.push(run.machine.core[v] >= 0 ? "core" : levelText(tree.kind(v)));
  const content = [];
  if (run.machine.network) content.push(paragraph(`Network: ${run.machine.network}.`));
  if (run.machine.left_out > 0)
    content.push(paragraph(`${counted(run.machine.left_out)} parts of the machine on which no rank is are left out.`, "faint"));
  const controls = element("div", { class: "controls" }, back);
  if (point?.samples?.links.length > 0) {
    const periods = point.samples.until_s.length;
    const shown = element("output", {}, "whole run");
    const slider = element("input", { type: "range", min: -1, max: periods - 1, value: -1, "aria-label": "period of simulated time", oninput: () => {
      at = Number(slider.value);
      shown.textContent = at < 0 ? "whole run" : `until ${withUnit(point.samples.until_s[at], "s")}`;
      draw();
      show(current);
    } });
    controls.append(element("label", {}, "Time ", slider), shown);
  }
  content.push(controls);
  if (use.any) {
    content.push(legend([[cssColour("none"), "nothing"],
      ...useSteps.map((from, i) => [useColour(from), `${i === 0 ? "less than" : "from"} ${tickText((i === 0 ? useSteps[1] : from) * 100, "")} %`])]));
  }
  content.push(drawing, paragraph(`Rows from the top: ${levels.join(", ")}. Left half of a strip: the link up; right half: the link down. Point at a box, or move to it by the ` +
    "arrow keys; a press or Enter enlarges it, Escape goes back.", "faint"), info, overTime);
  content[content.length - 3].id = "machine-keys";
  content.push(...linkTables(point, tree, use));
  requestAnimationFrame(() => { draw(); show(0); });
  return content;
}

function acrossTitle(across) {
  const ports = across.filter((l) => l.level === "ports").length;
  if (ports === across.length) return "Ports of nodes";
  return ports > 0 ? "Links between routers, and ports of nodes" : "Links between routers";
}

function linkTables(point, tree, use) {
  const links = point?.links;
  if (!links) return [];
  const rows = links.entry.flatMap((entry) => ["up", "down"].map((direction) => ({ entry, direction, link: use.of(entry) })))
    .filter((row) => row.link[row.direction].bytes > 0)
    .sort((a, b) => b.link[b.direction].share - a.link[a.direction].share);
  const way = (row) => row.link[row.direction];
  const content = [
    sortableTable({
      caption: "Traffic by level: a message counts on each link of its way, with its envelope of 16 B",
      columns: [
        { heading: "level", value: (l) => l.level },
        { heading: "links", number: true, value: (l) => l.links },
        { heading: "used", number: true, value: (l) => l.used },
        { heading: "bytes over them", number: true, value: (l) => l.bytes, text: (l) => withUnit(l.bytes, "B") },
        { heading: "mean utilisation", number: true, value: (l) => l.mean_utilisation, text: (l) => percent(l.mean_utilisation) },
        { heading: "largest", number: true, value: (l) => l.largest_utilisation, text: (l) => percent(l.largest_utilisation) },
      ],
      rows: links.levels,
    }),
    lazyDetails(`All ${counted(rows.length)} links that carried anything`, () => sortableTable({
      caption: "Links of the tree, the fullest first",
      columns: [
        { heading: "link", value: (r) => tree.linkName(r.entry) },
        { heading: "level", value: (r) => r.link.level },
        { heading: "direction", value: (r) => r.direction },
        { heading: "capacity", number: true, value: (r) => r.link.capacity, text: (r) => withUnit(r.link.capacity, "B/s", 3) },
        { heading: "bytes", number: true, value: (r) => way(r).bytes, text: (r) => withUnit(way(r).bytes, "B") },
        { heading: "messages", number: true, value: (r) => way(r).messages, text: (r) => counted(way(r).messages) },
        { heading: "utilisation", number: true, value: (r) => way(r).share, text: (r) => percent(way(r).share) },
      ],
      rows,
    })),
  ];
  if (links.across.length > 0) {
    content.push(sortableTable({
      caption: `${acrossTitle(links.across)}${links.across_left_out > 0 ? `: the fullest; ${counted(links.across_left_out)} more are left out` : ""}`,
      columns: [
        { heading: "link", value: (l) => l.link },
        { heading: "kind", value: (l) => l.level },
        { heading: "direction", value: (l) => l.direction },
        { heading: "bytes", number: true, value: (l) => l.bytes, text: (l) => withUnit(l.bytes, "B") },
        { heading: "messages", number: true, value: (l) => l.messages, text: (l) => counted(l.messages) },
        { heading: "utilisation", number: true, value: (l) => l.utilisation, text: (l) => percent(l.utilisation) },
      ],
      rows: links.across,
    }));
  }
  if (point.samples) content.push(levelsOverTime(point.samples));
  return content;
}

function levelsOverTime(samples) {
  const chart = {
    title: "Bytes over the links of each level, in each period in which there are any", name: "levels", stacked: false, reference: null, cells: [],
    x: { label: "period, until", unit: "s", log: false, categories: samples.until_s.map((t) => withUnit(t, "s")) },
    y: { label: "bytes", unit: "B", log: false, categories: [] },
    series: samples.levels.map((l, i) => ({
      label: l.level, colour: i, shape: i, line: true, marker: "none", points: samples.until_s.map((_, k) => [k, l.bytes[k]]),
    })),
  };
  return chartFigure(chart);
}
