// SPDX-License-Identifier: LGPL-2.1-only
// The machine's figures, each with its source.

function figuresOf(costs) {
  const rows = [];
  const walk = (name, value) => {
    if (value === null || typeof value !== "object") return;
    if ("source" in value && "si" in value) rows.push({ name, ...value });
    else if (Array.isArray(value)) value.forEach((v, i) => walk(`${name}, ${v.level ? levelText(v.level) : i + 1}`, v));
    else for (const [key, v] of Object.entries(value)) walk(name ? `${name}, ${key.replaceAll("_", " ")}` : key.replaceAll("_", " "), v);
  };
  walk("", costs);
  return rows;
}

function sourcesSection(run) {
  const machine = run.machine;
  const content = [];
  if (machine.description) content.push(paragraph(machine.description));
  if (machine.source) content.push(paragraph(`Source of the machine: ${machine.source}`));
  content.push(sortableTable({
    caption: `Figures of ${machine.name}`,
    columns: [
      { heading: "figure", value: (f) => f.name },
      { heading: "value", number: true, value: (f) => f.si, text: (f) => `${f.value} ${f.unit}` },
      { heading: "source", value: (f) => f.source },
    ],
    rows: figuresOf(machine.costs),
  }));
  return content;
}

function againSection(run, page) {
  const content = [paragraph("The run:"), element("pre", { tabindex: "0" }, run.command || "(not recorded)")];
  if (page.command) content.push(paragraph("This page:"), element("pre", { tabindex: "0" }, page.command));
  return content;
}
