// SPDX-License-Identifier: LGPL-2.1-only
// Groups of ranks that share a communicator, expected from the bindings and the machine.
#pragma once

#include <hwloc.h>
#include <mpi.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "mpi_ext/mpix.h"
#include "platforms/placement.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/expected.h"
#include "tests/mpi_ext/info.h"

namespace strata::mpix::testing {

std::string value_of(MPI_Info info, const char* key);

inline constexpr const char* kLevel = "mpix_hlevel";
inline constexpr const char* kType = "mpi_hw_resource_type";
inline constexpr const char* kSet = "mpi_pset_name";

// By rank, a text that the members of a communicator share, and that sorts as the communicators do; "" for a rank
// without one.
using Groups = std::vector<std::string>;

std::string sortable(int number);

// The bindings in the file, and the node as hwloc loads it.
class Bindings {
 public:
  explicit Bindings(const Expected& e);
  ~Bindings() { hwloc_topology_destroy(node_); }
  Bindings(const Bindings&) = delete;
  Bindings& operator=(const Bindings&) = delete;

  // By rank, the object of a type that includes its binding.
  Groups on(hwloc_obj_type_t type) const;
  // The types of which hwloc has objects, and whether a rank's binding is within one.
  std::map<std::string, bool> types(int rank) const;

 private:
  std::vector<strata::Binding> list_;
  hwloc_topology_t node_ = nullptr;
};

// By rank, the vertex above its binding that has the name of a network level.
Groups on_network(const Expected& e, const std::string& level);

// The communicators of groups that rank `me` sees, if only the ranks take part for which `asks` is true.
struct Seen {
  Ranks members, roots;
  int num_comms = 0, index = -1;
};

Seen seen_by(int me, const Groups& groups, const std::function<bool(int)>& asks);

// Expects these groups from the split by `type` and `info`: with all ranks or only the odd ones, and in each order of
// keys.
void check_split(Checks& t, const Expected& e, int type, MPI_Info info, const Groups& groups);

}  // namespace strata::mpix::testing
