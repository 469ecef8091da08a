// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/hierarchy/split_plan.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "mpi_ext/ranks.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {
namespace {

// Nodes by their keys, in the order of their first members.
std::map<std::uint64_t, int> node_order(const std::vector<Entry>& entries) {
  std::map<std::uint64_t, int> nodes;
  for (const Entry& e : entries) nodes.try_emplace(e.place.node_key, static_cast<int>(nodes.size()));
  return nodes;
}

// By member: the number of the resource instance that contains it. Numbers increase in the order of the nodes' first
// members, and within a node in the order of its tree. If no common tree is known, instances are different, except
// nodes and the network's root.
std::vector<int> number_instances(const std::vector<Entry>& entries) {
  using Instance = std::tuple<int, std::uint64_t, std::int64_t>;  // node, tree, vertex
  const std::map<std::uint64_t, int> nodes = node_order(entries);
  const auto instance_of = [&](const Entry& e) -> Instance {
    if (e.instance == 0) return {0, 0, 0};
    return {nodes.at(e.place.node_key), e.instance_is_node != 0 ? 0 : e.place.tree, e.instance};
  };
  std::map<Instance, int> numbers;
  for (const Entry& e : entries) {
    if (e.instance >= 0) numbers[instance_of(e)] = 0;
  }
  int next = 0;
  for (auto& [instance, number] : numbers) number = next++;
  std::vector<int> result;
  for (const Entry& e : entries) result.push_back(e.instance < 0 ? -1 : numbers.at(instance_of(e)));
  return result;
}

// In this hierarchy, each member knows only its own branch, so the members exchange the first level. Collective.
void complete_first_level(MPI_Comm comm, const CommonTree& tree, const std::vector<Entry>& entries, Hierarchy& h) {
  const int rank = rank_in(comm);
  const int mine = h.levels[rank].empty() ? -1 : h.levels[rank].front();
  // The leader of the caller's communicator, and the position of this communicator in its node.
  std::array<int, 2> told = {-1, 0};
  if (mine >= 0) told = {h.comms[mine].members.front(), h.comms[mine].cover - tree.node_vertex};
  std::vector<std::array<int, 2>> all(entries.size());
  call(MPI_Allgather(told.data(), 2, MPI_INT, all.data(), 2, MPI_INT, comm));
  const std::map<std::uint64_t, int> nodes = node_order(entries);
  std::map<std::tuple<int, int, int>, std::vector<int>> siblings;  // by node, position in the node, leader
  for (size_t m = 0; m < all.size(); ++m) {
    if (all[m][0] < 0) continue;
    siblings[{nodes.at(entries[m].place.node_key), all[m][1], all[m][0]}].push_back(static_cast<int>(m));
  }
  // Below its own communicator, a member knows everything it needs. Other branches are dropped.
  Hierarchy known;
  known.levels.resize(h.levels.size());
  std::vector<Communicator> first;
  int my_index = -1;
  for (auto& [where, members] : siblings) {
    const bool own = mine >= 0 && std::get<2>(where) == told[0];
    if (own) my_index = static_cast<int>(first.size());
    first.push_back({.members = std::move(members), .cover = own ? h.comms[mine].cover : 0});
  }
  if (!first.empty()) add_family(known, -1, std::move(first));
  std::map<int, int> number = {{mine, my_index}};  // from communicators of `h` to those of `known`
  for (size_t f = 0; mine >= 0 && f < h.families.size(); ++f) {
    const Family& family = h.families[f];
    if (family.parent < 0 || number.count(family.parent) == 0) continue;
    std::vector<Communicator> below;
    for (int c : family.comms) {
      number[c] = static_cast<int>(known.comms.size() + below.size());
      below.push_back(h.comms[c]);
    }
    add_family(known, number.at(family.parent), std::move(below));
  }
  h = std::move(known);
}

Hierarchy split_as_asked(const Request& r, const CommonTree& tree, const std::vector<int>& instances) {
  const int size = static_cast<int>(tree.vertices.size());
  std::vector<int> numbers(size, 0);
  switch (r.kind) {
    case Request::Kind::kTopology: {
      Hierarchy h = split_all(tree.parents(), tree.vertices, r.hint ? INT_MAX : r.max_levels);
      if (!r.hint) return h;
      return split_to_level(h, *r.hint, [&](const Communicator& c) { return tree.name(c.cover); });
    }
    case Request::Kind::kResource:
      return split_by_instance(tree.parents(), tree.vertices, instances);
    case Request::Kind::kAlone:
      std::iota(numbers.begin(), numbers.end(), 0);
      [[fallthrough]];
    case Request::Kind::kTogether:
      return split_by_instance(tree.parents(), tree.vertices, numbers);
    case Request::Kind::kNobody:
      break;
  }
  return split_by_instance(tree.parents(), tree.vertices, std::vector<int>(size, -1));
}

// Plans in use by ranks, by the input from which they are made.
class Shared {
 public:
  struct Key {
    std::string request;
    std::uint64_t world;
    std::vector<int> world_ranks;
    auto operator<=>(const Key&) const = default;
  };

  // The plan of `key`. Calls `make` if no rank has it.
  template <class Make>
  std::shared_ptr<const Plan> get(const Key& key, Make make) {
    const std::lock_guard lock(mutex_);
    if (const auto at = plans_.find(key); at != plans_.end()) {
      if (std::shared_ptr<const Plan> plan = at->second.lock()) return plan;
    }
    std::shared_ptr<const Plan> plan(make().release(), [this, key](const Plan* p) { forget(key, p); });
    plans_[key] = plan;
    return plan;
  }

 private:
  void forget(const Key& key, const Plan* plan) {
    {
      const std::lock_guard lock(mutex_);
      const auto at = plans_.find(key);
      if (at != plans_.end() && at->second.expired()) plans_.erase(at);
    }
    delete plan;
  }

  std::mutex mutex_;
  std::map<Key, std::weak_ptr<const Plan>> plans_;
};

Shared& shared_plans() {
  static Shared& shared = *new Shared;  // never destroyed, because ranks may end in any order
  return shared;
}

}  // namespace

Plan::Plan(MPI_Comm comm, CommonTree tree, Hierarchy hierarchy, bool whole)
    : tree_(std::move(tree)),
      hierarchy_(std::move(hierarchy)),
      whole_(whole),
      consecutive_(all_consecutive(hierarchy_)) {
  tree_.vertices = {};
  comm_groups_.resize(hierarchy_.comms.size(), MPI_GROUP_NULL);
  roots_groups_.resize(hierarchy_.families.size(), MPI_GROUP_NULL);
  bridge_groups_.resize(hierarchy_.families.size(), MPI_GROUP_NULL);
  call(MPI_Comm_group(comm, &all_));
}

Plan::~Plan() {
  for (std::vector<MPI_Group>* groups : {&comm_groups_, &roots_groups_, &bridge_groups_}) {
    for (MPI_Group& g : *groups) {
      if (g != MPI_GROUP_NULL) MPI_Group_free(&g);
    }
  }
  if (all_ != MPI_GROUP_NULL) MPI_Group_free(&all_);
}

MPI_Group Plan::group(MPI_Group& kept, const std::vector<int>& ranks) const {
  const std::lock_guard lock(mutex_);
  if (kept == MPI_GROUP_NULL) kept = group_of(all_, ranks);
  return kept;
}

MPI_Group Plan::comm_group(int comm) const { return group(comm_groups_[comm], hierarchy_.comms[comm].members); }

MPI_Group Plan::roots_group(int family) const {
  return group(roots_groups_[family], hierarchy_.families[family].roots);
}

MPI_Group Plan::bridge_group(int family) const {
  const Family& f = hierarchy_.families[family];
  std::vector<int> ranks;
  std::merge(f.roots.begin(), f.roots.end(), f.stragglers.begin(), f.stragglers.end(), std::back_inserter(ranks));
  return group(bridge_groups_[family], ranks);
}

MPI_Group group_of(MPI_Group all, const std::vector<int>& ranks) {
  std::vector<std::array<int, 3>> ranges;  // first, last, stride
  for (int r : ranks) {
    if (!ranges.empty()) {
      auto& [first, last, stride] = ranges.back();
      if (first == last && r != last) stride = r - last;
      if (r == last + stride) {
        last = r;
        continue;
      }
    }
    ranges.push_back({r, r, 1});
  }
  for (auto& [first, last, stride] : ranges) {
    if (first == last) stride = 1;
  }
  MPI_Group group = MPI_GROUP_NULL;
  call(MPI_Group_range_incl(all, static_cast<int>(ranges.size()), reinterpret_cast<int(*)[3]>(ranges.data()), &group));
  return group;
}

std::shared_ptr<const Plan> make_plan(MPI_Comm comm, const Request& request, const Where& mine, bool everywhere,
                                      bool with_wishes, const Wish& wish) {
  std::vector<Entry> entries;
  const auto instance_of = [&](int v) { return request.resource ? request.resource->instance(*mine.topology, v) : -1; };
  if (!everywhere || with_wishes) {
    Entry e{mine.place, instance_of(static_cast<int>(mine.place.vertex)), 0, wish};
    if (e.instance > 0) {
      const int instance = static_cast<int>(e.instance);
      e.instance_is_node =
          mine.topology->node(instance) >= 0 && mine.topology->node_vertex(mine.topology->node(instance)) == instance;
      // A switch in a network that not all members know. No member can tell which others are below it.
      if (!everywhere && mine.topology->node(instance) < 0) e.instance = -1;
    }
    entries = exchange(comm, e);
  }
  const auto plan = [&](CommonTree tree, const std::vector<int>& instances) {
    Hierarchy h = split_as_asked(request, tree, instances);
    const bool whole = tree.whole;
    if (!whole && request.hint) complete_first_level(comm, tree, entries, h);
    if (with_wishes) {
      std::vector<Wish> wishes;
      for (const Entry& e : entries) wishes.push_back(e.wish);
      h = strata::mpix::with_wishes(h, tree.parents(), tree.vertices, wishes);
    }
    return std::make_unique<const Plan>(comm, std::move(tree), std::move(h), whole);
  };
  if (!everywhere) {
    std::vector<Place> places;
    for (const Entry& e : entries) places.push_back(e.place);
    CommonTree tree = join(mine, places);
    std::vector<int> instances;
    if (request.resource) instances = number_instances(entries);
    return plan(std::move(tree), instances);
  }
  const std::vector<int> world_ranks = world_ranks_of(comm);
  if (std::find(world_ranks.begin(), world_ranks.end(), MPI_UNDEFINED) != world_ranks.end()) return nullptr;
  const auto whole_machine = [&] {
    CommonTree tree;
    tree.topology = mine.topology;
    std::vector<int> instances;
    for (int r : world_ranks) tree.vertices.push_back(mine.world->vertex[r]);
    for (int v : tree.vertices) instances.push_back(instance_of(v));
    return plan(std::move(tree), instances);
  };
  if (with_wishes) return whole_machine();
  return shared_plans().get({request.text, mine.world->hash, world_ranks}, whole_machine);
}

std::shared_ptr<const Plan> plan_blocks(MPI_Comm comm, const std::vector<int>& groups) {
  const std::vector<int> world_ranks = world_ranks_of(comm);
  const bool one_world = std::find(world_ranks.begin(), world_ranks.end(), MPI_UNDEFINED) == world_ranks.end();
  std::string text = "blocks";
  for (int n : groups) text += " " + std::to_string(n);
  const auto blocks = [&] {
    const int size = static_cast<int>(world_ranks.size());
    return std::make_unique<const Plan>(comm, CommonTree(), split_into_blocks(size, groups), true);
  };
  if (!one_world) return blocks();
  return shared_plans().get({text, 0, world_ranks}, blocks);
}

}  // namespace strata::mpix
