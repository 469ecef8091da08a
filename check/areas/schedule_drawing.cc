// SPDX-License-Identifier: LGPL-2.1-only
// Draws a schedule: the messages as numbered steps with their contents, and as arrows between the ranks.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <string>
#include <vector>

#include "check/areas/schedule_area.h"

namespace strata::check {
namespace {

constexpr int kLane = 64, kStep = 22, kTop = 46, kFont = 11;  // px
constexpr int kMostLanes = 40;                                // a picture with more ranks is not readable

const char* colour_of(Part part) { return part == kInCall ? "#b5541c" : part == kOnThread ? "#2c5f8a" : "#3b7d3b"; }

std::string text_of(const std::vector<Block>& blocks) {
  std::string text;
  for (const Block& block : blocks) text += fmt::format("{{{}}}", fmt::join(block, ","));
  return text;
}

std::string title_of(const ScheduleCase& c) {
  std::string title = fmt::format("{} of {} ranks", mpix::name_of(c.collective), c.ranks);
  if (has_root(c.collective)) title += fmt::format(", root {}", c.root);
  if (c.collective != mpix::Nbc::kScan) title += fmt::format(", arity {}", c.arity);
  if (has_steps(c.collective)) title += fmt::format(", {} of {} levels split", c.steps, height_of(c));
  if (c.in_place) title += ", in place";
  if (!c.commutes) title += ", in the order of the ranks";
  if (!c.node_of_rank.empty()) title += fmt::format(", on nodes {}", fmt::join(c.node_of_rank, " "));
  return title;
}

std::string steps_of(const ScheduleCase& c, const ScheduleRun& run) {
  std::string text = title_of(c) + "\n";
  int step = 0;
  for (const Message& m : run.messages) {
    text += fmt::format("{:4}. {:<13} level {}  rank {} -> rank {}  {}", ++step, name_of(m.part_sent), m.level_sent,
                        m.from, m.to, m.blocks_sent == 0 ? "nothing" : text_of(m.carried));
    if (m.part_sent != m.part_received) text += fmt::format(", received {}", name_of(m.part_received));
    text += "\n";
  }
  for (const auto& waiting : run.waiting) text += "      for ever: " + waiting + "\n";
  for (const auto& problem : {run.waits_for_others, run.out_of_memory, run.dependent}) {
    if (!problem.empty()) text += "      wrong: " + problem + "\n";
  }
  for (int rank = 0; rank < c.ranks; ++rank) {
    const auto& result = run.memory[rank][static_cast<int>(mpix::Buffer::kReceive)];
    if (!result.empty()) text += fmt::format("      rank {} ends with {}\n", rank, text_of(result));
  }
  return text;
}

std::string lanes_of(const ScheduleCase& c, const ScheduleRun& run) {
  if (c.ranks > kMostLanes) return {};
  const int height = kTop + kStep * (static_cast<int>(run.messages.size()) + 1);
  const auto x_of = [](int rank) { return kLane / 2 + kLane * rank; };
  const std::string title = title_of(c);
  const int width = std::max(kLane * c.ranks, 7 * static_cast<int>(title.size()) + 16);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"monospace\" font-size=\"{2}\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n"
      "<text x=\"8\" y=\"16\">{3}</text>\n",
      width, height, kFont, title);
  for (int rank = 0; rank < c.ranks; ++rank) {
    svg += fmt::format(
        "<text x=\"{0}\" y=\"{1}\" text-anchor=\"middle\">{2}</text>\n"
        "<line x1=\"{0}\" y1=\"{3}\" x2=\"{0}\" y2=\"{4}\" stroke=\"#bebebe\"/>\n",
        x_of(rank), kTop - 10, rank, kTop - 4, height - 6);
  }
  int y = kTop;
  for (const Message& m : run.messages) {
    y += kStep;
    const int from = x_of(m.from), to = x_of(m.to), back = to > from ? -7 : 7;
    svg += fmt::format(
        "<g stroke=\"{4}\" fill=\"{4}\"><title>{6}, level {5}</title>"
        "<line x1=\"{0}\" y1=\"{1}\" x2=\"{2}\" y2=\"{1}\"/>"
        "<path d=\"M{2},{1} l{3},-4 v8 z\"/></g>\n",
        from, y, to, back, colour_of(m.part_sent), m.level_sent, name_of(m.part_sent));
    svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" font-size=\"9\">{}</text>\n", (from + to) / 2,
                       y - 3, m.level_sent);
  }
  return svg + "</svg>\n";
}

}  // namespace

Drawing draw_schedule(const ScheduleCase& c) {
  try {
    const ScheduleRun run = run_schedules(c, schedules_of(c), true);
    return {.text = steps_of(c, run), .svg = lanes_of(c, run)};
  } catch (const std::exception& e) {
    return {.text = fmt::format("{}\n      no schedule: {}\n", title_of(c), e.what()), .svg = {}};
  }
}

}  // namespace strata::check
