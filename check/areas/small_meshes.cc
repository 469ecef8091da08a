// SPDX-License-Identifier: LGPL-2.1-only
#include "check/areas/small_meshes.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "check/areas/partitions.h"

namespace strata::check {

using mpix::Mesh;
using mpix::Places;

std::string text_of(const Mesh& mesh) {
  std::string text;
  for (int d : mesh.dims) text += (text.empty() ? "" : "x") + std::to_string(d);
  text += " periods ";
  for (const bool period : mesh.periods) text += period ? '1' : '0';
  return text;
}

std::vector<std::vector<int>> all_dims(int size, int least_dims, int most_dims) {
  std::vector<std::vector<int>> all;
  std::vector<int> dims;
  const std::function<void(int)> extend = [&](int rest) {
    const int count = static_cast<int>(dims.size());
    if (rest == 1 && count >= least_dims) all.push_back(dims);
    if (count == most_dims) return;
    for (int d = 1; d <= rest; ++d) {
      if (rest % d != 0) continue;
      dims.push_back(d);
      extend(rest / d);
      dims.pop_back();
    }
  };
  extend(size);
  return all;
}

std::vector<std::vector<int>> compositions(int size, int most_parts) {
  std::vector<std::vector<int>> all;
  std::vector<int> parts;
  const std::function<void(int)> extend = [&](int rest) {
    if (rest == 0) all.push_back(parts);
    if (static_cast<int>(parts.size()) == most_parts) return;
    for (int part = 1; part <= rest; ++part) {
      parts.push_back(part);
      extend(rest - part);
      parts.pop_back();
    }
  };
  extend(size);
  return all;
}

std::vector<Groups> all_groups(int ranks, int levels) {
  std::vector<Groups> all;
  Groups groups(levels, std::vector<int>(ranks));
  // Rank r joins an existing group on each level down to some level, and starts a new one on all deeper levels.
  const std::function<void(int)> place = [&](int r) {
    if (r == ranks) {
      all.push_back(groups);
      return;
    }
    const std::function<void(int, std::vector<int>)> choose = [&](int level, const std::vector<int>& with) {
      if (level == levels) {
        place(r + 1);
        return;
      }
      // `with`: earlier ranks in the same group of the next outer level.
      std::vector<int>& group = groups[level];
      int next = 0;
      for (int other = 0; other < r; ++other) next = std::max(next, group[other] + 1);
      for (int g = 0; g < next; ++g) {
        std::vector<int> here;
        for (int other : with) {
          if (group[other] == g) here.push_back(other);
        }
        if (here.empty()) continue;
        group[r] = g;
        choose(level + 1, here);
      }
      group[r] = next;
      choose(level + 1, {});
    };
    std::vector<int> before(r);
    std::iota(before.begin(), before.end(), 0);
    choose(0, before);
  };
  place(0);
  return all;
}

std::vector<Groups> all_packed_groups(int ranks, int levels) {
  std::vector<Groups> all;
  Groups groups(levels, std::vector<int>(ranks));
  const std::function<void(int)> place = [&](int r) {
    if (r >= ranks) {
      all.push_back(groups);
      return;
    }
    for (int begins = levels; begins >= 0; --begins) {  // the outermost level on which rank r starts a new group
      for (int level = 0; level < levels; ++level) groups[level][r] = groups[level][r - 1] + (level >= begins ? 1 : 0);
      place(r + 1);
    }
  };
  place(1);
  return all;
}

std::vector<Groups> all_equal_groups(int ranks, int levels) {
  std::vector<Groups> all;
  Groups groups;
  const std::function<void(int)> divide = [&](int size) {
    if (static_cast<int>(groups.size()) == levels) {
      all.push_back(groups);
      return;
    }
    for (int n = groups.empty() ? size : size - 1; n >= 1; --n) {
      if (size % n != 0) continue;
      groups.emplace_back(ranks);
      for (int r = 0; r < ranks; ++r) groups.back()[r] = r / n;
      divide(n);
      groups.pop_back();
    }
  };
  divide(ranks);
  return all;
}

Places reordered(const Places& places, const std::vector<int>& order) {
  Places result = places;
  for (mpix::PlaceLevel& level : result.levels) {
    std::vector<int> group(order.size());
    for (size_t r = 0; r < order.size(); ++r) group[r] = level.group[order[r]];
    level.group = numbered_in_order(group);
  }
  return result;
}

std::vector<int> round_robin(int ranks, int of_each) {
  std::vector<int> order;
  for (int turn = 0; turn < of_each; ++turn) {
    for (int r = turn; r < ranks; r += of_each) order.push_back(r);
  }
  return order;
}

}  // namespace strata::check
