// SPDX-License-Identifier: LGPL-2.1-only
#include "calibration/latency_order.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "calibration/evidence.h"

namespace strata::calibration {
namespace {

// Levels that are pooled.
struct Block {
  double latency, weight;
  std::vector<std::size_t> levels;  // innermost first
};

using Intervals = std::function<const Interval*(std::size_t)>;

// Raises an assumed latency to that of the level inside.
void raise_to_inner(std::vector<LevelCosts>& levels, std::size_t i) {
  if (i + 1 >= levels.size()) return;
  const LevelCosts& inner = levels[i + 1];
  Figure& latency = levels[i].latency;
  if (latency.si >= inner.latency.si) return;
  latency = make_figure(inner.latency.si, "time", "assumed: not below that of level " + inner.level);
}

// A latency without an interval is treated as nearly exact.
double weight_of(const Interval* interval, double latency_s) {
  constexpr double kLeastWidth = 1e-6;  // relative
  const double width = interval == nullptr ? 0 : interval->half_width() / latency_s;
  const double spread = std::max(width, kLeastWidth) * latency_s;
  return 1 / (spread * spread);
}

void add(std::vector<Block>& blocks, Block block) {
  while (!blocks.empty() && blocks.back().latency > block.latency) {
    Block& inner = blocks.back();
    inner.latency = (inner.latency * inner.weight + block.latency * block.weight) / (inner.weight + block.weight);
    inner.weight += block.weight;
    inner.levels.insert(inner.levels.end(), block.levels.begin(), block.levels.end());
    block = inner;
    blocks.pop_back();
  }
  blocks.push_back(std::move(block));
}

void set(std::vector<LevelCosts>& levels, const Block& b, const Intervals& interval_of,
         std::vector<std::string>& notes) {
  const bool within = std::all_of(b.levels.begin(), b.levels.end(), [&](std::size_t i) {
    const Interval* interval = interval_of(i);
    return interval != nullptr && interval->low <= b.latency && b.latency <= interval->high;
  });
  if (within) {
    std::vector<std::string> names;
    for (const std::size_t i : b.levels) names.push_back(levels[i].level);
    for (const std::size_t i : b.levels) {
      Figure& latency = levels[i].latency;
      const std::string source = latency.source + ", pooled: " + fmt::format("{}", fmt::join(names, " and ")) +
                                 " do not differ within their intervals";
      latency = make_figure(b.latency, "time", source);
    }
    return;
  }
  for (std::size_t k = 0; k + 1 < b.levels.size(); ++k) {
    const LevelCosts &inner = levels[b.levels[k]], &outer = levels[b.levels[k + 1]];
    if (outer.latency.si >= inner.latency.si) continue;
    notes.push_back(
        fmt::format("{}: the latency, {} us, is below that of level {} inside it, {} us; both stay as measured",
                    outer.level, outer.latency.value, inner.level, inner.latency.value));
  }
}

}  // namespace

void order_latencies(std::vector<LevelCosts>& levels, const Intervals& interval_of, std::vector<std::string>& notes) {
  std::vector<Block> blocks;
  for (std::size_t i = levels.size(); i-- > 0;) {
    const Figure& latency = levels[i].latency;
    if (!latency.source.starts_with("measured")) {
      raise_to_inner(levels, i);
      continue;
    }
    add(blocks, {latency.si, weight_of(interval_of(i), latency.si), {i}});
  }
  for (const Block& b : blocks) {
    if (b.levels.size() > 1) set(levels, b, interval_of, notes);
  }
}

}  // namespace strata::calibration
