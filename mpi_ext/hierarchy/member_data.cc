// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/hierarchy/member_data.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <utility>

#include "mpi_ext/adapter/host.h"
#include "mpi_ext/ranks.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {

void Agreement::fail(int error) { error_ = std::max(error_, error); }

size_t Agreement::add(std::optional<std::int64_t> value) {
  greatest_.push_back(value.value_or(kNothing));
  greatest_.push_back(value ? ~*value : kNothing);
  return greatest_.size() / 2 - 1;
}

void Agreement::reach(MPI_Comm comm) {
  std::vector<std::int64_t> mine = greatest_;
  mine.push_back(error_);
  greatest_.resize(mine.size());
  call(MPI_Allreduce(mine.data(), greatest_.data(), static_cast<int>(mine.size()), MPI_INT64_T, MPI_MAX, comm));
  error_ = static_cast<int>(greatest_.back());
  greatest_.pop_back();
}

PlacedAgreement::PlacedAgreement() {
  const int world_rank = rank_in(MPI_COMM_WORLD);
  try {
    mine_ = where_am_i(world_rank, simulated_host());
  } catch (const std::exception& e) {
    std::fprintf(stderr, "strata: %s\n", e.what());
  }
  unplaced_ = add(mine_ ? std::nullopt : std::optional<std::int64_t>(1));
  const bool everybody_known = mine_ && mine_->world != nullptr;
  world_ = add(everybody_known ? static_cast<std::int64_t>(mine_->world->hash >> 1) | 1 : 0);
}

std::int64_t digest(const std::string& text) { return static_cast<std::int64_t>(hash_of(text) >> 1); }

const std::string& CommonTree::name(int v) const {
  if (own_parents.empty()) return topology->name(v);
  if (v == 0) return topology->name(0);
  const int inside = topology->subtree_end(machine_vertex) - machine_vertex;
  if (v < node_vertex || v >= node_vertex + inside) return topology->name(machine_vertex);  // another node
  return topology->name(inside_known ? machine_vertex + v - node_vertex : machine_vertex);
}

CommonTree join(const Where& mine, std::span<const Place> places) {
  const Topology& t = *mine.topology;
  const int my_node = t.node(static_cast<int>(mine.place.vertex));
  CommonTree tree;
  tree.topology = mine.topology;
  tree.machine_vertex = t.node_vertex(my_node);
  std::vector<std::uint64_t> nodes;  // in the order of their first members
  std::vector<int> node_of;          // by member
  tree.inside_known = true;
  for (const Place& p : places) {
    const auto at = std::find(nodes.begin(), nodes.end(), p.node_key);
    node_of.push_back(static_cast<int>(at - nodes.begin()));
    if (at == nodes.end()) nodes.push_back(p.node_key);
    if (p.node_key == mine.place.node_key && p.tree != mine.place.tree) tree.inside_known = false;
  }
  const int my_position = static_cast<int>(std::find(nodes.begin(), nodes.end(), mine.place.node_key) - nodes.begin());
  const int inside = tree.inside_known ? t.subtree_end(tree.machine_vertex) - tree.machine_vertex : 1;
  tree.node_vertex = 1 + my_position;
  tree.whole = nodes.size() == 1;
  tree.own_parents.push_back(-1);
  for (int n = 0; n < static_cast<int>(nodes.size()); ++n) {
    tree.own_parents.push_back(0);
    if (n != my_position) continue;
    for (int v = 1; v < inside; ++v) {
      tree.own_parents.push_back(t.parent(tree.machine_vertex + v) - tree.machine_vertex + tree.node_vertex);
    }
  }
  for (size_t m = 0; m < places.size(); ++m) {
    int v = 1 + node_of[m] + (node_of[m] > my_position ? inside - 1 : 0);
    if (node_of[m] == my_position && tree.inside_known) v += static_cast<int>(places[m].vertex) - tree.machine_vertex;
    tree.vertices.push_back(v);
  }
  return tree;
}

std::vector<Entry> exchange(MPI_Comm comm, const Entry& mine) {
  std::vector<Entry> all(size_of(comm));
  call(MPI_Allgather(&mine, sizeof(Entry), MPI_BYTE, all.data(), sizeof(Entry), MPI_BYTE, comm));
  return all;
}

std::vector<int> world_ranks_of(MPI_Comm comm, const std::vector<int>& ranks) {
  return translate_ranks(ranks, comm, MPI_COMM_WORLD);
}

std::vector<int> world_ranks_of(MPI_Comm comm) { return world_ranks_of(comm, all_ranks_of(comm)); }

}  // namespace strata::mpix
