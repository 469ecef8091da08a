// SPDX-License-Identifier: LGPL-2.1-only
// The machine's tree in the page, on random trees: cores below a vertex, names, levels above, boxes, groups of a matrix's rows;
// and the figures with their sources.
import assert from "node:assert/strict";
import test from "node:test";
import { load, plain, randomFrom } from "./load.mjs";

const { bandsOf, boxes, figuresOf, linkUse, machineTree } = load(["numbers", "tree", "sources", "machine", "matrix"],
  ["bandsOf", "boxes", "figuresOf", "linkUse", "machineTree"], { document: {} });

// Nodes of packages of cores, of random numbers.
function machineOf(random) {
  const machine = { names: ["Cluster", "Machine", "Package", "Core"], parent: [-1], name_of: [0], index: [0], core: [-1], vertex: [0] };
  const add = (parent, kind, index, core) => {
    machine.parent.push(parent);
    machine.name_of.push(kind);
    machine.index.push(index);
    machine.core.push(core);
    machine.vertex.push(machine.parent.length - 1);
    return machine.parent.length - 1;
  };
  const nodes = [];
  for (let n = 0; n <= random(4); ++n) nodes.push(add(0, 1, n, -1));
  const packages = nodes.flatMap((node) => Array.from({ length: 1 + random(3) }, (_, p) => add(node, 2, p, -1)));
  let cores = 0;
  for (const p of packages) for (let c = 0; c <= random(4); ++c) add(p, 3, c, cores++);
  return machine;
}

test("cores below, names, levels above", () => {
  const random = randomFrom(3);
  for (let i = 0; i < 100; ++i) {
    const machine = machineOf(random), tree = machineTree(machine);
    const below = (v) => (machine.core[v] >= 0 ? 1 : machine.parent.reduce((sum, p, child) => sum + (p === v ? below(child) : 0), 0));
    for (let v = 0; v < tree.size; ++v) {
      assert.equal(tree.cores[v], below(v));
      let level = 0, node = v;
      for (let at = v; at > 0; at = machine.parent[at]) ++level;
      assert.equal(tree.depth[v], level);
      while (node > 0 && machine.name_of[node] !== 1) node = machine.parent[node];
      assert.equal(tree.above(v, "Machine"), node > 0 ? node : -1);
      if (machine.core[v] < 0) continue;
      const p = machine.parent[v], n = machine.parent[p];
      assert.equal(tree.path(v), `node ${machine.index[n]}, Package ${machine.index[p]}, core ${machine.index[v]}`);
      assert.equal(tree.linkName(v), `node${machine.index[n]}.core${machine.index[v]}`);
      assert.equal(tree.linkName(p), `node${machine.index[n]}.Package#${p}`);
    }
  }
});

test("boxes of a level tile the width", () => {
  const random = randomFrom(4);
  for (let i = 0; i < 100; ++i) {
    const tree = machineTree(machineOf(random)), width = 1 + random(400), rows = new Map();
    for (const box of boxes(tree, 0, width)) {
      rows.set(box.row, [...(rows.get(box.row) ?? []), box]);
      for (const v of box.members) assert.equal(tree.depth[v], box.row);
    }
    for (const [row, all] of rows) {
      const shown = all.flatMap((box) => plain(box.members));
      assert.deepEqual(shown.toSorted((a, b) => a - b), [...tree.depth.keys()].filter((v) => tree.depth[v] === row));
      let x = 0;
      for (const box of all) {
        assert.ok(Math.abs(box.x - x) < 1e-9 * width);
        x = box.x + box.w;
      }
      assert.ok(Math.abs(x - width) < 1e-9 * width);
    }
  }
});

test("groups of a matrix's rows", () => {
  // Two nodes of two packages of two cores.
  const machine = { names: ["Cluster", "Machine", "Package", "Core"], parent: [-1, 0, 0, 1, 1, 2, 2], name_of: [0, 1, 1, 2, 2, 2, 2],
    index: [0, 0, 1, 0, 1, 0, 1], core: [-1, -1, -1, -1, -1, -1, -1], vertex: [0, 1, 2, 3, 4, 5, 6] };
  for (const p of [3, 4, 5, 6]) for (const c of [0, 1]) {
    machine.parent.push(p);
    machine.name_of.push(3);
    machine.index.push(c);
    machine.core.push((p - 3) * 2 + c);
    machine.vertex.push(machine.parent.length - 1);
  }
  assert.deepEqual(plain(bandsOf(machineTree(machine), [7, 8, 9, 10, 11, 12, 13, 14])), [
    { name: "Machine", starts: [0, 4], labels: ["node 0", "node 1"] },
    { name: "Package", starts: [0, 2, 4, 6], labels: ["node 0, Package 0", "node 0, Package 1", "node 1, Package 0", "node 1, Package 1"] },
  ]);
});

test("use of a link, in all and in a period", () => {
  const point = {
    links: { entry: [3], kind: [0], kinds: [{ level: "Machine", capacity_bytes_per_s: 1000 }],
      up: { bytes: [500], messages: [2], utilisation: [0.25] }, down: { bytes: [0], messages: [0], utilisation: [0] } },
    samples: { until_s: [1, 3], links: [{ entry: 3, direction: "up", at: [1], bytes: [500] }] },
  };
  const use = linkUse(point);
  assert.equal(use.of(1), null);
  assert.deepEqual(plain(use.of(3).up), { bytes: 500, messages: 2, share: 0.25 });
  assert.equal(use.of(3, 0).up.bytes, 0);
  assert.equal(use.of(3, 1).up.share, 500 / (1000 * 2));
  assert.equal(linkUse(null).any, false);
});

test("figures with their sources", () => {
  const figure = (si) => ({ value: si, unit: "s", si, source: "measured" });
  const found = figuresOf({ eager_limit: figure(1), levels: [{ level: "Machine", latency: figure(2) }, { level: "Core", latency: figure(3) }], none: null });
  assert.deepEqual(plain(found.map((f) => [f.name, f.si])), [["eager limit", 1], ["levels, node, latency", 2], ["levels, Core, latency", 3]]);
});
