// SPDX-License-Identifier: LGPL-2.1-only
// Elements of the page. Text of the data only ever becomes text nodes and attributes, never HTML.

function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value === true) node.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(key, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

const paragraph = (text, kind = "") => element("p", { class: kind || null }, text);

// A choice with its label: options are [value, text].
function choice(label, options, chosen, changed) {
  const select = element("select", { onchange: () => changed(select.value) });
  for (const [value, text] of options)
    select.append(element("option", { value, selected: String(value) === String(chosen) }, text));
  return element("label", {}, `${label} `, select);
}

const button = (text, pressed, attributes = {}) => element("button", { type: "button", onclick: pressed, ...attributes }, text);

const details = (summary, ...content) => element("details", {}, element("summary", {}, summary), ...content);

// Content that is made when it is first opened.
function lazyDetails(summary, make) {
  const node = details(summary);
  node.addEventListener("toggle", () => { if (node.open && node.childElementCount === 1) node.append(make()); });
  return node;
}

function legend(entries) {
  return element("ul", { class: "legend" },
    ...entries.map(([colour, text]) =>
      element("li", {}, element("span", { class: "key", style: `background:${colour}` }), text)));
}
