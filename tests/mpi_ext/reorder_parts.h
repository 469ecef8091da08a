// Patterns and trees for the tests of rank mapping.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "mpi_ext/reorder/pattern.h"
#include "mpi_ext/reorder/place_tree.h"
#include "platforms/topology.h"

namespace strata::mpix::testing {

using Engine = std::mt19937_64;

inline int below(Engine& engine, int bound) { return static_cast<int>(engine() % static_cast<std::uint64_t>(bound)); }

/// Ranks on the cores of a machine (parse_tree), in order.
inline PlaceTree packed(const std::string& machine) {
  const std::shared_ptr<const Topology> topology = parse_tree(machine);
  return place_tree(*topology, {topology->cores().begin(), topology->cores().end()});
}

inline std::vector<int> shuffled(int size, Engine& engine) {
  std::vector<int> order(size);
  for (int i = 0; i < size; ++i) order[i] = i;
  for (int i = size - 1; i > 0; --i) std::swap(order[i], order[below(engine, i + 1)]);
  return order;
}

/// About `per_rank` entries a rank, of 1 to `most` bytes, some of them to itself.
inline Pattern random_pattern(int order, int per_rank, int most, Engine& engine) {
  std::vector<Flow> flows;
  for (int i = 0; i < order * per_rank; ++i) {
    flows.push_back({below(engine, order), below(engine, order), 1.0 + below(engine, most)});
  }
  return {order, std::move(flows)};
}

/// Each with its neighbours along each dimension; position p of the mesh is rank name[p].
inline Pattern stencil(const std::vector<int>& dims, const std::vector<int>& name) {
  std::vector<Flow> flows;
  for (int p = 0; p < static_cast<int>(name.size()); ++p) {
    int step = 1;
    for (int dim : dims) {
      if (p / step % dim + 1 < dim) {
        flows.push_back({name[p], name[p + step], 1000});
        flows.push_back({name[p + step], name[p], 1000});
      }
      step *= dim;
    }
  }
  return {static_cast<int>(name.size()), std::move(flows)};
}

}  // namespace strata::mpix::testing
