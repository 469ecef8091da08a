// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/placement.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <utility>

#include "base/error.h"
#include "base/input_file.h"

namespace strata {
namespace {

// Whether `v` is an object of a type that both --map-by and --bind-to accept.
bool is_of_type(const Topology& t, int v, Bound type) {
  const ObjectType o = t.type(v);
  switch (type) {
    case Bound::kNode:
      return o == ObjectType::kMachine;
    case Bound::kNuma:
      return o == ObjectType::kNumaNode;
    case Bound::kPackage:
      return o == ObjectType::kPackage;
    case Bound::kGroup:
      return o == ObjectType::kGroup;
    case Bound::kL3:
      return o == ObjectType::kCache && t.name(v) == "L3";
    case Bound::kL2:
      return o == ObjectType::kCache && t.name(v) == "L2";
    case Bound::kCore:
      return t.object(v) != nullptr && t.object(v)->is_core;
    case Bound::kNone:
      break;
  }
  return false;
}

Binding bind(const Topology& t, int core, const BindTo& bind_to) {
  const int node = t.node(core);
  if (bind_to.value() == Bound::kNone) return {node, t.object(t.node_vertex(node))->cpuset, core};
  for (int v = core; t.node(v) >= 0; v = t.parent(v)) {
    if (is_of_type(t, v, bind_to.value())) return {node, t.object(v)->cpuset, core};
  }
  throw InputError(kBindToOption,
                   "core " + t.object(core)->cpuset.list() + " of node " + std::to_string(node) +
                       " lies in no object of type '" + bind_to.name() + "'",
                   "look at the levels with `strata topo`");
}

int first_core_of(const Topology& t, int node, const Cpuset& cpuset) {
  const int machine = t.node_vertex(node);
  for (int i = t.first_core(machine); i < t.first_core(machine) + t.num_cores(machine); ++i) {
    if (t.object(t.cores()[i])->cpuset.intersects(cpuset)) return t.cores()[i];
  }
  return -1;  // not reached: every PU is below a core
}

void require_room(long cores, int np, const PlacementOptions& options) {
  if (np > cores && !options.oversubscribe) {
    throw InputError("--np", std::to_string(np) + " ranks on " + std::to_string(cores) + " cores",
                     "give at most " + std::to_string(cores) + ", or say --oversubscribe");
  }
}

// Whether each core of a NUMA node remains free if it has that many ranks.
std::vector<bool> free_positions(long cores, long ranks) {
  std::vector<bool> free(cores, false);
  const long n = cores - ranks;
  for (long k = 1; k <= n; ++k) free[(k * cores + n - 1) / n - 1] = true;
  return free;
}

// The number of the `np` ranks for each NUMA node.
std::vector<int> shares(const std::vector<std::vector<int>>& numa_nodes, int np) {
  std::vector<int> share(numa_nodes.size(), 0);
  for (size_t i = 0; np > 0; i = (i + 1) % share.size()) {
    if (share[i] == static_cast<int>(numa_nodes[i].size())) continue;
    ++share[i];
    --np;
  }
  return share;
}

std::vector<Binding> spread(const Topology& t, int np, const PlacementOptions& options) {
  const int cores = static_cast<int>(t.cores().size());
  require_room(cores, np, options);
  const std::vector<std::vector<int>> numa_nodes = cores_by_numa_node(t);
  std::vector<Binding> ranks;
  ranks.reserve(np);
  while (static_cast<int>(ranks.size()) < np) {
    const std::vector<int> share = shares(numa_nodes, std::min(np - static_cast<int>(ranks.size()), cores));
    for (size_t i = 0; i < share.size(); ++i) {
      const std::vector<bool> free = free_positions(static_cast<long>(numa_nodes[i].size()), share[i]);
      for (size_t c = 0; c < free.size(); ++c) {
        if (!free[c]) ranks.push_back(bind(t, numa_nodes[i][c], options.bind_to));
      }
    }
  }
  return ranks;
}

// All cores node by node; within a node, taking turns among its packages. Cores outside packages count as one more
// package.
std::vector<int> cores_block_cyclic(const Topology& t) {
  std::vector<int> order;
  for (int node = 0; node < t.num_nodes(); ++node) {
    const int machine = t.node_vertex(node);
    std::map<int, std::vector<int>> by_package;  // and for cores outside packages
    for (int i = t.first_core(machine); i < t.first_core(machine) + t.num_cores(machine); ++i) {
      int v = t.cores()[i];
      while (v != machine && t.type(v) != ObjectType::kPackage) v = t.parent(v);
      by_package[v == machine ? t.num_vertices() : v].push_back(t.cores()[i]);
    }
    const size_t before = order.size();
    for (size_t round = 0; order.size() < before + t.num_cores(machine); ++round) {
      for (const auto& [package, cores] : by_package) {
        if (round < cores.size()) order.push_back(cores[round]);
      }
    }
  }
  return order;
}

// All cores of the nodes that np ranks need, in random order.
std::vector<int> cores_at_random(const Topology& t, int np, std::uint64_t seed) {
  std::vector<int> order;
  for (int node = 0; node < t.num_nodes() && static_cast<int>(order.size()) < np; ++node) {
    const auto first = t.cores().begin() + t.first_core(t.node_vertex(node));
    order.insert(order.end(), first, first + t.num_cores(t.node_vertex(node)));
  }
  // Not std::shuffle, whose results depend on the library.
  std::mt19937_64 engine(seed);
  for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[engine() % i]);
  return order;
}

std::vector<Binding> in_order(const Topology& t, const std::vector<int>& cores, int np,
                              const PlacementOptions& options) {
  require_room(static_cast<long>(cores.size()), np, options);
  std::vector<Binding> ranks;
  ranks.reserve(np);
  for (int r = 0; r < np; ++r) ranks.push_back(bind(t, cores[r % cores.size()], options.bind_to));
  return ranks;
}

struct Object {
  int vertex;
  int next, end;  // indexes into cores()
};

// The objects over which ranks are dealt, in the order of their turns.
std::vector<Object> objects_of(const Topology& t, Bound type) {
  std::vector<Object> objects;
  for (int v = 0; v < t.num_vertices(); ++v) {
    if (t.type(v) == ObjectType::kNetwork || !is_of_type(t, v, type)) continue;
    objects.push_back({v, t.first_core(v), t.first_core(v) + t.num_cores(v)});
  }
  if (objects.empty()) {
    throw InputError(kMapByOption,
                     std::string("the machine has no object of type '") + word_of(kBoundWords, type) + "'",
                     "look at the levels with `strata topo`");
  }
  // Cores are in logical order. NUMA nodes may be nested, for example one for all packages around one for each package.
  // They are used in the order of hwloc's index, and a core in several of them counts once.
  if (type != Bound::kCore) {
    std::stable_sort(objects.begin(), objects.end(), [&](const Object& a, const Object& b) {
      const std::pair key_a(t.node(a.vertex), t.object(a.vertex)->logical_index);
      return key_a < std::pair(t.node(b.vertex), t.object(b.vertex)->logical_index);
    });
  }
  return objects;
}

// The ranks of several cores that have room, in the order of their numbers. By core, they fill node after node.
std::vector<Binding> all_of_several_cores(const Topology& t, const PlacementOptions& options) {
  const Dealing dealing = options.map_by.value();
  if (dealing == Dealing::kSpread || dealing == Dealing::kBlockCyclic || dealing == Dealing::kRandom) {
    throw InputError(kMapByOption,
                     options.map_by.name() + " does not go with PE=" + std::to_string(options.cores_per_rank),
                     "give for example package:PE=" + std::to_string(options.cores_per_rank));
  }
  if (options.bind_to.value() != Bound::kCore) {
    throw InputError(kBindToOption,
                     options.bind_to.name() + " does not go with --map-by PE=" +
                         std::to_string(options.cores_per_rank) + ", which also says to which cores a rank is bound",
                     "give one of them");
  }
  const bool fill = dealing == Dealing::kCore;
  const Bound type = fill ? Bound::kNode : *find_word(kBoundWords, options.map_by.name());
  std::vector<Object> objects = objects_of(t, type);
  std::vector<bool> taken(t.cores().size(), false);
  std::vector<Binding> ranks;
  for (size_t i = 0, full = 0; full < objects.size();) {
    Object& o = objects[i];
    std::vector<int> cores;
    for (; o.next != o.end && static_cast<int>(cores.size()) < options.cores_per_rank; ++o.next) {
      if (!taken[o.next]) cores.push_back(o.next);
    }
    const bool fits = static_cast<int>(cores.size()) == options.cores_per_rank;
    if (fits) {
      const int first = t.cores()[cores.front()];
      Binding b{t.node(first), t.object(first)->cpuset, first};
      for (const int core : cores) {
        b.cpuset |= t.object(t.cores()[core])->cpuset;
        taken[core] = true;
      }
      ranks.push_back(std::move(b));
    }
    full = fits ? 0 : full + 1;
    if (!fits || !fill) i = (i + 1) % objects.size();
  }
  if (ranks.empty()) {
    throw InputError(kMapByOption,
                     std::string("no ") + word_of(kBoundWords, type) + " has the " +
                         std::to_string(options.cores_per_rank) + " cores that PE= gives each rank",
                     "look at the levels with `strata topo`");
  }
  return ranks;
}

std::vector<Binding> of_several_cores(const Topology& t, int np, const PlacementOptions& options) {
  const std::vector<Binding> all = all_of_several_cores(t, options);
  if (np > static_cast<int>(all.size()) && !options.oversubscribe) {
    throw InputError("--np",
                     std::to_string(np) + " ranks of " + std::to_string(options.cores_per_rank) +
                         " cores each, but there is room for " + std::to_string(all.size()),
                     "give at most " + std::to_string(all.size()) + ", or a smaller PE=, or say --oversubscribe");
  }
  std::vector<Binding> ranks;
  ranks.reserve(np);
  for (int r = 0; r < np; ++r) ranks.push_back(all[r % all.size()]);
  return ranks;
}

}  // namespace

void read_map_by(std::string_view text, PlacementOptions& options) {
  const size_t colon = text.find(':');
  std::string_view cores = colon == std::string_view::npos ? text : text.substr(colon + 1);
  PlacementOptions read = options;
  read.cores_per_rank = 1;
  if (!cores.starts_with("PE=") && !cores.starts_with("pe=")) {
    read.map_by = text;
  } else {
    read.map_by = colon == std::string_view::npos ? MapBy(Dealing::kCore) : MapBy(text.substr(0, colon));
    cores.remove_prefix(3);
    const auto [end, error] = std::from_chars(cores.data(), cores.data() + cores.size(), read.cores_per_rank);
    if (error != std::errc() || end != cores.data() + cores.size() || read.cores_per_rank < 1) {
      throw InputError(kMapByOption, "'" + std::string(cores) + "' is not a number of cores", "write for example PE=4");
    }
  }
  options = read;
}

std::string map_by_text(const PlacementOptions& options) {
  return options.map_by.name() + (options.cores_per_rank > 1 ? ":PE=" + std::to_string(options.cores_per_rank) : "");
}

int room_for_ranks(const Topology& t, const PlacementOptions& options) {
  if (options.cores_per_rank == 1) return static_cast<int>(t.cores().size());
  return static_cast<int>(all_of_several_cores(t, options).size());
}

std::vector<std::vector<int>> cores_by_numa_node(const Topology& t) {
  std::vector<std::vector<int>> all;
  std::map<int, size_t> index;  // by the NUMA node's vertex
  for (const int core : t.cores()) {
    const int machine = t.node_vertex(t.node(core));
    int v = core;
    while (v != machine && t.type(v) != ObjectType::kNumaNode) v = t.parent(v);
    const auto [at, is_new] = index.emplace(v, all.size());
    if (is_new) all.emplace_back();
    all[at->second].push_back(core);
  }
  return all;
}

std::vector<Binding> place(const Topology& t, int np, const PlacementOptions& options) {
  if (np < 1) throw InputError("--np", std::to_string(np) + " ranks", "give at least 1");
  if (options.cores_per_rank > 1) return of_several_cores(t, np, options);
  const Dealing dealing = options.map_by.value();
  if (dealing == Dealing::kSpread) return spread(t, np, options);
  if (dealing == Dealing::kBlockCyclic) return in_order(t, cores_block_cyclic(t), np, options);
  if (dealing == Dealing::kRandom) return in_order(t, cores_at_random(t, np, options.seed), np, options);
  const Bound type = *find_word(kBoundWords, options.map_by.name());  // the other words mean the same for both
  std::vector<Object> objects = objects_of(t, type);
  std::vector<bool> held(t.cores().size(), false);
  for (const Object& o : objects) std::fill(held.begin() + o.next, held.begin() + o.end, true);
  const long cores = std::count(held.begin(), held.end(), true);
  require_room(cores, np, options);
  const std::vector<Object> fresh = objects;
  std::vector<Binding> ranks;
  ranks.reserve(np);
  long left = cores;
  std::vector<bool> taken(t.cores().size(), false);
  for (size_t i = 0; static_cast<int>(ranks.size()) < np; i = (i + 1) % objects.size()) {
    if (left == 0) {  // oversubscribed: the next round begins like the first
      objects = fresh;
      left = cores;
      taken.assign(taken.size(), false);
      i = 0;
    }
    Object& o = objects[i];
    while (o.next != o.end && taken[o.next]) ++o.next;
    if (o.next == o.end) continue;
    taken[o.next] = true;
    ranks.push_back(bind(t, t.cores()[o.next], options.bind_to));
    --left;
  }
  return ranks;
}

int num_nodes(const std::vector<Binding>& bindings) {
  std::set<int> nodes;
  for (const Binding& b : bindings) nodes.insert(b.node);
  return static_cast<int>(nodes.size());
}

std::vector<int> core_indexes(const Topology& topology, const std::vector<Binding>& bindings) {
  std::vector<int> indexes;
  indexes.reserve(bindings.size());
  for (const Binding& b : bindings) indexes.push_back(topology.first_core(b.core));
  return indexes;
}

std::vector<double> cores_per_rank(const Topology& t, const std::vector<Binding>& bindings) {
  std::vector<double> ranks_on(t.cores().size());
  const auto for_each_core = [&](const Binding& b, auto&& visit) {
    const int machine = t.node_vertex(b.node), first = t.first_core(machine);
    for (int i = first; i < first + t.num_cores(machine); ++i) {
      if (t.object(t.cores()[i])->cpuset.intersects(b.cpuset)) visit(ranks_on[i]);
    }
  };
  for (const Binding& b : bindings) for_each_core(b, [](double& ranks) { ++ranks; });
  std::vector<double> cores;
  for (const Binding& b : bindings) {
    double sum = 0;
    for_each_core(b, [&sum](const double& ranks) { sum += 1 / ranks; });
    cores.push_back(std::max(1.0, sum));
  }
  return cores;
}

std::vector<Binding> read_bindings(const std::filesystem::path& file, const Topology& t, int np) {
  std::ifstream in = open_input(file, "give a bindings file: a line `rank node cpuset` for each rank");
  std::map<int, Binding> by_rank;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    const std::string where = file.string() + ":" + std::to_string(number);
    std::istringstream words(line.substr(0, line.find('#')));
    std::string rank_text, node_text, cpuset_text, rest;
    if (!(words >> rank_text)) continue;
    if (!(words >> node_text >> cpuset_text) || (words >> rest)) {
      throw InputError(where, "'" + line + "' is not `rank node cpuset`", "write for example `4 0 0-3,8`");
    }
    const auto whole = [&](const std::string& text, const char* what) {
      int value = -1;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
      if (error != std::errc() || end != text.data() + text.size() || value < 0) {
        throw InputError(where, std::string(what) + " '" + text + "' is not a whole number", "write 0, 1, 2, ...");
      }
      return value;
    };
    const int rank = whole(rank_text, "rank");
    const int node = whole(node_text, "node");
    if (node >= t.num_nodes()) {
      throw InputError(where, "node " + node_text + " is not there",
                       "the machine has nodes 0 to " + std::to_string(t.num_nodes() - 1));
    }
    const std::optional<Cpuset> cpuset = Cpuset::parse(cpuset_text);
    if (!cpuset) throw InputError(where, "cpuset '" + cpuset_text + "' is malformed", "write a list as `0-3,8`");
    const Cpuset& all = t.object(t.node_vertex(node))->cpuset;
    if (!all.includes(*cpuset)) {
      int missing = cpuset->first();
      while (all.contains(missing)) missing = cpuset->next(missing);
      throw InputError(where, "PU " + std::to_string(missing) + " is not on node " + node_text,
                       "it has the PUs " + all.list());
    }
    if (!by_rank.emplace(rank, Binding{node, *cpuset, first_core_of(t, node, *cpuset)}).second) {
      throw InputError(where, "duplicate rank " + rank_text, "give each rank one line");
    }
  }
  if (by_rank.empty()) throw InputError(file.string(), "binds no rank", "give a line `rank node cpuset` for each rank");
  std::vector<Binding> ranks;
  for (auto& [rank, binding] : by_rank) {
    if (rank != static_cast<int>(ranks.size())) {
      throw InputError(file.string(), "rank " + std::to_string(ranks.size()) + " is missing",
                       "give a line for each rank from 0 to " + std::to_string(by_rank.rbegin()->first));
    }
    ranks.push_back(std::move(binding));
  }
  if (np != 0 && static_cast<int>(ranks.size()) != np) {
    throw InputError(file.string(), "binds " + std::to_string(ranks.size()) + " ranks, --np says " + std::to_string(np),
                     "make them agree");
  }
  return ranks;
}

std::string format_bindings(const std::vector<Binding>& bindings) {
  std::string text;
  for (size_t rank = 0; rank < bindings.size(); ++rank) {
    text +=
        std::to_string(rank) + " " + std::to_string(bindings[rank].node) + " " + bindings[rank].cpuset.list() + "\n";
  }
  return text;
}

}  // namespace strata
