// All small Cartesian meshes, and places of processes on machines of several levels.
#pragma once

#include <functional>
#include <random>
#include <string>
#include <vector>

#include "mpi_ext/cart/mesh.h"
#include "mpi_ext/cart/places.h"

namespace strata::mpix::testing {

/// "2x3 periods 01".
inline std::string text_of(const Mesh& mesh) {
  std::string text;
  for (int d : mesh.dims) text += (text.empty() ? "" : "x") + std::to_string(d);
  text += " periods ";
  for (const bool period : mesh.periods) text += period ? '1' : '0';
  return text;
}

/// All dimensions, ones included, of at least `least_dims` and at most `most_dims`, whose product is `size`.
inline std::vector<std::vector<int>> all_dims(int size, int least_dims, int most_dims) {
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

/// Each with all combinations of periods.
template <class Visit>
void each_mesh(int size, int least_dims, int most_dims, Visit visit) {
  for (const std::vector<int>& dims : all_dims(size, least_dims, most_dims)) {
    for (unsigned bits = 0; bits < 1U << dims.size(); ++bits) {
      Mesh mesh{dims, std::vector<bool>(dims.size())};
      for (size_t i = 0; i < dims.size(); ++i) mesh.periods[i] = (bits >> i & 1U) != 0;
      visit(mesh);
    }
  }
}

/// All ways to write `size` as a sum in order, of at most `most_parts`.
inline std::vector<std::vector<int>> compositions(int size, int most_parts) {
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

/// The groups numbered in the order of their first members.
inline std::vector<int> numbered(std::vector<int> group) {
  std::vector<int> number;
  int next = 0;
  for (int& g : group) {
    if (g >= static_cast<int>(number.size())) number.resize(g + 1, -1);
    if (number[g] < 0) number[g] = next++;
    g = number[g];
  }
  return group;
}

/// The same machine with its ranks in another order: rank r is where rank order[r] was.
inline Places reordered(const Places& places, const std::vector<int>& order) {
  Places result = places;
  for (PlaceLevel& level : result.levels) {
    std::vector<int> group(order.size());
    for (size_t r = 0; r < order.size(); ++r) group[r] = level.group[order[r]];
    level.group = numbered(std::move(group));
  }
  return result;
}

inline std::vector<int> shuffled(int size, std::mt19937_64& engine) {
  std::vector<int> order(size);
  for (int i = 0; i < size; ++i) order[i] = i;
  for (int i = size - 1; i > 0; --i) std::swap(order[i], order[engine() % (i + 1)]);
  return order;
}

/// Levels of equal groups of `sizes` ranks, the outermost first, that ranks fill in order; the `node`-th are the nodes.
inline Places levels_of(int ranks, const std::vector<int>& sizes, int node) {
  Places places{{}, node};
  for (size_t level = 0; level < sizes.size(); ++level) {
    std::vector<int> group(ranks);
    for (int r = 0; r < ranks; ++r) group[r] = r / sizes[level];
    places.levels.push_back({"level " + std::to_string(level), std::move(group)});
  }
  return places;
}

}  // namespace strata::mpix::testing
