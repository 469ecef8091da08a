// SPDX-License-Identifier: LGPL-2.1-only
// Properties of the methods that map ranks. The slow implementations follow the papers and the headers' comments, not
// the code.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "check/areas/mapping_judging.h"

namespace strata::check {
namespace {

using namespace mapping;
using mpix::MapMethod;
using Case = MappingCase;
using Outcome = MappingOutcome;

constexpr const char* kMapContract = "contract of strata map";
constexpr const char* kReordering = "PDSEC'20, Section V, Figure 1, line 11";

// Properties that use new ranks as indexes are asked only if every mapping is a permutation. If one is not, the
// property `permutation` reports it.
bool all_permutations(const Case& c, const Outcome& o) {
  return std::all_of(o.mapped.begin(), o.mapped.end(),
                     [&](const Mapped& m) { return is_permutation_of_ranks(m.new_rank, c.ranks()); });
}

Judgement permutation(const Case& c, const Outcome& o) {
  for (const Mapped& m : o.mapped) {
    if (!is_permutation_of_ranks(m.new_rank, c.ranks()))
      return Judgement::violated(fmt::format("{}: {} is no permutation", name_of(m.method), text_of(m.new_rank)));
  }
  return Judgement::holds();
}

Judgement recounted(const Case& c, const Outcome& o) {
  if (!all_permutations(c, o)) return Judgement::not_asked();
  for (const Mapped& m : o.mapped) {
    const double slow = slow_hop_bytes(c.flows, o.hops, m.new_rank);
    if (m.cost != slow)
      return Judgement::violated(fmt::format("hop_bytes of {}'s {} is {}, counted one by one {}", name_of(m.method),
                                             text_of(m.new_rank), m.cost, slow));
  }
  return Judgement::holds();
}

Judgement direction(const Case&, const Outcome& o) {
  for (const Mapped& m : o.mapped) {
    if (m.turned_cost != m.cost || m.both_cost != 2 * m.cost)
      return Judgement::violated(
          fmt::format("{}'s mapping: {} hop-bytes, {} with receivers that send, {} counted both ways",
                      name_of(m.method), m.cost, m.turned_cost, m.both_cost));
  }
  return Judgement::holds();
}

Judgement never_above_identity(const Case& c, const Outcome& o) {
  if (!all_permutations(c, o)) return Judgement::not_asked();
  for (const MapMethod method : {MapMethod::kTreeMatch, MapMethod::kScotch}) {
    const double cost = slow_hop_bytes(c.flows, o.hops, o.of(method).new_rank);
    if (cost > o.identity_cost)
      return Judgement::violated(
          fmt::format("{}: {} hop-bytes, the identity has {}", name_of(method), cost, o.identity_cost));
  }
  return Judgement::holds();
}

Judgement optimal(const Case& c, const Outcome& o) {
  if (!all_permutations(c, o)) return Judgement::not_asked();
  if (!o.least) return Judgement::not_asked();
  const double cost = slow_hop_bytes(c.flows, o.hops, o.of(MapMethod::kTreeMatch).new_rank);
  if (cost == *o.least) return Judgement::holds();
  return Judgement::violated(
      fmt::format("treematch: {} hop-bytes, of all permutations the best has {}", cost, *o.least));
}

Judgement keeps_the_best(const Case& c, const Outcome& o) {
  if (!o.least || *o.least != o.identity_cost) return Judgement::not_asked();
  for (const MapMethod method : {MapMethod::kTreeMatch, MapMethod::kScotch}) {
    if (o.of(method).new_rank != identity_of(c.ranks()))
      return Judgement::violated(fmt::format("{}: {} is no better than the identity, {} hop-bytes", name_of(method),
                                             text_of(o.of(method).new_rank), o.identity_cost));
  }
  return Judgement::holds();
}

Judgement same_result(const Outcome& o) {
  for (const Mapped& m : o.mapped) {
    if (m.of_turned != m.new_rank)
      return Judgement::violated(
          fmt::format("{}: first {}, then {}", name_of(m.method), text_of(m.new_rank), text_of(m.of_turned)));
  }
  return Judgement::holds();
}

bool same_both_ways(const Case& c) {
  const std::vector<double> bytes = dense(c.ranks(), c.flows);
  for (int a = 0; a < c.ranks(); ++a) {
    for (int b = 0; b < a; ++b) {
      if (bytes[a * c.ranks() + b] != bytes[b * c.ranks() + a]) return false;
    }
  }
  return true;
}

Judgement deterministic(const Case& c, const Outcome& o) {
  return same_both_ways(c) ? same_result(o) : Judgement::not_asked();
}

Judgement direction_blind(const Case& c, const Outcome& o) {
  return same_both_ways(c) ? Judgement::not_asked() : same_result(o);
}

Judgement round_robin(const Case& c, const Outcome& o) {
  std::vector<int> node;
  for (int v : c.place) node.push_back(c.machine.node[v]);
  const std::vector<int>& found = o.of(MapMethod::kRoundRobin).new_rank;
  const std::vector<int> slow = slow_round_robin(c.place, node);
  if (found == slow) return Judgement::holds();
  return Judgement::violated(fmt::format("{}, dealt one by one {}", text_of(found), text_of(slow)));
}

Judgement identity(const Case& c, const Outcome& o) {
  const std::vector<int>& found = o.of(MapMethod::kIdentity).new_rank;
  if (found == identity_of(c.ranks())) return Judgement::holds();
  return Judgement::violated(text_of(found));
}

Judgement inverse(const Case& c, const Outcome& o) {
  if (!all_permutations(c, o)) return Judgement::not_asked();
  for (const Mapped& m : o.mapped) {
    if (m.inverse_again != m.new_rank || m.inverse != process_of(m.new_rank) ||
        static_cast<int>(m.inverse.size()) != c.ranks())
      return Judgement::violated(fmt::format("of {}'s {}: {}, of that {}", name_of(m.method), text_of(m.new_rank),
                                             text_of(m.inverse), text_of(m.inverse_again)));
  }
  return Judgement::holds();
}

Judgement handover(const Case& c, const Outcome& o) {
  if (!all_permutations(c, o)) return Judgement::not_asked();
  const std::vector<int>& k = o.of(MapMethod::kTreeMatch).new_rank;
  for (int old = 0; old < c.ranks(); ++old) {
    // The process of old rank `old` has the data of rank `old`, and gets the new rank k[old]. The process that gets the
    // new rank `old` must receive these data.
    const int now = k[old];
    const mpix::Handover& partners = o.handover[now];
    if (partners.to < 0 || partners.to >= c.ranks())
      return Judgement::violated(
          fmt::format("k = {}: the data of rank {} goes to {}, which is not a rank", text_of(k), old, partners.to));
    if (partners.to != old || o.handover[partners.to].from != now)
      return Judgement::violated(fmt::format(
          "k = {}: the data of rank {}, on the process that is {} now, goes to {}, which waits for that of {}",
          text_of(k), old, now, partners.to, o.handover[partners.to].from));
    const int source = partners.from;
    if (k[now] != source)
      return Judgement::violated(
          fmt::format("k = {}: rank {} gets the data of the process that is {} now, which was not {}", text_of(k), now,
                      source, now));
  }
  return Judgement::holds();
}

// ------------------------------------------------------------------------------------------------ what cases there are

bool has_gain(const Case&, const Outcome& o) { return o.of(MapMethod::kTreeMatch).cost < o.identity_cost; }
bool has_scotch_gap(const Case&, const Outcome& o) { return o.least && o.of(MapMethod::kScotch).cost > *o.least; }
bool has_scotch_optimum(const Case&, const Outcome& o) {
  return o.least && *o.least < o.identity_cost && o.of(MapMethod::kScotch).cost == *o.least;
}
bool has_equals(const Case&, const Outcome& o) {
  const Mapped &ours = o.of(MapMethod::kTreeMatch), &scotchs = o.of(MapMethod::kScotch);
  return ours.new_rank != scotchs.new_rank && ours.cost == scotchs.cost;
}
bool has_two_inverses(const Case&, const Outcome& o) {
  const Mapped& ours = o.of(MapMethod::kTreeMatch);
  return ours.new_rank != ours.inverse;
}
bool has_sharing(const Case& c, const Outcome&) {
  return std::set<int>(c.place.begin(), c.place.end()).size() < c.place.size();
}
bool has_wide_binding(const Case& c, const Outcome&) {
  return std::any_of(c.place.begin(), c.place.end(), [&](int v) { return !c.machine.is_leaf(v); });
}
bool has_idle_core(const Case& c, const Outcome&) {
  for (int v = 0; v < c.machine.size(); ++v) {
    if (c.machine.is_leaf(v) && std::find(c.place.begin(), c.place.end(), v) == c.place.end()) return true;
  }
  return false;
}
bool has_unequal_nodes(const Case& c, const Outcome&) {
  std::vector<int> processes(c.machine.node_vertex.size(), 0);
  for (int v : c.place) ++processes[c.machine.node[v]];
  return std::set<int>(processes.begin(), processes.end()).size() > 1;
}
bool has_unlike_directions(const Case& c, const Outcome&) { return !same_both_ways(c); }
bool has_selves(const Case& c, const Outcome&) {
  return std::any_of(c.flows.begin(), c.flows.end(), [](const Flow& flow) { return flow.from == flow.to; });
}
bool has_worse_steps(const Case& c, const Outcome& o) {
  return o.least && cost_at(c, o, o.exchanged.process) > *o.least;
}

}  // namespace

std::vector<MappingProperty> mapping_properties() {
  std::vector<MappingProperty> all = {
      {{"permutation", "each method gives each rank to one process", kReordering}, permutation},
      {{"hop-bytes-recounted",
        "hop_bytes is the sum over ordered pairs of processes of the bytes between their ranks "
        "times the edges of the machine between them",
        kMapContract},
       recounted},
      {{"hop-bytes-direction",
        "hop-bytes do not depend on which of two ranks sends, nor on what ranks send to themselves",
        "the tree's edges are the same both ways"},
       direction},
      {{"never-above-identity", "treematch and scotch never have more hop-bytes than the identity", kMapContract},
       never_above_identity},
      {{"treematch-optimal", "treematch has the fewest hop-bytes of all permutations of few processes",
        "mpi_ext/reorder/treematch.h"},
       optimal},
      {{"keeps-the-best", "treematch and scotch leave the order that is there where none is better",
        "mpi_ext/reorder/treematch.h"},
       keeps_the_best},
      {{"deterministic", "the same input gives the same mapping, whatever ties there are", "mpi_ext/reorder/mapping.h"},
       deterministic},
      {{"direction-blind", "no method's mapping depends on which of two ranks sends",
        "records/matrix/pattern.h, symmetric()"},
       direction_blind},
      {{"round-robin", "rank after rank goes to the next process of the next node that has one left, in their order",
        "PDSEC'20, Section VI; mpi_ext/reorder/mapping.h"},
       round_robin},
      {{"identity", "identity gives each process its old rank", kMapContract}, identity},
      {{"inverse", "the inverse tells each rank's process, and its inverse is the mapping again",
        "mpi_ext/reorder/mapping.h"},
       inverse},
      {{"handover",
        "the data of each old rank goes from its process to the one that takes the rank over, and both agree",
        kReordering},
       handover},
  };
  append(all, mapping_tree_properties());
  append(all, mapping_step_properties());
  append(
      all,
      {
          sometimes<MappingCase, MappingOutcome>("gain", "treematch has fewer hop-bytes than the identity",
                                                 kMapContract, has_gain),
          sometimes<MappingCase, MappingOutcome>("scotch-optimal",
                                                 "scotch finds the optimum where it is not the identity",
                                                 "Pellegrini, SHPCC'94", has_scotch_optimum),
          sometimes<MappingCase, MappingOutcome>("scotch-gap", "scotch misses the optimum", "Pellegrini, SHPCC'94",
                                                 has_scotch_gap),
          sometimes<MappingCase, MappingOutcome>("steps-gap", "exchanging pairs alone misses the optimum",
                                                 "mpi_ext/reorder/swap_places.h", has_worse_steps),
          sometimes<MappingCase, MappingOutcome>("tie", "treematch and scotch differ and cost the same",
                                                 "mpi_ext/reorder/mapping.h", has_equals),
          sometimes<MappingCase, MappingOutcome>("not-its-own-inverse", "treematch's mapping is not its own inverse",
                                                 kReordering, has_two_inverses),
          sometimes<MappingCase, MappingOutcome>("shared-core", "several processes on one vertex", kMapContract,
                                                 has_sharing),
          sometimes<MappingCase, MappingOutcome>("wide-binding", "a process on more than a core", kMapContract,
                                                 has_wide_binding),
          sometimes<MappingCase, MappingOutcome>("idle-core", "a core without a process", kMapContract, has_idle_core),
          sometimes<MappingCase, MappingOutcome>("unequal-nodes", "nodes with different numbers of processes",
                                                 kMapContract, has_unequal_nodes),
          sometimes<MappingCase, MappingOutcome>("unlike-directions", "two send each other different amounts",
                                                 kMapContract, has_unlike_directions),
          sometimes<MappingCase, MappingOutcome>("selves", "a rank sends to itself", kMapContract, has_selves),
      });
  return all;
}

}  // namespace strata::check
