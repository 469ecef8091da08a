// SPDX-License-Identifier: LGPL-2.1-only
// Which node each rank is on, as PMI's value PMI_process_mapping says it to MPICH. For example "(vector,(0,3,2))" puts
// two ranks each on nodes 0 to 2: a block is (first node, number of nodes, ranks a node). If ranks remain after the
// last block, they start again at the first: ranks that go round three nodes are "(vector,(0,3,1))".
//
// Source: PMI-1 of MPICH, MPIR_NODEMAP_populate_ids_from_mapping in src/util/mpir_nodemap.h.
#pragma once

#include <string>
#include <vector>

namespace strata::native {

/// `nodes`: the node of each rank. The text uses as few blocks as the placement's period allows.
std::string process_mapping(const std::vector<int>& nodes);

}  // namespace strata::native
