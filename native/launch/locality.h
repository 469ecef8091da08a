// SPDX-License-Identifier: LGPL-2.1-only
// The objects of a node that a binding touches, as PMIx says it to Open MPI. For example a rank on core 5 of a node
// with two packages of four cores has "hwloc:NM1:SK1:L31:L25:L15:CR5:HT5": NUMA node 1, package (socket) 1, L3 cache 1,
// and so on, by logical indexes. Open MPI compares two ranks' strings, and so learns which level of the node they
// share.
//
// Source: OpenPMIx 4.2, src/hwloc/pmix_hwloc.c, pmix_hwloc_generate_locality_string.
#pragma once

#include <hwloc.h>

#include <filesystem>
#include <memory>
#include <string>

namespace strata::native {

/// A node's topology as the ranks' own libhwloc loads it from the file.
class NodeTopology {
 public:
  /// Throws InputError if libhwloc cannot load the file.
  explicit NodeTopology(const std::filesystem::path& xml);

  /// Empty if the rank is not bound: "", or all PUs of the node. Throws InputError if it is not list syntax.
  std::string locality(const std::string& cpuset) const;

  hwloc_topology_t get() const { return topology_.get(); }

 private:
  struct Destroy {
    void operator()(hwloc_topology* topology) const { hwloc_topology_destroy(topology); }
  };
  std::string file_;
  std::unique_ptr<hwloc_topology, Destroy> topology_;
};

}  // namespace strata::native
