// SPDX-License-Identifier: LGPL-2.1-only
#include "check/areas/progress_area.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <mutex>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "check/engine/key.h"
#include "platforms/progress_placement.h"

namespace strata::check {
namespace {

constexpr const char* kForm =
    "nodes=N,numas=M,cores=C,pus=P,ranks=A.B.C..., such as 'nodes=1,numas=2,cores=4,pus=1,ranks=0.1.4'";
constexpr std::array kNames = {"bind", "numa", "odd-even"};
constexpr int kMostCores = 1024;  // limit for keys
constexpr int kAllOrders = 4;     // maximum number of cores for which ranks are enumerated in every order

int cores_of(const ProgressCase& c) { return c.nodes * c.numas * c.cores; }

// Machines are cached, because hwloc takes a millisecond for each.
std::shared_ptr<const Topology> machine_of(const ProgressCase& c) {
  static std::mutex mutex;
  static std::map<std::tuple<int, int, int, int>, std::shared_ptr<const Topology>> made;
  const std::lock_guard guard(mutex);
  auto& machine = made[{c.nodes, c.numas, c.cores, c.pus}];
  if (machine == nullptr) {
    machine = parse_tree(fmt::format("node:{} pack:{} [numa] core:{} pu:{}", c.nodes, c.numas, c.cores, c.pus));
  }
  return machine;
}

std::vector<Binding> bindings_of(const Topology& t, const std::vector<int>& at) {
  std::vector<Binding> bindings;
  for (const int index : at) {
    const int core = t.cores()[index];
    bindings.push_back({t.node(core), t.object(core)->cpuset, core});
  }
  return bindings;
}

// The view of each process. `core` is a vertex of the library's tree; here it becomes an index.
std::vector<mpix::ThreadPlaces> seen_by_each(const std::shared_ptr<const Topology>& t,
                                             const std::vector<Binding>& ranks, const std::string& policy) {
  std::vector<mpix::Place> places;
  for (const Binding& b : ranks) places.push_back({static_cast<std::uint64_t>(100 + b.node), 1, b.core});
  std::vector<mpix::ThreadPlaces> seen;
  for (int rank = 0; rank < std::ssize(ranks); ++rank) {
    seen.push_back(
        find_thread_places({.topology = t, .place = places[rank], .world = nullptr}, places, rank, {}, policy));
    seen.back().core = t->first_core(seen.back().core);
  }
  return seen;
}

Placed placed_by(const std::shared_ptr<const Topology>& t, const std::vector<Binding>& ranks,
                 const std::string& policy) {
  Placed placed;
  try {
    for (const Binding& b : place_progress(*t, ranks, policy)) {
      placed.at.push_back(t->first_core(b.core));
      placed.on_whole_core.push_back(b.node == t->node(b.core) && b.cpuset == t->object(b.core)->cpuset);
    }
    placed.seen = seen_by_each(t, ranks, policy);
  } catch (const InputError& e) {
    placed = {};
    placed.refused = e.what();
  }
  return placed;
}

// The first PU of each free core, on a machine of one node; empty if no core is free.
std::string free_list(const Topology& t, const ProgressCase& c) {
  std::string list;
  for (int core = 0; core < cores_of(c); ++core) {
    if (std::ranges::find(c.at, core) != c.at.end()) continue;
    list += fmt::format("{}{}", list.empty() ? "" : ",", t.object(t.cores()[core])->cpuset.first());
  }
  return list;
}

int choose(Random& random, int least, int most) {
  return least + static_cast<int>(random() % static_cast<std::uint64_t>(most - least + 1));
}

class ProgressDomain : public Domain<ProgressCase, ProgressOutcome> {
 public:
  std::string name() const override { return "progress"; }
  std::string about() const override { return "progress threads: the cores that they run on, by every policy"; }

  Bounds bounds(Effort effort) const override {
    const bool full = effort == Effort::kFull;
    return {
        {"cores", full ? 10 : 6, 1, 16, "cores of a machine of equal nodes of equal NUMA nodes; ranks on any of them"},
        {"pus", 2, 1, 4, "of a core"}};
  }

  long random_cases(Effort effort) const override { return effort == Effort::kFull ? 2000 : 100; }

  std::string remark(const Bounds&) const override {
    return fmt::format("ranks in the order of the cores, and round the nodes; up to {} cores in every order",
                       kAllOrders);
  }

  std::vector<Property<ProgressCase, ProgressOutcome>> properties() const override { return progress_properties(); }

  void enumerate(const Bounds& bounds, const Visit& visit) const override {
    for (int total = 1; total <= bounds["cores"]; ++total) {
      for (int nodes = 1; nodes <= total; ++nodes) {
        for (int numas = 1; nodes * numas <= total; ++numas) {
          if (total % (nodes * numas) != 0) continue;
          for (int pus = 1; pus <= bounds["pus"]; ++pus) {
            if (!enumerate_ranks({nodes, numas, total / (nodes * numas), pus, {}}, visit)) return;
          }
        }
      }
    }
  }

  ProgressCase random(const Bounds& bounds, Random& random) const override {
    ProgressCase c;
    do {
      c.nodes = choose(random, 1, 3);
      c.numas = choose(random, 1, 4);
      c.cores = choose(random, 1, 16);
    } while (cores_of(c) <= bounds["cores"]);
    c.pus = choose(random, 1, 2);
    std::vector<int> all(cores_of(c));
    std::iota(all.begin(), all.end(), 0);
    std::shuffle(all.begin(), all.end(), random);
    all.resize(choose(random, 1, cores_of(c)));
    if (choose(random, 0, 1) == 0) std::ranges::sort(all);
    c.at = all;
    return c;
  }

  // Equal for cases that differ only in the numbering of the nodes. The number of PUs matters.
  std::uint64_t fingerprint(const ProgressCase& c) const override {
    std::map<int, int> names;  // of nodes, in the order of their first ranks
    ProgressCase same = c;
    const int on_node = c.numas * c.cores;
    for (int& core : same.at) {
      const int name = names.try_emplace(core / on_node, names.size()).first->second;
      core = name * on_node + core % on_node;
    }
    return std::hash<std::string>()(progress_key(same));
  }

  ProgressOutcome run(const ProgressCase& c) const override { return progress_outcome(c); }
  std::string key(const ProgressCase& c) const override { return progress_key(c); }
  ProgressCase read(const std::string& key) const override { return read_progress_key(key); }

  std::vector<ProgressCase> smaller(const ProgressCase& c) const override {
    std::vector<ProgressCase> all;
    const auto add = [&](ProgressCase less) {
      std::erase_if(less.at, [&](int core) { return core >= cores_of(less); });
      if (less.nodes > 0 && less.numas > 0 && less.cores > 0 && less.pus > 0 && !less.at.empty() && less != c) {
        all.push_back(std::move(less));
      }
    };
    add({c.nodes - 1, c.numas, c.cores, c.pus, c.at});
    add({c.nodes, c.numas - 1, c.cores, c.pus, c.at});
    add({c.nodes, c.numas, c.cores - 1, c.pus, c.at});
    add({c.nodes, c.numas, c.cores, c.pus - 1, c.at});
    for (size_t rank = 0; rank < c.at.size(); ++rank) {
      ProgressCase less = c;
      less.at.erase(less.at.begin() + static_cast<long>(rank));
      add(std::move(less));
    }
    ProgressCase sorted = c;
    std::ranges::sort(sorted.at);
    add(std::move(sorted));
    return all;
  }

  // The text has a line for each core, with its ranks and threads.
  Drawing draw(const ProgressCase& c) const override {
    const ProgressOutcome o = run(c);
    std::string text;
    for (int core = 0; core < cores_of(c); ++core) {
      if (core % (c.numas * c.cores) == 0) text += fmt::format("node {}\n", core / (c.numas * c.cores));
      if (core % c.cores == 0) text += fmt::format("  NUMA node {}\n", core / c.cores % c.numas);
      text += fmt::format("    core {}:", core);
      for (int rank = 0; rank < std::ssize(c.at); ++rank) {
        if (c.at[rank] == core) text += fmt::format(" rank {};", rank);
      }
      for (size_t policy = 0; policy < kNames.size(); ++policy) {
        std::vector<int> threads;
        for (int rank = 0; rank < std::ssize(o.of[policy].at); ++rank) {
          if (o.of[policy].at[rank] == core) threads.push_back(rank);
        }
        if (!threads.empty()) text += fmt::format(" {} of {};", kNames[policy], fmt::join(threads, ","));
      }
      text.back() = '\n';
    }
    for (size_t policy = 0; policy < kNames.size(); ++policy) {
      if (!o.of[policy].refused.empty())
        text += fmt::format("{} is refused: {}\n", kNames[policy], o.of[policy].refused);
    }
    return {.text = text, .svg = {}};
  }

 private:
  static bool enumerate_ranks(ProgressCase c, const Visit& visit) {
    const int total = cores_of(c);
    std::vector<int> subsets(1U << total);
    std::iota(subsets.begin(), subsets.end(), 0);
    std::ranges::stable_sort(subsets, {}, [](int set) { return __builtin_popcount(set); });
    for (const int set : subsets) {
      c.at.clear();
      for (int core = 0; core < total; ++core) {
        if ((set >> core & 1) == 1) c.at.push_back(core);
      }
      if (!c.at.empty() && !visit_orders(c, visit)) return false;
    }
    return true;
  }

  static bool visit_orders(ProgressCase c, const Visit& visit) {
    if (cores_of(c) <= kAllOrders) {
      do {
        if (!visit(c)) return false;
      } while (std::ranges::next_permutation(c.at).found);
      return true;
    }
    if (!visit(c)) return false;
    const std::vector<int> in_order = c.at;
    const int on_node = c.numas * c.cores;
    std::ranges::stable_sort(c.at, {}, [&](int core) {
      const int first =
          static_cast<int>(std::ranges::lower_bound(in_order, core / on_node * on_node) - in_order.begin());
      const int own = static_cast<int>(std::ranges::lower_bound(in_order, core) - in_order.begin());
      return own - first;  // its index among the ranks of its node
    });
    return c.at == in_order || visit(c);
  }
};

}  // namespace

ProgressOutcome progress_outcome(const ProgressCase& c) {
  const std::shared_ptr<const Topology> machine = machine_of(c);
  const std::vector<Binding> ranks = bindings_of(*machine, c.at);
  ProgressOutcome o;
  for (size_t policy = 0; policy < kNames.size(); ++policy) o.of[policy] = placed_by(machine, ranks, kNames[policy]);
  const std::string list = free_list(*machine, c);
  if (c.nodes == 1 && !list.empty()) o.listed = placed_by(machine, ranks, list).at;
  return o;
}

std::string progress_key(const ProgressCase& c) {
  return fmt::format("nodes={},numas={},cores={},pus={},ranks={}", c.nodes, c.numas, c.cores, c.pus, with_dots(c.at));
}

ProgressCase read_progress_key(const std::string& key) {
  KeyFields fields(key, kForm);
  ProgressCase c;
  c.nodes = fields.number("nodes", 1, 16);
  c.numas = fields.number("numas", 1, 16);
  c.cores = fields.number("cores", 1, 64);
  c.pus = fields.number("pus", 1, 8);
  if (cores_of(c) > kMostCores) fields.refuse(fmt::format("{} cores, {} at most", cores_of(c), kMostCores));
  c.at = fields.numbers("ranks", 0, cores_of(c) - 1);
  if (std::set<int>(c.at.begin(), c.at.end()).size() != c.at.size()) fields.refuse("two ranks on one core");
  fields.end();
  return c;
}

std::unique_ptr<Area> progress_area() { return area_of(std::make_unique<ProgressDomain>()); }

}  // namespace strata::check
