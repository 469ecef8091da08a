// SPDX-License-Identifier: LGPL-2.1-only
// Tables that are sorted by a press on a heading. A column is {heading, value(row), text(row), number}: rows are sorted
// by `value`, and shown as `text`. Long tables show their first rows until they are asked for all.

const rowsAtFirst = 20;

function compareValues(a, b) {
  const missing = (value) => value === null || value === undefined;
  if (missing(a) || missing(b)) return missing(a) - missing(b);
  return typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true });
}

function sortableTable({ caption, columns, rows, className = null, sorted = null }) {
  const body = element("tbody");
  const headings = columns.map((column, index) =>
    element("th", { scope: "col", class: column.number ? "number" : null },
      button(column.heading, () => sortBy(index))));
  const more = element("p");
  let order = rows.slice(), by = -1, down = false, all = rows.length <= rowsAtFirst;

  function fill() {
    const shown = all ? order : order.slice(0, rowsAtFirst);
    body.replaceChildren(...shown.map((row) =>
      element("tr", { class: className ? className(row) : null },
        ...columns.map((column) => element("td", { class: column.number ? "number" : null },
          column.text ? column.text(row) : String(column.value(row) ?? "-"))))));
    more.replaceChildren();
    if (!all) more.append(button(`Show all ${counted(rows.length)} rows`, () => { all = true; fill(); }));
  }
  function sortBy(index) {
    down = by === index ? !down : Boolean(columns[index].number);
    by = index;
    const value = columns[index].value;
    order = rows.slice().sort((a, b) => (down ? -1 : 1) * compareValues(value(a), value(b)));
    headings.forEach((heading, i) => {
      if (i === index) heading.setAttribute("aria-sort", down ? "descending" : "ascending");
      else heading.removeAttribute("aria-sort");
    });
    fill();
  }
  fill();
  if (sorted !== null) sortBy(sorted);
  const table = element("table", {}, element("caption", {}, caption), element("thead", {}, element("tr", {}, ...headings)), body);
  return element("div", {}, element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption }, table), more);
}

// A table as it is: headings and rows of texts; `numbers` says which columns are numbers.
function plainTable(caption, headings, rows, numbers) {
  const kind = (i) => (numbers[i] ? "number" : null);
  return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    element("table", {}, element("caption", {}, caption),
      element("thead", {}, element("tr", {}, ...headings.map((text, i) => element("th", { scope: "col", class: kind(i) }, text)))),
      element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map((text, i) => element("td", { class: kind(i) }, text)))))));
}
