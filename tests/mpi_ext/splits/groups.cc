// SPDX-License-Identifier: LGPL-2.1-only
#include "tests/mpi_ext/splits/groups.h"

#include <hwloc.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "mpi_ext/mpix.h"
#include "platforms/placement.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/counted_calls.h"
#include "tests/mpi_ext/expected.h"

namespace strata::mpix::testing {
namespace {

bool everybody(int) { return true; }

}  // namespace

std::string value_of(MPI_Info info, const char* key) {
  std::array<char, MPI_MAX_INFO_VAL + 1> value{};
  int found = 0;
  MPI_Info_get(info, const_cast<char*>(key), MPI_MAX_INFO_VAL, value.data(), &found);
  return found != 0 ? value.data() : "(none)";
}

std::string sortable(int number) {
  std::string digits = std::to_string(number);
  return std::string(8 - digits.size(), '0') + digits;
}

Bindings::Bindings(const Expected& e) {
  std::ifstream placement(std::getenv("STRATA_PLACEMENT"));
  std::string file, synthetic;
  for (std::string word, rest; placement >> word && std::getline(placement >> std::ws, rest);) {
    if (word == "bindings") file = rest;
    if (word == "node-synthetic") synthetic = rest;
  }
  list_ = strata::read_bindings(file, *e.topology);
  hwloc_topology_init(&node_);
  if (hwloc_topology_set_synthetic(node_, synthetic.c_str()) != 0) {
    hwloc_topology_set_synthetic(node_, (synthetic + " pu:1").c_str());
  }
  hwloc_topology_load(node_);
}

Groups Bindings::on(hwloc_obj_type_t type) const {
  Groups groups;
  for (int r = 0; r < size_of(MPI_COMM_WORLD); ++r) {
    groups.emplace_back();
    strata::Cpuset binding = list_[r].cpuset;
    for (hwloc_obj_t o = nullptr; (o = hwloc_get_next_obj_by_type(node_, type, o)) != nullptr;) {
      if (hwloc_bitmap_isincluded(binding.bitmap(), o->cpuset)) {
        groups.back() = sortable(list_[r].node) + " " + sortable(static_cast<int>(o->logical_index));
      }
    }
  }
  return groups;
}

std::map<std::string, bool> Bindings::types(int rank) const {
  std::map<std::string, bool> result;
  for (int t = HWLOC_OBJ_TYPE_MIN; t < HWLOC_OBJ_TYPE_MAX; ++t) {
    const auto type = static_cast<hwloc_obj_type_t>(t);
    hwloc_obj_t first = hwloc_get_next_obj_by_type(node_, type, nullptr);
    if (first == nullptr) continue;
    std::array<char, 64> name{};
    hwloc_obj_type_snprintf(name.data(), name.size(), first, 0);
    result[name.data()] = !on(type)[rank].empty();
  }
  return result;
}

Groups on_network(const Expected& e, const std::string& level) {
  Groups groups;
  for (int v : e.vertices) {
    while (v >= 0 && (e.topology->object(v) != nullptr || e.topology->name(v) != level)) v = e.topology->parent(v);
    groups.push_back(v < 0 ? "" : sortable(v));
  }
  return groups;
}

Seen seen_by(int me, const Groups& groups, const std::function<bool(int)>& asks) {
  std::map<std::string, Ranks> comms;
  for (int r = 0; r < static_cast<int>(groups.size()); ++r) {
    if (!groups[r].empty() && asks(r)) comms[groups[r]].push_back(r);
  }
  Seen seen;
  for (const auto& [name, members] : comms) {
    if (name == groups[me] && asks(me)) {
      seen.members = members;
      seen.index = seen.num_comms;
    }
    seen.roots.push_back(members.front());
    ++seen.num_comms;
  }
  std::sort(seen.roots.begin(), seen.roots.end());
  return seen;
}

void check_split(Checks& t, const Expected& e, int type, MPI_Info info, const Groups& groups) {
  const int me = rank_in(MPI_COMM_WORLD);
  const auto odd = [](int r) { return r % 2 == 1; };
  for (bool all : {true, false}) {
    const Seen expected = all ? seen_by(me, groups, everybody) : seen_by(me, groups, odd);
    const bool in = all || odd(me);
    enum Order { kNoKeys, kByRank, kReversed };
    for (Order order : {kNoKeys, kByRank, kReversed}) {
      const int key = order == kNoKeys ? 7 : order == kByRank ? me : -me;
      Ranks members = expected.members;
      if (order == kReversed) std::reverse(members.begin(), members.end());
      MPI_Comm comm = MPI_COMM_WORLD;
      forget_calls();
      CHECK_EQ(MPI_SUCCESS, MPIX_Comm_split_type(MPI_COMM_WORLD, in ? type : static_cast<int>(MPI_UNDEFINED), key,
                                                 in ? info : MPI_INFO_NULL, &comm));
      // The number of messages is that in hsplit.cc. (A single rank has no order of keys, and no other rank to ask.)
      const bool nobody = std::all_of(groups.begin(), groups.end(), [](const std::string& g) { return g.empty(); });
      const int size = size_of(MPI_COMM_WORLD);
      if (!(nobody || (!all && size == 1))) {
        const bool asked = !all || (order == kReversed && size > 1);
        CHECK_TRUE((calls() == Calls{1, asked ? 1 : 0, 0, members.empty() ? 0 : 1, 0}));
      }
      CHECK_EQ(members, members_of(comm));
      if (comm != MPI_COMM_NULL && !members.empty()) {
        check_info(t, comm, expected.num_comms, expected.index, e.name_of(expected.members));
        int sum = 0;  // no other ranks are in it
        MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, comm);
        CHECK_EQ(std::accumulate(members.begin(), members.end(), 0), sum);
      }
      release(comm);
    }
  }
}

}  // namespace strata::mpix::testing
