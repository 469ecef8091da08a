#include "models/check/small_topology.h"

#include <stdexcept>
#include <utility>

namespace strata::check {
namespace {

Cpuset cpuset_of(Pus pus) {
  Cpuset set;
  for (int pu = 0; pu < kMostPus; ++pu) {
    if ((pus >> pu & 1) != 0) set.add(pu);
  }
  return set;
}

class Converter {
 public:
  explicit Converter(const SmallMachine& machine) : machine_(machine) {
    result_.vertex.resize(machine.size());
    if (machine.node[0] >= 0) {
      next_ = 1;
      root_.nodes = 1;
      add_node(0);
    } else {
      add_switch(0, root_);
    }
    result_.topology = std::make_shared<const Topology>(root_, std::move(nodes_));
  }

  SmallTopology take() { return std::move(result_); }

 private:
  // Adds what is below `v`; returns one past its last vertex.
  int add_switch(int v, NetworkGroup& group) {
    result_.vertex[v] = next_++;
    int child = v + 1;
    while (child < machine_.size() && machine_.parent[child] == v) {
      if (machine_.node[child] >= 0) {
        ++group.nodes;
        child = add_node(child);
      } else if (group.nodes > 0) {
        throw std::invalid_argument("vertex " + std::to_string(child) + ": a switch after a node");
      } else {
        child = add_switch(child, group.groups.emplace_back(NetworkGroup{.level = "Switch", .groups = {}}));
      }
    }
    return child;
  }

  int add_node(int top) {
    std::vector<NodeObject> objects;
    int v = top;
    for (; v < machine_.size() && machine_.node[v] == machine_.node[top]; ++v) {
      const bool is_top = v == top, is_core = !is_top && machine_.is_leaf(v);
      result_.vertex[v] = next_++;
      objects.push_back({.type = is_top    ? ObjectType::kMachine
                                 : is_core ? ObjectType::kCore
                                           : ObjectType::kGroup,
                         .name = is_top    ? "Machine"
                                 : is_core ? "Core"
                                           : "Group",
                         .parent = is_top ? -1 : machine_.parent[v] - top,
                         .logical_index = is_core ? cores_++ : v - top,
                         .os_index = -1,
                         .is_core = is_core,
                         .cpuset = cpuset_of(machine_.pus[v]),
                         .note = ""});
    }
    if (objects.size() == 1) {
      NodeObject core = objects.front();
      core.type = ObjectType::kCore;
      core.name = "Core";
      core.parent = 0;
      core.logical_index = cores_++;
      core.is_core = true;
      objects.push_back(std::move(core));
      ++next_;
    }
    nodes_.push_back(std::make_shared<const NodeTree>(std::move(objects)));
    return v;
  }

  const SmallMachine& machine_;
  NetworkGroup root_;
  std::vector<std::shared_ptr<const NodeTree>> nodes_;
  int next_ = 0, cores_ = 0;
  SmallTopology result_;
};

}  // namespace

SmallTopology small_topology(const SmallMachine& machine) { return Converter(machine).take(); }

}  // namespace strata::check
