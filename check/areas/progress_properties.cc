// SPDX-License-Identifier: LGPL-2.1-only
// Properties of the placement of progress threads.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "check/areas/progress_area.h"
#include "models/split_tree.h"

namespace strata::check {
namespace {

using Case = ProgressCase;
using Outcome = ProgressOutcome;

constexpr const char* kSection4 = "IJHPCA'19, Section 4";
constexpr const char* kSection5 = "IJHPCA'19, Section 5";
constexpr std::array kNames = {"bind", "numa", "odd-even"};

int ranks(const Case& c) { return static_cast<int>(c.at.size()); }
int cores_of_node(const Case& c) { return c.numas * c.cores; }
int node_of(const Case& c, int core) { return core / cores_of_node(c); }
int numa_of(const Case& c, int core) { return core / c.cores; }

bool has_rank(const Case& c, int core) { return std::ranges::find(c.at, core) != c.at.end(); }

// The cores without ranks among [first, first + number).
std::vector<int> free_of(const Case& c, int first, int number) {
  std::vector<int> free;
  for (int core = first; core < first + number; ++core) {
    if (!has_rank(c, core)) free.push_back(core);
  }
  return free;
}

std::vector<int> free_of_node(const Case& c, int node) { return free_of(c, node * cores_of_node(c), cores_of_node(c)); }

std::vector<int> ranks_of_node(const Case& c, int node) {
  std::vector<int> on_node;
  for (int rank = 0; rank < ranks(c); ++rank) {
    if (node_of(c, c.at[rank]) == node) on_node.push_back(rank);
  }
  return on_node;
}

// Whether the free cores among [first, first + number) are those that "spread" leaves free.
bool is_spread(const Case& c, int first, int number) {
  const std::vector<int> free = free_of(c, first, number);
  const int n = static_cast<int>(free.size());
  for (int k = 1; k <= n; ++k) {
    if (free[k - 1] - first != (k * number + n - 1) / n - 1) return false;
  }
  return true;
}

bool a_full_node_has_ranks(const Case& c) {
  return std::ranges::any_of(c.at, [&](int core) { return free_of_node(c, node_of(c, core)).empty(); });
}

Judgement refused_where_it_must(const Case& c, const Outcome& o) {
  for (const Policy policy : kPolicies) {
    const bool must = policy == kOddEven && a_full_node_has_ranks(c);
    const bool is = !o.of[policy].refused.empty();
    if (is != must)
      return violated("{} is {}", kNames[policy], is ? "refused: " + o.of[policy].refused : "not refused");
  }
  return Judgement::holds();
}

Judgement own_node(const Case& c, const Outcome& o) {
  for (const Policy policy : kPolicies) {
    const Placed& placed = o.of[policy];
    for (int rank = 0; rank < std::ssize(placed.at); ++rank) {
      if (node_of(c, placed.at[rank]) != node_of(c, c.at[rank]) || !placed.on_whole_core[rank]) {
        return violated("{}: rank {} on core {} has its thread on core {}, {}", kNames[policy], rank, c.at[rank],
                        placed.at[rank], placed.on_whole_core[rank] ? "of another node" : "not on all of its PUs");
      }
    }
  }
  return Judgement::holds();
}

Judgement bind_is_own(const Case& c, const Outcome& o) {
  if (o.of[kBind].at == c.at) return Judgement::holds();
  return violated("threads are on cores {}", fmt::join(o.of[kBind].at, " "));
}

Judgement odd_even_on_free_cores(const Case& c, const Outcome& o) {
  const Placed& placed = o.of[kOddEven];
  if (placed.at.empty()) return Judgement::not_asked();
  for (int rank = 0; rank < ranks(c); ++rank) {
    if (has_rank(c, placed.at[rank]))
      return violated("rank {}'s thread is on core {}, as a rank", rank, placed.at[rank]);
  }
  return Judgement::holds();
}

Judgement odd_even_separates(const Case& c, const Outcome& o) {
  const Placed& placed = o.of[kOddEven];
  bool asked = false;
  for (int node = 0; node < c.nodes && !placed.at.empty(); ++node) {
    if (free_of_node(c, node).size() < 2) continue;
    const std::vector<int> on_node = ranks_of_node(c, node);
    for (size_t i = 1; i < on_node.size(); ++i) {
      asked = true;
      if (placed.at[on_node[i]] == placed.at[on_node[i - 1]]) {
        return violated("the threads of ranks {} and {} are on core {}", on_node[i - 1], on_node[i],
                        placed.at[on_node[i]]);
      }
    }
  }
  return asked ? Judgement::holds() : Judgement::not_asked();
}

Judgement odd_even_is_even(const Case& c, const Outcome& o) {
  const Placed& placed = o.of[kOddEven];
  if (placed.at.empty()) return Judgement::not_asked();
  for (int node = 0; node < c.nodes; ++node) {
    std::map<int, int> threads;
    for (const int core : free_of_node(c, node)) threads[core] = 0;
    const std::vector<int> on_node = ranks_of_node(c, node);
    if (on_node.empty()) continue;
    for (const int rank : on_node) ++threads[placed.at[rank]];
    int least = ranks(c), most = 0;
    for (const auto& [core, number] : threads) {
      least = std::min(least, number);
      most = std::max(most, number);
    }
    if (most - least > 1) return violated("node {} has a core with {} threads and one with {}", node, most, least);
  }
  return Judgement::holds();
}

// Equation 2. Applies to nodes with one NUMA node, if their free cores are spread and the number of free cores divides
// the number of cores.
Judgement equation_2(const Case& c, const Outcome& o) {
  const Placed& placed = o.of[kOddEven];
  if (placed.at.empty() || c.numas > 1) return Judgement::not_asked();
  bool asked = false;
  for (int node = 0; node < c.nodes; ++node) {
    const std::vector<int> on_node = ranks_of_node(c, node);
    const int p = c.cores, n = static_cast<int>(on_node.size()), first = node * c.cores;
    if (n == 0 || p % (p - n) != 0 || !is_spread(c, first, p)) continue;
    for (int r = 0; r < n; ++r) {
      asked = true;
      const int expected = first + models::odd_even_core(p, n, r);
      if (placed.at[on_node[r]] != expected) {
        return violated("rank {}'s thread is on core {}, Equation 2 says {}", on_node[r], placed.at[on_node[r]],
                        expected);
      }
    }
  }
  return asked ? Judgement::holds() : Judgement::not_asked();
}

Judgement numa_as_defined(const Case& c, const Outcome& o) {
  const Placed& placed = o.of[kNuma];
  for (int rank = 0; rank < std::ssize(placed.at); ++rank) {
    const std::vector<int> free = free_of(c, numa_of(c, c.at[rank]) * c.cores, c.cores);
    const auto after = std::ranges::upper_bound(free, c.at[rank]);
    const int expected = free.empty() ? c.at[rank] : after == free.end() ? free.back() : *after;
    if (placed.at[rank] != expected) {
      return violated("rank {} on core {} has its thread on core {}, not {}", rank, c.at[rank], placed.at[rank],
                      expected);
    }
  }
  return Judgement::holds();
}

// Equation 1. Applies to NUMA nodes whose free cores are spread.
Judgement equation_1(const Case& c, const Outcome& o) {
  const Placed& placed = o.of[kNuma];
  bool asked = false;
  for (int rank = 0; rank < std::ssize(placed.at); ++rank) {
    const int first = numa_of(c, c.at[rank]) * c.cores;
    if (!is_spread(c, first, c.cores)) continue;
    asked = true;
    const int n = c.cores - static_cast<int>(free_of(c, first, c.cores).size());
    const int expected = first + models::numa_core(c.cores, n, c.at[rank] - first);
    if (placed.at[rank] != expected) {
      return violated("rank {}'s thread is on core {}, Equation 1 says {}", rank, placed.at[rank], expected);
    }
  }
  return asked ? Judgement::holds() : Judgement::not_asked();
}

Judgement list_is_odd_even(const Case&, const Outcome& o) {
  if (o.listed.empty()) return Judgement::not_asked();
  if (o.listed == o.of[kOddEven].at) return Judgement::holds();
  return violated("listed cores give {}, odd-even {}", fmt::join(o.listed, " "), fmt::join(o.of[kOddEven].at, " "));
}

Judgement processes_agree(const Case& c, const Outcome& o) {
  for (const Policy policy : kPolicies) {
    const Placed& placed = o.of[policy];
    for (int rank = 0; rank < std::ssize(placed.at); ++rank) {
      const int node = node_of(c, c.at[rank]);
      std::set<int> communicating;
      for (const int other : ranks_of_node(c, node)) {
        if (!has_rank(c, placed.at[other])) communicating.insert(placed.at[other]);
      }
      const mpix::ThreadPlaces& seen = placed.seen[rank];
      if (seen.core != placed.at[rank] || seen.communicates == has_rank(c, placed.at[rank]) ||
          std::cmp_not_equal(seen.communication_cores, communicating.size()) || seen.cores != cores_of_node(c)) {
        return violated(
            "{}: rank {} sees its thread on core {}{}, {} of {} cores communicate; it is on {}, and {} of {} do",
            kNames[policy], rank, seen.core, seen.communicates ? ", without a rank" : "", seen.communication_cores,
            seen.cores, placed.at[rank], communicating.size(), cores_of_node(c));
      }
    }
  }
  return Judgement::holds();
}

template <class Has>
auto where(const Has& has) {
  return [has](const Case& c, const Outcome& o) { return has(c, o) ? Judgement::holds() : Judgement::not_asked(); };
}

bool a_numa_node_is_full(const Case& c, const Outcome&) {
  return std::ranges::any_of(c.at, [&](int core) {
    return free_of(c, numa_of(c, core) * c.cores, c.cores).empty() && !free_of_node(c, node_of(c, core)).empty();
  });
}

bool does_not_divide(const Case& c, const Outcome&) {
  const int n = static_cast<int>(ranks_of_node(c, 0).size()), p = cores_of_node(c);
  return n > 0 && n < p && p % (p - n) != 0;
}

bool is_refused(const Case& c, const Outcome&) { return a_full_node_has_ranks(c); }

bool ranks_are_out_of_order(const Case& c, const Outcome&) { return !std::ranges::is_sorted(c.at); }

}  // namespace

std::vector<Property<ProgressCase, ProgressOutcome>> progress_properties() {
  constexpr auto kSometimes = PropertyInfo::Kind::kSometimes;
  constexpr const char* kOurs = "platforms/progress_placement.h";
  return {
      {{"refused", "odd-even is refused where a node with ranks has no free core, nothing else is", kOurs},
       refused_where_it_must},
      {{"own-node", "a thread runs on its rank's node, on all PUs of one core", kOurs}, own_node},
      {{"bind", "bind: a thread runs on its rank's core", kSection4}, bind_is_own},
      {{"free-core", "odd-even: no thread runs where a rank does", kSection5}, odd_even_on_free_cores},
      {{"consecutive", "odd-even: the threads of consecutive ranks of a node run on different cores, if it has two",
        kSection5},
       odd_even_separates},
      {{"even-load", "odd-even: no free core of a node has two threads more than another", kSection5},
       odd_even_is_even},
      {{"equation-2", "odd-even of spread ranks is Equation 2 where it is defined",
        "IJHPCA'19, Eq. 2; models/split_tree.h"},
       equation_2},
      {{"nearest", "numa: the first free core after the rank's in its NUMA node, else the last, else its own", kOurs},
       numa_as_defined},
      {{"equation-1", "numa of spread ranks is Equation 1", "IJHPCA'19, Eq. 1; models/split_tree.h"}, equation_1},
      {{"list", "a list of the free cores is odd-even", kOurs}, list_is_odd_even},
      {{"seen", "each process sees its thread where all see it, and how many cores communicate",
        "mpi_ext/nbc/thread_places.h"},
       processes_agree},
      {{"some-full-numa", "a NUMA node is full and its node is not", kSection4, kSometimes},
       where(a_numa_node_is_full)},
      {{"some-undivided", "the free cores do not divide the cores", kSection5, kSometimes}, where(does_not_divide)},
      {{"some-refused", "a node is full", kOurs, kSometimes}, where(is_refused)},
      {{"some-unordered", "ranks are not in the order of the cores", kOurs, kSometimes}, where(ranks_are_out_of_order)},
  };
}

}  // namespace strata::check
