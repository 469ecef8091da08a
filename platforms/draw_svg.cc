// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/draw_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "base/svg_text.h"
#include "platforms/draw_fold.h"
#include "platforms/draw_notes.h"

namespace strata {
namespace {

// lstopo's dimensions in pixels: font size, margin between elements, height of a bar with one line of text, line
// height.
constexpr int kFont = 10;
constexpr int kGap = 7;
constexpr int kBar = 24;
constexpr int kLine = 14;
constexpr double kCharWidth = kMonospaceAdvance * kFont;
// The desired aspect ratio of a group of boxes. lstopo uses 4/3; screens have become wider.
constexpr double kAspect = 1.6;
// More small boxes than this are combined into one that contains their number.
constexpr int kMaxSmallBoxes = 64;

// lstopo's palette (hwloc 2.9). It does not draw networks, so their colours are our own.
constexpr const char* kWhite = "#ffffff";
constexpr const char* kPackage = "#d2e7a4";
constexpr const char* kDie = "#e7ffb5";
constexpr const char* kNuma = "#efdfde";
constexpr const char* kCore = "#bebebe";
constexpr const char* kFrame = "#f3f7fb";
constexpr const char* kSwitch = "#c3d7ea";
constexpr const char* kSmall = "#fafafa";

int text_width(const std::string& text) { return static_cast<int>(std::ceil(kCharWidth * text.size())); }

struct Rectangle {
  int x, y, w, h;
  const char* fill;
  std::string title;  // tooltip
};

struct Text {
  int x, y;
  bool centred;
  bool bold;
  std::string text;
};

// A finished part of the drawing, with an origin of its own.
struct Picture {
  int w = 0, h = 0;
  std::vector<Rectangle> rectangles;
  std::vector<Text> texts;

  void put(const Picture& part, int x, int y) {
    for (Rectangle r : part.rectangles) {
      r.x += x;
      r.y += y;
      rectangles.push_back(std::move(r));
    }
    for (Text t : part.texts) {
      t.x += x;
      t.y += y;
      texts.push_back(std::move(t));
    }
    w = std::max(w, x + part.w);
    h = std::max(h, y + part.h);
  }
};

Picture in_rows(const std::vector<Picture>& parts, int columns, int gap) {
  Picture all;
  int y = 0;
  for (size_t begin = 0; begin < parts.size(); begin += columns) {
    int x = 0, height = 0;
    for (size_t i = begin; i < std::min(parts.size(), begin + columns); ++i) {
      all.put(parts[i], x, y);
      x += parts[i].w + gap;
      height = std::max(height, parts[i].h);
    }
    y += height + gap;
  }
  return all;
}

// Arranges the parts in rows of equal length, so that the whole has an aspect ratio close to kAspect. Empty places in
// the last row add to the cost: twice their share.
Picture arrange(const std::vector<Picture>& parts) {
  int w = 1, h = 1;
  for (const Picture& p : parts) {
    w = std::max(w, p.w + kGap);
    h = std::max(h, p.h + kGap);
  }
  const int n = static_cast<int>(parts.size());
  int best = 1;
  double best_cost = HUGE_VAL;
  for (int columns = 1; columns <= n; ++columns) {
    const int rows = (n + columns - 1) / columns;
    const double missing = static_cast<double>(rows * columns - n) / (rows * columns);
    const double cost = std::abs(std::log(static_cast<double>(columns) * w / (rows * h) / kAspect)) + 2 * missing;
    if (cost < best_cost - 1e-9) {
      best = columns;
      best_cost = cost;
    }
  }
  return in_rows(parts, best, kGap);
}

class SvgDrawing {
 public:
  SvgDrawing(const Topology& topology, const std::string& network, const std::string& memory, const std::string& cache,
             const std::vector<std::string>& names, const std::map<int, std::string>& ports)
      : t_(topology), network_(network), names_(names), folding_(topology), notes_(topology, memory, cache, ports) {}

  std::string draw() {
    const bool single = t_.num_nodes() == 1 && t_.parent(t_.node_vertex(0)) == 0;
    const Picture all = single ? object(t_.node_vertex(0)) : network(0);
    std::string out =
        fmt::format("<g transform=\"translate({0}.5 {0}.5)\">\n", kGap);  // lines of one pixel are sharp at half pixels
    for (const Rectangle& r : all.rectangles) {
      out += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" stroke=\"#000000\"", r.x, r.y,
                         r.w, r.h, r.fill);
      out += r.title.empty() ? "/>\n" : "><title>" + svg_escape(r.title) + "</title></rect>\n";
    }
    for (const Text& t : all.texts) {
      out +=
          fmt::format("<text x=\"{}\" y=\"{}\"{}{}>{}</text>\n", t.x, t.y, t.centred ? " text-anchor=\"middle\"" : "",
                      t.bold ? " font-weight=\"bold\"" : "", svg_escape(t.text));
    }
    return svg_page(all.w + 2 * kGap, all.h + 2 * kGap, kFont, out + "</g>\n");
  }

 private:
  // --- inside a node -----------------------------------------------------------------------------------------------

  // A box with a title line, and its content below.
  static Picture box(const std::string& title, const char* fill, const Picture& content, const std::string& hint) {
    Picture p;
    const int top = title.empty() ? kGap : kBar;
    p.w = std::max(content.w, text_width(title)) + 2 * kGap;
    p.h = content.h == 0 ? kBar : top + content.h + kGap;
    p.rectangles.push_back({0, 0, p.w, p.h, fill, hint});
    if (!title.empty()) p.texts.push_back({kGap, kGap + kFont, false, false, title});
    p.put(content, kGap, top);
    return p;
  }

  // A bar that is as wide as its content below.
  static Picture bar(const std::string& title, const char* fill, const Picture& content, const std::string& hint) {
    Picture p;
    p.w = std::max(content.w, text_width(title) + 2 * kGap);
    p.h = kBar;
    p.rectangles.push_back({0, 0, p.w, p.h, fill, hint});
    p.texts.push_back({kGap, kGap + kFont, false, false, title});
    if (content.h == 0) return p;
    p.put(content, 0, kBar + kGap);
    // A bar directly below is at least as wide as this one, because it has the same cores, even if its text is shorter.
    Rectangle& next = p.rectangles[1];
    if (next.w == content.w && next.h == kBar) next.w = p.w;
    return p;
  }

  static Picture pu(int logical, int os) {
    Picture p;
    const std::string l = "PU L#" + std::to_string(logical), o = "P#" + std::to_string(os);
    p.w = std::max(text_width("PU L#00"), text_width(l)) + 2 * kGap;
    p.h = 2 * kLine + kGap + 3;
    p.rectangles.push_back({0, 0, p.w, p.h, kWhite, ""});
    p.texts.push_back({p.w / 2, kGap + kFont, true, false, l});
    p.texts.push_back({p.w / 2, kGap + kFont + kLine, true, false, o});
    return p;
  }

  // The PUs of a core, or of a vertex with one PU, stacked vertically.
  Picture pus(int v) const {
    std::vector<Picture> parts;
    if (t_.children(v).empty()) {
      int logical = folding_.first_pu(v);
      const Cpuset& set = t_.object(v)->cpuset;
      for (int os = set.first(); os >= 0; os = set.next(os)) parts.push_back(pu(logical++, os));
    } else {
      for (int c : t_.children(v)) parts.push_back(object(c));
    }
    return in_rows(parts, 1, 0);
  }

  Picture below(int v) const {
    std::vector<Picture> parts;
    for (int c : t_.children(v)) parts.push_back(object(c));
    return arrange(parts);
  }

  // "node 3 (gpu1)".
  std::string node_text(int node) const {
    return fmt::format("node {}", node) + (names_.empty() ? "" : " (" + names_[node] + ")");
  }

  std::string title(int v) const {
    const NodeObject& o = *t_.object(v);
    std::string text = o.name;
    if (o.type == ObjectType::kMachine) {
      if (t_.num_nodes() > 1) text += ", " + node_text(t_.node(v));
    } else if (o.type != ObjectType::kCache || t_.num_cores(v) > 1) {  // private caches of a core have the core's index
      text += " L#" + std::to_string(o.logical_index);
    }
    if (o.type == ObjectType::kNumaNode && o.os_index >= 0) text += " P#" + std::to_string(o.os_index);
    const std::string inside = notes_.with_figures(o.note, v);
    return inside.empty() ? text : text + " (" + inside + ")";
  }

  std::string hint(int v) const {
    const NodeObject& o = *t_.object(v);
    return fmt::format("{} L#{}, PUs P#{}", o.name, o.logical_index, o.cpuset.list());
  }

  Picture object(int v) const {
    const NodeObject& o = *t_.object(v);
    switch (o.type) {
      case ObjectType::kPu:
        return pu(o.logical_index, o.cpuset.first());
      case ObjectType::kCore:
        return box(title(v), kCore, pus(v), hint(v));
      case ObjectType::kNumaNode:
        return bar(title(v), kNuma, below(v), hint(v));
      case ObjectType::kCache: {
        const auto children = t_.children(v);
        if (children.size() == 1 && t_.type(children[0]) == ObjectType::kNumaNode) {
          const int numa = children[0];  // drawn above the cache, as in lstopo
          const Picture cache = bar(title(v), kWhite, below(numa), hint(v));
          return bar(title(numa), kNuma, cache, hint(numa));
        }
        return bar(title(v), kWhite, below(v), hint(v));
      }
      case ObjectType::kPackage:
        return box(title(v), kPackage, below(v), hint(v));
      case ObjectType::kDie:
        return box(title(v), kDie, below(v), hint(v));
      default:
        return box(title(v), kWhite, below(v), hint(v));
    }
  }

  // --- the network -------------------------------------------------------------------------------------------------

  Picture small(const std::string& name, const std::string& like) const {
    Picture p;
    p.w = std::max(text_width(name), text_width(like)) + 2 * kGap;
    p.h = 2 * kLine + kGap + 3;
    p.rectangles.push_back({0, 0, p.w, p.h, kSmall, ""});
    p.texts.push_back({p.w / 2, kGap + kFont, true, false, name});
    p.texts.push_back({p.w / 2, kGap + kFont + kLine, true, false, like});
    return p;
  }

  // Small boxes for `count` vertices of a run, beginning with `v`.
  std::vector<Picture> small_boxes(int v, int count, const std::string& like) const {
    const bool nodes = t_.type(v) == ObjectType::kMachine;
    const int first = nodes ? t_.node(v) : folding_.network_index(v);
    const std::string name = nodes ? "node " : t_.name(v) + " L#";
    if (count > kMaxSmallBoxes) {
      return {small(fmt::format("{} x {}{}-{}", count, name, first, first + count - 1), "each " + like)};
    }
    std::vector<Picture> boxes;
    for (int i = 0; i < count; ++i) {
      boxes.push_back(small(nodes ? node_text(first + i) : name + std::to_string(first + i), like));
    }
    // All get the width of the widest, so that they form columns.
    int widest = 0;
    for (const Picture& p : boxes) widest = std::max(widest, p.w);
    for (Picture& p : boxes) {
      p.w = p.rectangles[0].w = widest;
      for (Text& t : p.texts) t.x = p.w / 2;
    }
    return boxes;
  }

  // From left to right as long as they fit into the width, then in the next row.
  static Picture flow(const std::vector<Picture>& parts, int width) {
    Picture all;
    int x = 0, y = 0;
    for (const Picture& p : parts) {
      if (x > 0 && x + p.w > width) {
        x = 0;
        y = all.h + kGap;
      }
      all.put(p, x, y);
      x += p.w + kGap;
    }
    return all;
  }

  // First the full drawings, then the small boxes in rows of the same width.
  static Picture full_and_small(const std::vector<Picture>& full, const std::vector<Picture>& small) {
    if (full.empty()) return arrange(small);
    int widest = 0;
    double area = 0;
    for (const Picture& p : full) {
      widest = std::max(widest, p.w);
      area += static_cast<double>(p.w) * p.h;
    }
    Picture all = flow(full, std::max(widest, static_cast<int>(std::sqrt(area * kAspect))));
    if (!small.empty()) all.put(flow(small, all.w), 0, all.h + kGap);
    return all;
  }

  Picture network(int v) {
    std::vector<Picture> full, small;
    for (const Run& run : folding_.runs(v)) {
      if (t_.type(run.first) == ObjectType::kNetwork) {
        full.push_back(network(run.first));
        if (run.count > 1) {
          const int next = t_.subtree_end(run.first);
          const std::string like = fmt::format("as {} L#{}", t_.name(run.first), folding_.network_index(run.first));
          for (Picture& p : small_boxes(next, run.count - 1, like)) small.push_back(std::move(p));
        }
        continue;
      }
      int first = run.first, count = run.count;
      const auto [shown, is_new] = shown_.emplace(folding_.shape(first), t_.node(first));
      if (is_new) {
        full.push_back(object(first));
        if (--count == 0) continue;
        first = t_.subtree_end(first);
      }
      for (Picture& p : small_boxes(first, count, "as node " + std::to_string(shown->second)))
        small.push_back(std::move(p));
    }
    const Picture content = full_and_small(full, small);
    std::string title = t_.name(v);
    if (v != 0) title += " L#" + std::to_string(folding_.network_index(v));
    title += ": " + counted(folding_.num_nodes(v), "node") + ", " + counted(t_.num_cores(v), "core");
    if (v == 0 && !network_.empty()) title += "; " + network_;
    Picture p;
    p.w = std::max(content.w, text_width(title) * 11 / 10) + 2 * kGap;  // bold text is wider
    p.h = kBar + kGap + content.h + kGap;
    p.rectangles.push_back({0, 0, p.w, p.h, kFrame, ""});
    p.rectangles.push_back({0, 0, p.w, kBar, kSwitch, ""});
    p.texts.push_back({kGap, kGap + kFont, false, true, title});
    p.put(content, kGap, kBar + kGap);
    return p;
  }

  const Topology& t_;
  const std::string& network_;
  const std::vector<std::string>& names_;
  const Folding folding_;
  const DrawNotes notes_;
  std::map<int, int> shown_;  // shape of a node -> the node that is drawn in full
};

}  // namespace

std::string draw_svg(const Topology& topology, const std::string& network, const std::string& memory,
                     const std::vector<std::string>& names, const std::string& cache,
                     const std::map<int, std::string>& ports) {
  return SvgDrawing(topology, network, memory, cache, names, ports).draw();
}

}  // namespace strata
