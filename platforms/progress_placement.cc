// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/progress_placement.h"

#include <algorithm>
#include <charconv>
#include <sstream>

#include "base/error.h"

namespace strata {
namespace {

Binding at_core(const Topology& t, int core) { return {t.node(core), t.object(core)->cpuset, core}; }

// Whether a rank runs there, by vertex.
std::vector<bool> cores_of_ranks(const Topology& t, const std::vector<Binding>& ranks) {
  std::vector<bool> taken(t.num_vertices(), false);
  for (const Binding& b : ranks) taken[b.core] = true;
  return taken;
}

// The communication core of a rank for `numa`: the first free core after its own in its NUMA node, otherwise the last
// free core, or its own if none is free. `cores`: those of the NUMA node, in order.
int numa_core(const std::vector<int>& cores, const std::vector<bool>& taken, int core) {
  int last = core;
  for (const int c : cores) {
    if (taken[c]) continue;
    last = c;
    if (c > core) break;
  }
  return last;
}

std::vector<Binding> place_numa(const Topology& t, const std::vector<Binding>& ranks) {
  const std::vector<bool> taken = cores_of_ranks(t, ranks);
  std::vector<int> chosen(t.num_vertices(), -1);  // by the rank's core
  for (const std::vector<int>& cores : cores_by_numa_node(t)) {
    for (const int core : cores) {
      if (taken[core]) chosen[core] = numa_core(cores, taken, core);
    }
  }
  std::vector<Binding> threads;
  for (const Binding& b : ranks) threads.push_back(at_core(t, chosen[b.core]));
  return threads;
}

// Distributes the ranks of each node round-robin over the cores that `cores_of(node)` returns.
template <class CoresOf>
std::vector<Binding> deal(const Topology& t, const std::vector<Binding>& ranks, const CoresOf& cores_of) {
  std::vector<std::vector<int>> cores(t.num_nodes());
  std::vector<size_t> next(t.num_nodes(), 0);
  std::vector<Binding> threads;
  for (const Binding& b : ranks) {
    if (next[b.node] == 0) cores[b.node] = cores_of(b.node);
    threads.push_back(at_core(t, cores[b.node][next[b.node]++ % cores[b.node].size()]));
  }
  return threads;
}

std::vector<Binding> place_odd_even(const Topology& t, const std::vector<Binding>& ranks, const std::string& option) {
  const std::vector<bool> taken = cores_of_ranks(t, ranks);
  return deal(t, ranks, [&](int node) {
    std::vector<int> free;
    const int machine = t.node_vertex(node), first = t.first_core(machine);
    for (int i = first; i < first + t.num_cores(machine); ++i) {
      if (!taken[t.cores()[i]]) free.push_back(t.cores()[i]);
    }
    if (free.empty()) {
      throw InputError(option, "odd-even has no core left for communication on node " + std::to_string(node),
                       "run fewer ranks, or say bind");
    }
    return free;
  });
}

std::vector<int> read_list(const std::string& policy, const std::string& option) {
  std::vector<int> pus;
  std::istringstream words(policy + ",");
  for (std::string word; std::getline(words, word, ',');) {
    int pu = -1;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), pu);
    if (error != std::errc() || end != word.data() + word.size() || pu < 0) {
      throw InputError(option, "'" + policy + "' is neither a policy nor a list of PUs",
                       "give bind, numa, odd-even, or OS indexes such as 31,63");
    }
    pus.push_back(pu);
  }
  return pus;
}

// The core to which a PU belongs. `taken`: by vertex, whether a rank runs there.
int listed_core(const Topology& t, int node, int pu, const std::vector<bool>& taken, const std::string& option) {
  const std::string name = "PU " + std::to_string(pu);
  const int machine = t.node_vertex(node), first = t.first_core(machine);
  for (int i = first; i < first + t.num_cores(machine); ++i) {
    const int core = t.cores()[i];
    if (!t.object(core)->cpuset.contains(pu)) continue;
    if (taken[core]) {
      throw InputError(option, name + " of node " + std::to_string(node) + " is of a core that runs a rank",
                       "give PUs of free cores, or say bind");
    }
    return core;
  }
  throw InputError(option, name + " is not on node " + std::to_string(node),
                   "it has the PUs " + t.object(machine)->cpuset.list());
}

std::vector<Binding> place_listed(const Topology& t, const std::vector<Binding>& ranks, const std::string& policy,
                                  const std::string& option) {
  const std::vector<int> pus = read_list(policy, option);
  const std::vector<bool> taken = cores_of_ranks(t, ranks);
  return deal(t, ranks, [&](int node) {
    std::vector<int> cores;
    for (const int pu : pus) cores.push_back(listed_core(t, node, pu, taken, option));
    return cores;
  });
}

}  // namespace

std::vector<Binding> place_progress(const Topology& t, const std::vector<Binding>& ranks, const std::string& policy,
                                    const std::string& option) {
  if (policy == "numa") return place_numa(t, ranks);
  if (policy == "odd-even") return place_odd_even(t, ranks, option);
  if (policy != "bind") return place_listed(t, ranks, policy, option);
  std::vector<Binding> threads;
  for (const Binding& b : ranks) threads.push_back(at_core(t, b.core));
  return threads;
}

int count_cores(const std::vector<Binding>& bindings) {
  std::vector<int> cores;
  for (const Binding& b : bindings) cores.push_back(b.core);
  std::sort(cores.begin(), cores.end());
  return static_cast<int>(std::unique(cores.begin(), cores.end()) - cores.begin());
}

}  // namespace strata
