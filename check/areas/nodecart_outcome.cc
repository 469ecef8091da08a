// SPDX-License-Identifier: LGPL-2.1-only
#include "check/areas/nodecart_outcome.h"

#include <algorithm>
#include <set>
#include <utility>

#include "mpi_ext/cart/dims.h"
#include "mpi_ext/cart/node_blocks.h"
#include "mpi_ext/cart/tree_paths.h"

namespace strata::check {
namespace {

using mpix::CartMethod;
using mpix::Mapping;
using mpix::PlaceLevel;

using Case = NodecartCase;
using Outcome = NodecartOutcome;
using Mapped = NodecartOutcome::Mapped;

// Up to this number of processes, dimensions are chosen from all: there are thousands.
constexpr int kMostForDims = 64;

template <class Make>
auto unless_refused(Make make) -> std::optional<decltype(make())> {
  try {
    return make();
  } catch (const mpix::Unmappable&) {
    return std::nullopt;
  }
}

Mapped map_by(const Case& c, CartMethod method) {
  Mapped mapped;
  try {
    mapped.mapping = mpix::map_processes(c.mesh, c.places, method);
  } catch (const mpix::Unmappable& e) {
    mapped.refusal = e.what();
    return mapped;
  }
  const Mapping& m = *mapped.mapping;
  if (!is_permutation_of_all(m.new_rank, ranks_of(c))) {
    mapped.partners.resize(c.places.levels.size());  // partners cannot be counted; properties report the reason
    return mapped;
  }
  for (const PlaceLevel& level : c.places.levels) {
    mapped.partners.push_back(mpix::count_partners(c.mesh, mpix::groups_by_position(m.new_rank, level.group)));
  }
  if (mpix::cuts_blocks(m.method) && m.intradims.size() == c.mesh.dims.size())
    mapped.of_blocks = mpix::off_partners(c.mesh, m.intradims);
  return mapped;
}

void look_at_mesh(const Case& c, Outcome& o) {
  o.size = c.mesh.size();
  o.strides = mpix::strides_of(c.mesh.dims);
  for (int p = 0; p < o.size; ++p) {
    o.coords.push_back(mpix::coords_of(c.mesh, p));
    o.positions.push_back(mpix::position_of(c.mesh, o.coords.back()));
    for (int dim = 0; dim < c.mesh.num_dims(); ++dim) {
      const int d = c.mesh.dims[dim];
      for (int by : std::set<int>{-2 * d - 1, -d - 1, -d, -2, -1, 0, 1, 2, d, d + 1, 2 * d + 1}) {
        std::vector<int> moved = o.coords.back();
        moved[dim] += by;
        o.shifts.push_back({p, dim, by, mpix::shift(c.mesh, p, dim, by), mpix::position_of(c.mesh, moved)});
      }
    }
  }
}

// Tries each subset of the dimensions as given, also for unequal nodes, and for a number that they may not divide.
void look_at_dims(const Case& c, Outcome& o) {
  const int ranks = ranks_of(c), per_node = node_sizes(c)[0];
  for (unsigned free = 0; free < 1U << c.mesh.dims.size(); ++free) {
    std::vector<int> given = c.mesh.dims;
    for (size_t i = 0; i < given.size(); ++i) {
      if ((free >> i & 1U) != 0) given[i] = 0;
    }
    const auto fill = [&](int processes, int ranks_per_node) {
      o.filled.push_back({processes, ranks_per_node, given,
                          unless_refused([&] { return mpix::node_aware_dims(processes, ranks_per_node, given); })});
    };
    fill(ranks, per_node);
    fill(ranks, 0);
    fill(ranks + 1, per_node);
  }
}

}  // namespace

bool asks_mesh(const Case& c) { return c.places.levels.size() == 1 && node_sizes(c).size() == 1; }

bool asks_dims(const Case& c) {
  return c.places.levels.size() == 1 && is_equal(c.places.nodes()) && is_packed(c.places.nodes()) &&
         ranks_of(c) <= kMostForDims &&
         std::find(c.mesh.periods.begin(), c.mesh.periods.end(), true) == c.mesh.periods.end();
}

bool asks_places(const Case& c) { return c.mesh.num_dims() == 1 && !c.mesh.periods[0]; }

bool is_permutation_of_all(const std::vector<int>& numbers, int count) {
  std::vector<bool> seen(count, false);
  for (int n : numbers) {
    if (n < 0 || n >= count || seen[n]) return false;
    seen[n] = true;
  }
  return static_cast<int>(numbers.size()) == count;
}

NodecartOutcome run_nodecart(const NodecartCase& c) {
  NodecartOutcome o(c.mesh);
  for (CartMethod method : mpix::cart_methods()) o.methods.push_back(map_by(c, method));
  o.block = unless_refused([&] { return mpix::factor_block(c.mesh.dims, node_sizes(c)[0]); });
  if (asks_mesh(c)) look_at_mesh(c, o);
  if (asks_dims(c)) look_at_dims(c, o);
  if (asks_places(c)) {
    const int ranks = ranks_of(c);
    for (int first : std::set<int>{1, (ranks + 1) / 2, std::max(1, ranks - 1), ranks}) {
      o.firsts.push_back({first, mpix::places_of_first(c.places, first)});
    }
  }
  if (ranks_of(c) <= kMostForOptimum) o.fewest = fewest_off_partners(o.slow, node_sizes(c));
  return o;
}

}  // namespace strata::check
