// SPDX-License-Identifier: LGPL-2.1-only
#include "models/summa.h"

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "models/broadcast.h"
#include "models/collective.h"
#include "models/group.h"
#include "models/hierarchy.h"

namespace strata::models {
namespace {

constexpr double kElementBytes = sizeof(double);

// A row or a column.
struct Line {
  std::vector<int> members;
  std::vector<std::vector<int>> bridges;  // of ranks; empty if broadcasts are flat
};

Line make_line(const Topology& topology, const std::vector<Binding>& ranks, std::vector<int> members,
               SummaCase::Lines kind, int groups) {
  std::optional<Hierarchy> hierarchy;  // of indexes into members
  if (kind == SummaCase::Lines::kGroups) {
    const int size = static_cast<int>(members.size());
    if (groups < 1 || size % groups != 0) {
      throw std::invalid_argument(std::to_string(groups) + " groups do not divide a line of " + std::to_string(size) +
                                  " processes");
    }
    hierarchy = grouped_hierarchy(std::array{groups, size / groups});
  } else if (kind == SummaCase::Lines::kTopology) {
    std::vector<Binding> bindings;
    for (const int r : members) bindings.push_back(ranks[r]);
    hierarchy = topological_hierarchy(topology, bindings);
  }
  Line line{.members = std::move(members), .bridges = {}};
  if (!hierarchy) return line;
  for (std::vector<int>& bridge : hierarchy->bridges) {
    for (int& member : bridge) member = line.members[member];
    line.bridges.push_back(std::move(bridge));
  }
  return line;
}

void add_line_broadcast(Schedule& schedule, const Line& line, SummaCase::Lines kind, int root, const Payload& block) {
  if (kind == SummaCase::Lines::kFlat) {
    return add_broadcast(schedule, Algorithm::kBinary, Group(line.members, root), block);
  }
  if (root != 0) message(schedule, line.members[root], line.members[0], block.bytes());
  for (const std::vector<int>& bridge : line.bridges) {
    add_broadcast(schedule, Algorithm::kBinary, Group(bridge), block);
  }
}

}  // namespace

Schedule summa_schedule(const Topology& topology, const std::vector<Binding>& ranks, const SummaCase& what) {
  const int np = static_cast<int>(ranks.size());
  if (np == 0) throw std::invalid_argument("a multiplication on 0 ranks");
  if (what.block < 1) throw std::invalid_argument("a block of " + std::to_string(what.block));
  int num_rows = 1;
  for (int r = 1; r <= np / r; ++r) num_rows = np % r == 0 ? r : num_rows;
  const int num_columns = np / num_rows;
  if (2.0 * np * num_columns > kMaxMessages) {
    throw std::invalid_argument("a multiplication on " + std::to_string(np) +
                                " ranks has more messages than a prediction follows one by one");
  }
  std::vector<Line> rows, columns;
  for (int i = 0; i < num_rows; ++i) {
    std::vector<int> members;
    for (int j = 0; j < num_columns; ++j) members.push_back(i * num_columns + j);
    rows.push_back(make_line(topology, ranks, std::move(members), what.lines, what.groups[1]));
  }
  for (int j = 0; j < num_columns; ++j) {
    std::vector<int> members;
    for (int i = 0; i < num_rows; ++i) members.push_back(i * num_columns + j);
    columns.push_back(make_line(topology, ranks, std::move(members), what.lines, what.groups[0]));
  }

  const double n = what.block;
  const Payload block{.elements = static_cast<std::int64_t>(n * n), .element_bytes = kElementBytes, .segment_bytes = 0};
  Schedule schedule(np);
  for (int k = 0; k < num_columns; ++k) {
    for (const Line& row : rows) add_line_broadcast(schedule, row, what.lines, k, block);
    for (const Line& column : columns) add_line_broadcast(schedule, column, what.lines, k % num_rows, block);
    for (int r = 0; r < np; ++r) compute(schedule, r, 2 * n * n * n);
  }
  return schedule;
}

}  // namespace strata::models
