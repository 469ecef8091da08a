// SPDX-License-Identifier: LGPL-2.1-only
// The page: which sections there are, for which run and which point of it.

const page = JSON.parse(document.getElementById("data").textContent);
let run = page.runs[0], point = run.points[0] ?? null;

function overviewSection() {
  const content = run.notes.map((note) => paragraph(note, "note"));
  if (run.failure) content.unshift(paragraph(`The simulation failed: ${run.failure}`, "note bad"));
  const list = element("table", {}, element("caption", {}, "The run"),
    element("tbody", {}, ...run.facts.map((f) => element("tr", {}, element("th", { scope: "row" }, f.name), element("td", {}, f.value)))));
  content.push(element("div", { class: "scroll" }, list));
  return content;
}

// A part of a point, or a line that says what to switch on.
function partOfPoint(part, make) {
  if (point?.[part]) return make();
  const absent = point?.absent.find((a) => a.part === part);
  const content = [paragraph(absent ? `Nothing to show: ${absent.why}. To see it:` : "Nothing to show: no point's traffic or events were kept. To see them:", "note")];
  content.push(element("pre", { tabindex: "0" }, absent?.remedy || run.remedy_points));
  return content;
}

function sections() {
  const study = run.kind === "study";
  return [
    ["overview", "Overview", true, () => overviewSection()],
    ["beside", "Runs side by side", page.runs.length > 1, () => besideSection(page.runs)],
    ["results", "Results", study, () => resultsSection(run)],
    ["models", "Cross-check against models", run.models.length > 0, () => modelsSection(run)],
    ["claims", "Claims", run.claims.length > 0, () => claimsSection(run)],
    ["machine", "Machine and links", true, () => machineSection(run, point)],
    ["timeline", "Timeline", true, () => partOfPoint("timeline", () => timelineSection(run, point))],
    ["matrix", "Communication matrix", true, () => partOfPoint("matrix", () => matrixSection(run, point))],
    ["calls", "Calls", Boolean(run.calls || point?.timeline), () => callsSection(run, point)],
    ["path", "What decides the time", Boolean(point?.path), () => pathSection(run, point)],
    ["sources", "The machine's figures", true, () => sourcesSection(run)],
    ["again", "How to make it again", true, () => againSection(run, page)],
  ];
}

function drawSections() {
  forgetDrawings();
  const main = document.getElementById("main"), contents = document.getElementById("contents");
  const shown = sections().filter(([, , there]) => there);
  contents.replaceChildren(...shown.map(([id, title]) => element("a", { href: `#${id}` }, title)));
  main.replaceChildren();
  for (const [id, title, , make] of shown) {
    const section = element("section", { id, "aria-labelledby": `${id}-title` }, element("h2", { id: `${id}-title` }, title));
    main.append(section);
    section.append(...make());
  }
}

function drawChoices() {
  const chosen = document.getElementById("chosen"), choices = [];
  if (page.runs.length > 1) {
    choices.push(choice("Run", page.runs.map((r, i) => [i, r.name]), page.runs.indexOf(run), (i) => {
      run = page.runs[i];
      point = run.points[0] ?? null;
      drawAll();
    }));
  }
  if (run.points.length > 1) {
    choices.push(choice("Point", run.points.map((p, i) => [i, p.name]), run.points.indexOf(point), (i) => {
      point = run.points[i];
      drawSections();
    }));
  }
  if (run.points_left_out.length > 0) {
    const numbers = run.points_left_out.map((p) => p.number).join(", ");
    choices.push(element("span", { class: "faint" }, `Left out for lack of room: points ${numbers}; strata report ${run.folder} --report FILE --point N shows one.`));
  }
  chosen.hidden = choices.length === 0;
  chosen.replaceChildren(...choices);
}

function drawAll() {
  drawChoices();
  drawSections();
}

document.getElementById("title").textContent = page.title;
document.getElementById("chosen").addEventListener("submit", (event) => event.preventDefault());
startTheme();
drawAll();
