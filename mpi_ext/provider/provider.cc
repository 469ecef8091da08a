// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/provider/provider.h"

#include <hwloc.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/fnv.h"
#include "records/exchange/exchanged_words.h"
#include "records/exchange/placement_file.h"

namespace strata::mpix {
namespace {

// The node's name with its boot id. The latter distinguishes nodes that are all called "localhost".
std::string node_name() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  std::string boot;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
  return std::string(name.data()) + " " + boot;
}

// Equal for trees with the same description of each vertex.
std::uint64_t tree_hash(const Topology& t) {
  std::string text;
  for (int v = 0; v < t.num_vertices(); ++v) {
    text += std::to_string(t.parent(v)) + " " + t.name(v);
    if (t.object(v) != nullptr) text += " " + t.object(v)->cpuset.list();
    text += "\n";
  }
  return hash_of(text);
}

World load(const char* file) {
  PlacementFile read = read_placement_file(file);
  std::string bindings;
  for (int v : read.vertex) bindings += std::to_string(v) + " ";
  if (read.application > 0) bindings += "application " + std::to_string(read.application);
  World world{read.topology, std::move(read.vertex), 0, read.application};
  world.hash = std::max<std::uint64_t>(1, hash_of(bindings, tree_hash(*world.topology)));
  return world;
}

Where virtual_place(const char* file, int world_rank) {
  // Under SMPI all ranks share the process, so the file is loaded only once.
  static std::mutex mutex;
  static std::shared_ptr<const World> world;
  const std::lock_guard lock(mutex);
  if (world == nullptr) world = std::make_shared<const World>(load(file));
  if (world_rank >= static_cast<int>(world->vertex.size())) {
    throw InputError(
        file, "binds " + std::to_string(world->vertex.size()) + " ranks, this is rank " + std::to_string(world_rank),
        "give a binding for each rank");
  }
  const int vertex = world->vertex[world_rank];
  return {world->topology,
          {hash_of("node " + std::to_string(world->topology->node(vertex)), world->hash), world->hash, vertex},
          world};
}

struct Live {
  hwloc_topology_t handle = nullptr;
  std::shared_ptr<const Topology> topology;
  std::uint64_t node_key = hash_of(node_name());
  std::uint64_t tree = 0;

  Live() {
    if (hwloc_topology_init(&handle) != 0 || hwloc_topology_load(handle) != 0) {
      if (handle != nullptr) hwloc_topology_destroy(handle);
      throw InputError("hwloc", "cannot read this node's topology", "try `lstopo`");
    }
    topology = flat_cluster(import_node(handle, "this node"), 1);
    tree = tree_hash(*topology);
  }
};

const Live& this_node() {
  static const Live& live = *new Live;  // kept until the process ends
  return live;
}

Where live_place() {
  const Live& live = this_node();
  const Cpuset& all = live.topology->object(live.topology->node_vertex(0))->cpuset;
  Cpuset binding;
  // If the binding cannot be read, or contains no PU that we may use, the process counts as bound to the whole node.
  if (hwloc_get_cpubind(live.handle, binding.bitmap(), HWLOC_CPUBIND_PROCESS) != 0) binding = all;
  binding &= all;
  if (binding.empty()) binding = all;
  return {live.topology, {live.node_key, live.tree, live.topology->covering(0, binding)}, nullptr};
}

Where simulated_place(const std::string& host) {
  static const std::shared_ptr<const Topology> node = flat_cluster(import_node_synthetic("core:1 pu:1"), 1);
  return {node, {hash_of("host " + host), 0, node->node_vertex(0)}, nullptr};
}

}  // namespace

bool bind_this_thread(const Cpuset& cpuset) {
  return hwloc_set_cpubind(this_node().handle, cpuset.bitmap(), HWLOC_CPUBIND_THREAD) == 0;
}

std::uint64_t hash_of(const std::string& text, std::uint64_t hash) { return fnv1a(text, hash); }

Where where_am_i(int world_rank, const std::string& simulated_host) {
  const char* file = std::getenv(words::kPlacement);
  if (file != nullptr && *file != '\0') return virtual_place(file, world_rank);
  return simulated_host.empty() ? live_place() : simulated_place(simulated_host);
}

}  // namespace strata::mpix
