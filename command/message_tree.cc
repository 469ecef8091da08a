// SPDX-License-Identifier: LGPL-2.1-only
#include "command/message_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include "base/svg_text.h"

namespace strata::command {
namespace {

using collectives::Collective;
using collectives::Operation;

// px
constexpr double kMargin = 12, kFont = 12, kLine = 18, kWidest = 2400, kTallest = 2400;
// Okabe and Ito's palette, as in analysis/plot.cc.
constexpr std::array kColours = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"};

// By rank: the number of ranks above it. Nothing if there is a cycle.
std::optional<std::vector<int>> depths(const std::vector<int>& above) {
  std::vector<int> depth(above.size());
  for (std::size_t r = 0; r < above.size(); ++r) {
    for (int at = above[r]; at >= 0; at = above[at]) {
      if (++depth[r] > static_cast<int>(above.size())) return {};
    }
  }
  return depth;
}

// The place of each rank from left to right.
std::vector<int> places(const std::vector<int>& cores) {
  std::vector<int> order(cores.size()), place(cores.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return cores[a] < cores[b]; });
  for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = static_cast<int>(i);
  return place;
}

std::string text(double x, double y, const std::string& what, const std::string& more = "") {
  return fmt::format("<text x=\"{:g}\" y=\"{:g}\"{}>{}</text>\n", x, y, more, svg_escape(what));
}

}  // namespace

std::optional<std::vector<int>> message_tree(const Trace& trace, const Collective& call) {
  if (!has_root(call.operation)) return {};
  const bool is_up = call.operation == Operation::kReduce || call.operation == Operation::kGather;
  std::vector<int> above(call.ranks, -1);
  for (int r = 0; r < call.ranks; ++r) {
    if (r == call.root) continue;
    for (const TraceStep& step : *trace.ranks[r]) {
      if (step.kind != (is_up ? TraceStep::Kind::kSend : TraceStep::Kind::kReceive)) continue;
      above[r] = (r + step.peer) % call.ranks;
      if (!is_up) break;
    }
    if (above[r] < 0) return {};
  }
  if (!depths(above)) return {};
  return above;
}

std::string draw_message_tree(const std::string& title, const std::vector<int>& above, const std::vector<int>& cores,
                              const Topology& t) {
  const std::vector<int> depth = depths(above).value(), place = places(cores);
  const auto ranks = static_cast<int>(above.size());
  const int deepest = *std::max_element(depth.begin(), depth.end());
  const double dx = std::clamp(kWidest / ranks, 4.0, 30.0), dy = std::clamp(kTallest / (deepest + 1), 10.0, 60.0);
  const double radius = std::min(dx, dy) * 0.42, top = kMargin + 2 * kLine, bottom = top + dy * (deepest + 1);
  const auto x = [&](int r) { return kMargin + dx * (place[r] + 0.5); };
  const auto y = [&](int r) { return top + dy * (depth[r] + 0.5); };
  std::string bands, edges, circles, legend = text(kMargin, kMargin + kFont, title, " font-weight=\"bold\"");
  std::map<int, std::pair<double, double>> nodes;  // from left to right
  std::map<std::string, int> levels;               // messages
  std::vector<std::string> by_height;              // names of levels, outermost first
  for (int v = 0; v < t.num_vertices(); ++v) {
    if (std::find(by_height.begin(), by_height.end(), t.name(v)) == by_height.end()) by_height.push_back(t.name(v));
  }
  const auto colour = [&](const std::string& level) {
    const auto at = std::find(by_height.begin(), by_height.end(), level) - by_height.begin();
    return kColours[static_cast<std::size_t>(at) % kColours.size()];
  };
  for (int r = 0; r < ranks; ++r) {
    auto [band, is_new] = nodes.try_emplace(t.node(t.cores()[cores[r]]), x(r), x(r));
    band->second.first = std::min(band->second.first, x(r));
    band->second.second = std::max(band->second.second, x(r));
    circles +=
        fmt::format("<circle class=\"rank\" cx=\"{:g}\" cy=\"{:g}\" r=\"{:g}\" fill=\"#FFFFFF\" stroke=\"#555555\"/>\n",
                    x(r), y(r), radius);
    if (radius >= 8) circles += text(x(r), y(r) + 3, std::to_string(r), " font-size=\"9\" text-anchor=\"middle\"");
    if (above[r] < 0) continue;
    const std::string& level = t.name(t.lowest_common_ancestor(t.cores()[cores[r]], t.cores()[cores[above[r]]]));
    ++levels[level];
    edges += fmt::format(
        "<path class=\"message\" fill=\"none\" stroke=\"{}\" d=\"M{:g} {:g}L{:g} {:g}\"><title>{} - {}: "
        "{}</title></path>\n",
        colour(level), x(above[r]), y(above[r]), x(r), y(r), above[r], r, svg_escape(level));
  }
  bool is_shaded = true;
  for (const auto& [node, band] : nodes) {
    if (is_shaded) {
      bands +=
          fmt::format("<rect class=\"node\" x=\"{:g}\" y=\"{:g}\" width=\"{:g}\" height=\"{:g}\" fill=\"#EEF3F8\"/>\n",
                      band.first - dx / 2, top, band.second - band.first + dx, bottom - top);
    }
    is_shaded = !is_shaded;
  }
  double at = kMargin;
  for (const std::string& level : by_height) {
    if (levels.count(level) == 0) continue;
    const std::string label = fmt::format("{}: {}", level, levels[level]);
    legend += fmt::format("<path stroke=\"{}\" stroke-width=\"3\" d=\"M{:g} {:g}h20\"/>\n", colour(level), at,
                          bottom + kLine - 4);
    legend += text(at + 26, bottom + kLine, label);
    at += 40 + kMonospaceAdvance * kFont * static_cast<double>(label.size());
  }
  const double named = 2 * kMargin + kMonospaceAdvance * kFont * 1.1 * static_cast<double>(title.size());
  const double width = std::max({2 * kMargin + dx * ranks, at, named});
  return svg_page(width, bottom + kLine + kMargin, kFont, bands + edges + circles + legend);
}

}  // namespace strata::command
