// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/draw_text.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "platforms/draw_fold.h"
#include "platforms/draw_notes.h"
#include "platforms/hostlist.h"

namespace strata {
namespace {

class TextDrawing {
 public:
  TextDrawing(const Topology& topology, const TextOptions& options)
      : t_(topology),
        options_(options),
        folding_(topology),
        notes_(topology, options.memory, options.cache, options.ports) {}

  std::string draw() {
    if (t_.num_nodes() == 1 && t_.children(0).size() == 1 && t_.type(t_.children(0)[0]) == ObjectType::kMachine) {
      draw_object(t_.node_vertex(0), 0, "");  // one node without a network: as in lstopo
    } else {
      draw_network({0, 1}, 0);
    }
    return std::move(out_);
  }

 private:
  void line(int indent, const std::string& text) { out_ += std::string(2 * indent, ' ') + text + "\n"; }

  void draw_network(const Run& run, int indent) {
    const int v = run.first;
    std::string text = run.count > 1 ? std::to_string(run.count) + " x " : "";
    text += t_.name(v);
    if (v != 0) {
      text += " L#" + std::to_string(folding_.network_index(v));
      if (run.count > 1) text += "-" + std::to_string(folding_.network_index(v) + run.count - 1);
    }
    text += " (" + counted(folding_.num_nodes(v), "node") + ", " + counted(t_.num_cores(v), "core");
    text += run.count > 1 ? " each)" : ")";
    if (v == 0 && !options_.network.empty()) text += ": " + options_.network;
    line(indent, text);
    for (const Run& below : folding_.runs(v)) {
      for (int i = 0; i < (options_.full ? below.count : 1); ++i) {
        // Equal neighbours have subtrees of equal size, so the i-th begins i subtrees later.
        const int size = t_.subtree_end(below.first) - below.first;
        const Run shown = options_.full ? Run{below.first + i * size, 1} : below;
        if (t_.type(shown.first) == ObjectType::kNetwork) {
          draw_network(shown, indent + 1);
        } else {
          draw_nodes(shown, indent + 1);
        }
      }
    }
  }

  void draw_nodes(const Run& run, int indent) {
    const int node = t_.node(run.first);
    const std::string times = run.count > 1 ? std::to_string(run.count) + " x " : "";
    std::string which = ", " + node_range(node, run.count);
    if (!options_.names.empty()) {
      const auto first = options_.names.begin() + node;
      which += fmt::format(" ({})", hostlist_of({first, first + run.count}));
    }
    const auto [shown, is_new] = shown_.emplace(folding_.shape(run.first), node);
    if (is_new || options_.full) {
      draw_object(run.first, indent, times, which);
    } else {
      line(indent, times + label(run.first, which) + ": as node " + std::to_string(shown->second));
    }
  }

  void draw_object(int v, int indent, const std::string& times, const std::string& which = "") {
    std::string text = times + label(v, which);
    while (t_.children(v).size() == 1 && t_.type(v) != ObjectType::kNumaNode &&
           t_.type(t_.children(v)[0]) != ObjectType::kNumaNode) {
      v = t_.children(v)[0];
      text += " + " + label(v);
    }
    const NodeObject& o = *t_.object(v);
    if (o.is_core && o.type != ObjectType::kPu && t_.children(v).empty() && o.cpuset.count() == 1) {
      text += " + " + pu_label(folding_.first_pu(v), o.cpuset.first());
    }
    line(indent, text);
    // A NUMA node is a line at the same level as its content, as in lstopo.
    const int below = o.type == ObjectType::kNumaNode ? indent : indent + 1;
    for (int c : t_.children(v)) draw_object(c, below, "");
  }

  static std::string pu_label(int logical, int os) {
    return "PU L#" + std::to_string(logical) + " (P#" + std::to_string(os) + ")";
  }

  std::string label(int v, const std::string& which = "") const {
    const NodeObject& o = *t_.object(v);
    if (o.type == ObjectType::kPu) return pu_label(o.logical_index, o.cpuset.first());
    std::string text = o.name;
    if (o.type != ObjectType::kMachine) text += " L#" + std::to_string(o.logical_index);
    text += which;
    std::string inside = o.type == ObjectType::kNumaNode && o.os_index >= 0 ? "P#" + std::to_string(o.os_index) : "";
    if (!o.note.empty()) inside += (inside.empty() ? "" : " ") + o.note;
    inside = notes_.with_figures(std::move(inside), v);
    return inside.empty() ? text : text + " (" + inside + ")";
  }

  const Topology& t_;
  const TextOptions& options_;
  const Folding folding_;
  const DrawNotes notes_;
  std::map<int, int> shown_;  // shape of a node -> the node that shows it
  std::string out_;
};

}  // namespace

std::string draw_text(const Topology& topology, const TextOptions& options) {
  return TextDrawing(topology, options).draw();
}

}  // namespace strata
