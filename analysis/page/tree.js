// SPDX-License-Identifier: LGPL-2.1-only
// The machine's tree from its columns: children, depths, how many cores are below, names for people.

function machineTree(machine) {
  const size = machine.parent.length;
  const children = Array.from({ length: size }, () => []);
  const depth = new Int32Array(size), cores = new Int32Array(size);
  for (let v = 1; v < size; ++v) {
    children[machine.parent[v]].push(v);
    depth[v] = depth[machine.parent[v]] + 1;
  }
  for (let v = size - 1; v >= 0; --v) {
    if (children[v].length === 0) cores[v] = Math.max(1, cores[v]);
    if (v > 0) cores[machine.parent[v]] += cores[v];
  }
  const kind = (v) => machine.names[machine.name_of[v]];
  // "node 3", "Package 1", "core 17".
  function label(v) {
    if (v === 0) return kind(0);
    if (machine.core[v] >= 0) return `core ${machine.index[v]}`;
    return kind(v) === "Machine" ? `node ${machine.index[v]}` : `${kind(v)} ${machine.index[v]}`;
  }
  function path(v) {
    const names = [];
    for (let at = v; at > 0; at = machine.parent[at]) names.unshift(label(at));
    return names.join(", ") || kind(0);
  }
  function nodeOf(v) {
    while (v > 0 && kind(v) !== "Machine") v = machine.parent[v];
    return v;
  }
  // As links.csv calls the links above a vertex.
  function linkName(v) {
    const node = nodeOf(v);
    if (machine.core[v] >= 0) return `node${machine.index[node]}.core${machine.index[v]}`;
    if (kind(v) === "Machine") return `node${machine.index[v]}`;
    const own = `${kind(v)}#${machine.vertex[v]}`;
    return node > 0 ? `node${machine.index[node]}.${own}` : own;
  }
  // The vertex of that kind above v, or -1.
  function above(v, name) {
    while (v >= 0 && kind(v) !== name) v = machine.parent[v];
    return v;
  }
  return { machine, size, children, depth, cores, kind, label, path, linkName, above };
}

const levelText = (level) => (level === "Machine" ? "node" : level === "NUMANode" ? "NUMA node" : level === "Package" ? "package" : level);
