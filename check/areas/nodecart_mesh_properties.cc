// SPDX-License-Identifier: LGPL-2.1-only
// Properties of meshes, their shifts, the places of ranks and chosen dimensions.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>

#include "check/areas/nodecart_judging.h"
#include "check/areas/slow_orders.h"

namespace strata::check {
namespace {

using namespace nodecart;
using mpix::PlaceLevel;
using Case = NodecartCase;
using Outcome = NodecartOutcome;
using P = NodecartProperty;

void add_meshes(std::vector<P>& all) {
  all.push_back({{"row-major", "positions are in row-major order, and coordinates and positions each other's inverse",
                  "MPI 4.0, Sections 8.5 and 8.5.5 (MPI_CART_RANK, MPI_CART_COORDS)"},
                 [](const Case& c, const Outcome& o) {
                   if (!asks_mesh(c)) return Judgement::not_asked();
                   if (o.size != o.slow.size()) return violated("{} positions, not {}", o.size, o.slow.size());
                   for (int p = 0; p < o.size; ++p) {
                     if (o.coords[p] != o.slow.coords()[p])
                       return violated("position {} is at {}, not {}", p, fmt::join(o.coords[p], ","),
                                       fmt::join(o.slow.coords()[p], ","));
                     if (o.positions[p] != p) return violated("the coordinates of {} are of {}", p, o.positions[p]);
                   }
                   for (int dim = 0; dim < c.mesh.num_dims(); ++dim) {
                     Coords next(c.mesh.dims.size(), 0);
                     next[dim] = 1;
                     if (c.mesh.dims[dim] > 1 && o.strides.at(dim) != o.slow.position(next))
                       return violated("dimension {} has stride {}", dim, o.strides[dim]);
                   }
                   return Judgement::holds();
                 }});
  all.push_back({{"shift",
                  "a shift goes from position - displacement to position + displacement, round a periodic "
                  "dimension and off the mesh in others",
                  "MPI 4.0, Section 8.5.6 (MPI_CART_SHIFT)"},
                 [](const Case& c, const Outcome& o) {
                   if (!asks_mesh(c)) return Judgement::not_asked();
                   for (const Outcome::Shifted& s : o.shifts) {
                     Coords to = o.slow.coords()[s.position], from = to;
                     to[s.dim] += s.displacement;
                     from[s.dim] -= s.displacement;
                     const int dest = o.slow.position(to), source = o.slow.position(from);
                     if (s.partners != std::array{source, dest} || s.moved != dest)
                       return violated("position {}, dimension {}, by {}: from {} to {} ({}), not from {} to {}",
                                       s.position, s.dim, s.displacement, s.partners[0], s.partners[1], s.moved, source,
                                       dest);
                   }
                   return Judgement::holds();
                 }});
  all.push_back({{"shift-inverse", "a shift back starts where the shift went to", "MPI 4.0, Section 8.5.6"},
                 [](const Case& c, const Outcome& o) {
                   if (!asks_mesh(c)) return Judgement::not_asked();
                   std::map<std::array<int, 3>, int> dest;
                   for (const Outcome::Shifted& s : o.shifts) {
                     dest[{s.position, s.dim, s.displacement}] = s.partners[1];
                   }
                   for (const Outcome::Shifted& s : o.shifts) {
                     const auto back = dest.find({s.partners[0], s.dim, s.displacement});
                     if (back != dest.end() && back->second != s.position)
                       return violated("position {} has from {}, who sends to {}", s.position, s.partners[0],
                                       back->second);
                   }
                   return Judgement::holds();
                 }});
  all.push_back(
      {{"places-of-first",
        "of the first ranks the same is known, and no level says what another, one group or every rank alone says",
        "mpi_ext/cart/tree_paths.h"},
       [](const Case& c, const Outcome& o) {
         if (!asks_places(c)) return Judgement::not_asked();
         for (const Outcome::First& first : o.firsts) {
           std::set<std::vector<int>> known, told;
           const std::vector<int> together(first.ranks, 0);
           std::vector<int> alone(first.ranks);
           std::iota(alone.begin(), alone.end(), 0);
           for (const PlaceLevel& level : c.places.levels) {
             known.emplace(level.group.begin(), level.group.begin() + first.ranks);
           }
           const std::vector<int> nodes(c.places.nodes().begin(), c.places.nodes().begin() + first.ranks);
           if (first.places.nodes() != nodes) return violated("other nodes of the first {} ranks", first.ranks);
           for (int l = 0; l < static_cast<int>(first.places.levels.size()); ++l) {
             const std::vector<int>& group = first.places.levels[l].group;
             const bool idle = group == together || group == alone;
             if (l != first.places.node_level && (idle || group == nodes))
               return violated("of the first {} ranks '{}' tells nothing", first.ranks, first.places.levels[l].name);
             if (!told.insert(group).second)
               return violated("of the first {} ranks '{}' tells what another does", first.ranks,
                               first.places.levels[l].name);
           }
           for (std::set<std::vector<int>>* groups : {&known, &told}) {
             groups->insert(together);
             groups->insert(alone);
           }
           if (known != told) return violated("of the first {} ranks not everything is told", first.ranks);
         }
         return Judgement::holds();
       }});
}

void add_dims(std::vector<P>& all) {
  const auto each_filled = [](const Case& c, const Outcome& o, const auto& fault_of) {
    if (!asks_dims(c)) return Judgement::not_asked();
    for (const Outcome::Filled& f : o.filled) {
      const std::string fault = fault_of(f);
      if (!fault.empty())
        return violated("{} processes, {} a node, {}: {}", f.processes, f.ranks_per_node, text_of(f.given), fault);
    }
    return Judgement::holds();
  };
  all.push_back({{"dims-product",
                  "dimensions that are chosen have the number as their product, keep what is given and "
                  "do not increase; they are refused where what is given does not divide the number",
                  "MPI 4.0, Section 8.5.2 (MPI_DIMS_CREATE); mpi_ext/cart/dims.h"},
                 [each_filled](const Case& c, const Outcome& o) {
                   return each_filled(c, o, [](const Outcome::Filled& f) -> std::string {
                     long given = 1;
                     bool all_given = true;
                     for (int d : f.given) {
                       if (d > 0) given *= d;
                       all_given = all_given && d > 0;
                     }
                     const bool fits = f.processes % given == 0 && (!all_given || f.processes == given);
                     if (fits != f.dims.has_value()) return f.dims ? "taken, and does not divide" : "refused";
                     if (!f.dims) return "";
                     if (product(*f.dims) != f.processes) return "the product of " + text_of(*f.dims);
                     int last = f.processes;
                     for (size_t i = 0; i < f.given.size(); ++i) {
                       const int d = f.dims->at(i);
                       if (f.given[i] > 0 ? d != f.given[i] : d > last)
                         return fmt::format("{} in dimension {}", text_of(*f.dims), i);
                       if (f.given[i] == 0) last = d;
                     }
                     return "";
                   });
                 }});
  all.push_back({{"dims-best",
                  "of all such dimensions those with the least sum of the nodes' mesh, then of their own, "
                  "then the first in lexicographic order, the largest first",
                  "EuroMPI'18, Sections 1 and 2.1; mpi_ext/cart/dims.h"},
                 [each_filled](const Case& c, const Outcome& o) {
                   return each_filled(c, o, [](const Outcome::Filled& f) -> std::string {
                     const std::optional<std::vector<int>> best = slow_dims(f.processes, f.ranks_per_node, f.given);
                     if (f.dims == best) return "";
                     return fmt::format("{}, not {}", f.dims ? text_of(*f.dims) : "refused",
                                        best ? text_of(*best) : "refused");
                   });
                 }});
}

}  // namespace

std::vector<NodecartProperty> nodecart_mesh_properties() {
  std::vector<P> all;
  add_meshes(all);
  add_dims(all);
  return all;
}

}  // namespace strata::check
