// SPDX-License-Identifier: LGPL-2.1-only
#include "collectives/tuning/guidelines.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace strata::collectives {
namespace {

using O = Operation;

// The size of a part: the same as on the left side; of the data of all ranks; of one rank's share.
enum class Size { kSame, kAll, kShare };

struct Part {
  Operation operation;
  Size size;
};

struct Guideline {
  const char* text;
  Operation left;
  std::vector<Part> right;
};

const std::vector<Guideline>& guidelines() {
  static const std::vector<Guideline> kAll = {
      {"allreduce(n) <= reduce(n) + bcast(n)", O::kAllreduce, {{O::kReduce, Size::kSame}, {O::kBcast, Size::kSame}}},
      {"reduce(n) <= allreduce(n)", O::kReduce, {{O::kAllreduce, Size::kSame}}},
      {"bcast(n) <= scatter(n/p) + allgather(n/p)",
       O::kBcast,
       {{O::kScatter, Size::kShare}, {O::kAllgather, Size::kShare}}},
      {"allgather(b) <= gather(b) + bcast(pb)", O::kAllgather, {{O::kGather, Size::kSame}, {O::kBcast, Size::kAll}}},
      {"gather(b) <= allgather(b)", O::kGather, {{O::kAllgather, Size::kSame}}},
      {"scatter(b) <= bcast(pb)", O::kScatter, {{O::kBcast, Size::kAll}}},
      {"reduce_scatter_block(b) <= reduce(pb) + scatter(b)",
       O::kReduceScatterBlock,
       {{O::kReduce, Size::kAll}, {O::kScatter, Size::kSame}}}};
  return kAll;
}

Cell cell_of(const Part& part, const Cell& left) {
  Cell cell = {part.operation, left.ranks, left.bytes};
  if (part.size == Size::kAll) cell.bytes *= left.ranks;
  if (part.size == Size::kShare) cell.bytes = (left.bytes + left.ranks - 1) / left.ranks;
  return cell;
}

bool is_longer(double left, double right, double tolerance) { return left > right * (1 + tolerance); }

void add_monotony(const std::vector<Cell>& cells, const TimeOf& time, double tolerance, std::vector<Violation>& into) {
  std::vector<Cell> sorted = cells;
  std::sort(sorted.begin(), sorted.end());
  for (auto small = sorted.begin(); small != sorted.end(); ++small) {
    const auto large = small + 1;
    if (large == sorted.end() || large->operation != small->operation || large->ranks != small->ranks) continue;
    const std::optional<double> left = time(*small), right = time(*large);
    if (!left || !right || !is_longer(*left, *right, tolerance)) continue;
    const char* name = name_of(small->operation);
    into.push_back({fmt::format("{0}(n) <= {0}(m) for n < m", name), *small, *left, *right});
  }
}

}  // namespace

std::vector<Cell> further_cells(const std::vector<Cell>& cells) {
  const std::set<Cell> known(cells.begin(), cells.end());
  std::set<Cell> further;
  for (const Guideline& g : guidelines()) {
    for (const Cell& left : cells) {
      if (left.operation != g.left) continue;
      for (const Part& part : g.right) {
        const Cell cell = cell_of(part, left);
        if (known.count(cell) == 0) further.insert(cell);
      }
    }
  }
  return {further.begin(), further.end()};
}

std::vector<Violation> violations(const std::vector<Cell>& cells, const TimeOf& time, double tolerance) {
  std::vector<Violation> found;
  for (const Guideline& g : guidelines()) {
    for (const Cell& left : cells) {
      if (left.operation != g.left) continue;
      const std::optional<double> left_s = time(left);
      std::optional<double> right_s = 0;
      for (const Part& part : g.right) {
        const std::optional<double> s = right_s ? time(cell_of(part, left)) : std::nullopt;
        right_s = s ? std::optional(*right_s + *s) : std::nullopt;
      }
      if (left_s && right_s && is_longer(*left_s, *right_s, tolerance)) {
        found.push_back({g.text, left, *left_s, *right_s});
      }
    }
  }
  add_monotony(cells, time, tolerance, found);
  return found;
}

}  // namespace strata::collectives
