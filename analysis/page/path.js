// SPDX-License-Identifier: LGPL-2.1-only
// The section on what decides the time: the critical path and its shares, late ranks, phases.

const pathText = { computing: "computing", mpi: "in MPI", latency: "latency", transfer: "transfer", contention: "contention",
  message: "messages", waiting: "waiting" };

function pathColours(kinds) {
  const own = { computing: cssColour("computing"), waiting: cssColour("waiting") };
  const others = kinds.filter((k) => !own[k]);
  return kinds.map((k) => own[k] ?? seriesColour([0, 5, 2, 1, 3][others.indexOf(k) % 5]));
}

const sumOf = (values) => values.reduce((a, b) => a + b, 0);

function pathSection(run, point) {
  const path = point.path;
  const shares = path.whole.map((seconds, k) => ({ kind: path.kinds[k], seconds })).filter((s) => s.seconds > 0).sort((a, b) => b.seconds - a.seconds);
  const bar = element("div", { class: "bar", role: "img", "aria-label": shares.map((s) => `${pathText[s.kind]} ${percent(s.seconds / path.seconds)}`).join(", ") });
  const key = element("div");
  const paint = () => {
    const colours = pathColours(path.kinds);
    bar.replaceChildren(...shares.map((s) => element("div", { style: `flex:${s.seconds / path.seconds} 0 0;background:${colours[path.kinds.indexOf(s.kind)]}`,
      title: `${pathText[s.kind]}: ${withUnit(s.seconds, "s")}` })));
    key.replaceChildren(legend(shares.map((s) => [colours[path.kinds.indexOf(s.kind)], `${pathText[s.kind]} ${percent(s.seconds / path.seconds)} (${withUnit(s.seconds, "s")})`])));
  };
  paint();
  onColours(paint);
  const content = [
    paragraph(`The chain of work and messages that decides the simulated time, ${withUnit(path.seconds, "s", 6)}. It ends with rank ` +
      `${path.last_rank}, and goes over ${plural(path.messages, "message")}. Faster work off this chain alone does not shorten the run.`),
    bar, key,
  ];
  for (const [name, rows] of [["rank", path.by_rank], ["function", path.by_function], ["level", path.by_level]])
    if (rows.length > 0) content.push(sharesTable(`The path by ${name}`, name, rows, path));
  content.push(lazyDetails("The path, piece by piece", () => piecesTable(path)));
  content.push(...lateTables(path.late), ...phaseTables(path.phases));
  return content;
}

function sharesTable(caption, name, rows, path) {
  const used = path.kinds.map((_, k) => k).filter((k) => rows.some((r) => r.seconds[k] > 0));
  return sortableTable({
    caption,
    columns: [
      { heading: name, value: (r) => levelText(r.name) },
      { heading: "time", number: true, value: (r) => sumOf(r.seconds), text: (r) => withUnit(sumOf(r.seconds), "s") },
      { heading: "share", number: true, value: (r) => sumOf(r.seconds), text: (r) => percent(sumOf(r.seconds) / path.seconds) },
      ...used.map((k) => ({ heading: pathText[path.kinds[k]], number: true, value: (r) => r.seconds[k], text: (r) => withUnit(r.seconds[k], "s") })),
      { heading: "messages", number: true, value: (r) => r.messages, text: (r) => counted(r.messages) },
    ],
    rows,
  });
}

function piecesTable(path) {
  const left = path.pieces_left_out > 0 ? `; the ${counted(path.pieces_left_out)} shortest are left out` : "";
  return sortableTable({
    caption: `Pieces of the path in the order of time${left}`,
    columns: [
      { heading: "from", number: true, value: (p) => p.from, text: (p) => withUnit(p.from, "s", 6) },
      { heading: "takes", number: true, value: (p) => p.to - p.from, text: (p) => withUnit(p.to - p.from, "s") },
      { heading: "kind", value: (p) => pathText[p.kind] },
      { heading: "rank", number: true, value: (p) => p.rank },
      { heading: "function", value: (p) => p.call },
      { heading: "message", value: (p) => (p.sender < 0 ? "" : `${p.sender} to ${p.receiver}, ${withUnit(p.bytes, "B")}`) },
      { heading: "level", value: (p) => (p.level ? levelText(p.level) : "") },
    ],
    rows: path.pieces,
  });
}

function lateTables(late) {
  const seconds = [
    { heading: "times", number: true, value: (p) => p.count, text: (p) => counted(p.count) },
    { heading: "waiting", number: true, value: (p) => p.seconds, text: (p) => withUnit(p.seconds, "s") },
    { heading: "longest", number: true, value: (p) => p.longest, text: (p) => withUnit(p.longest, "s") },
  ];
  const content = [element("h3", {}, "Late ranks")];
  const pairs = (caption, rows) => sortableTable({
    caption,
    columns: [{ heading: "late rank", number: true, value: (p) => p.late }, { heading: "rank that waits", number: true, value: (p) => p.waits }, ...seconds],
    rows,
  });
  content.push(paragraph(`Waiting, summed over the ranks: ${withUnit(late.sender_seconds, "s")} for late senders, ` +
    `${withUnit(late.receiver_seconds, "s")} for late receivers, ${withUnit(late.barrier_seconds, "s")} at barriers, ` +
    `${withUnit(late.unknown_seconds, "s")} without a message.`));
  if (late.senders.length > 0) content.push(pairs("Late senders: the receiver waits until the message begins to flow", late.senders));
  if (late.receivers.length > 0) content.push(pairs("Late receivers: the sender waits until the receiver is ready", late.receivers));
  if (late.barriers.length > 0) content.push(sortableTable({
    caption: "Last at barriers", columns: [{ heading: "last rank", number: true, value: (b) => b.last }, ...seconds], rows: late.barriers }));
  if (late.left_out > 0) content.push(paragraph(`${counted(late.left_out)} pairs that wait less are left out.`, "faint"));
  return content;
}

function phaseTables(phases) {
  if (phases.length === 0) return [];
  const spread = (part, name) => [
    { heading: `${name}, mean`, number: true, value: (p) => p[part].mean, text: (p) => withUnit(p[part].mean, "s") },
    { heading: "most", number: true, value: (p) => p[part].most, text: (p) => `${withUnit(p[part].most, "s")} (rank ${p[part].most_rank})` },
    { heading: "imbalance", number: true, value: (p) => p[part].imbalance, text: (p) => percent(p[part].imbalance) },
  ];
  return [element("h3", {}, "Phases"), sortableTable({
    caption: "How even the ranks are: the imbalance is the largest over the mean, less 1",
    columns: [{ heading: "phase", value: (p) => p.name || "whole run" }, { heading: "ranks", number: true, value: (p) => p.ranks },
      ...spread("seconds", "time"), ...spread("computing", "computing"), ...spread("waiting", "waiting")],
    rows: phases,
  })];
}
