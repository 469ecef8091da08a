// SPDX-License-Identifier: LGPL-2.1-only
// A call of a collective, as far as a library looks at it to choose an algorithm.
//
// Libraries disagree about the size of a message. For example, an allgather of 64 ranks that contribute 1 KiB each has
// 1 KiB for Open MPI's fixed decision, but 64 KiB for its files of rules. So a call states the bytes of a block, and
// the functions below make of it the size that each table compares:
//
//   bcast, reduce, allreduce, scan, exscan       the whole buffer
//   gather, scatter, allgather, alltoall,        what one rank contributes to, or gets from, each other one
//   reduce_scatter_block
//   allgatherv, alltoallv, reduce_scatter        the mean of these, which may differ
//   barrier                                      0
#pragma once

#include <cstdint>

#include "collectives/operation.h"

namespace strata::collectives {

/// The communicators of HAN: that of the call, or one of those that HAN makes of it.
enum class Level { kIntraNode, kInterNode, kGlobal };

inline constexpr Word<Level> kLevels[] = {
    {Level::kIntraNode, "intra_node"}, {Level::kInterNode, "inter_node"}, {Level::kGlobal, "global_communicator"}};

struct Call {
  Operation operation = Operation::kBcast;
  int ranks = 2;           // of the communicator
  std::int64_t bytes = 0;  // of a block
  std::int64_t type_bytes = 1;
  int nodes = 1;                 // on which the ranks are
  bool are_consecutive = true;   // the ranks of each node
  bool is_commutative = true;    // the operation of a reduction
  bool is_built_in = true;       // ... is one of MPI's own
  bool is_in_place = false;      // MPI_IN_PLACE as send buffer
  bool are_blocks_equal = true;  // of a reduce_scatter
  Level level = Level::kGlobal;  // for HAN's rules
};

/// The size that Open MPI's tuned component compares with its files of rules. Source: ompi_coll_tuned_*_dec_dynamic in
/// coll_tuned_decision_dynamic.c of Open MPI 4.1.4, 5.0.9 and 6.0. (Scans count one element of each rank.)
constexpr std::int64_t tuned_rule_bytes(const Call& c) {
  switch (c.operation) {
    case Operation::kBcast:
    case Operation::kReduce:
    case Operation::kAllreduce:
    case Operation::kAllgatherv:
      return c.bytes;
    case Operation::kGather:
    case Operation::kScatter:
    case Operation::kAllgather:
    case Operation::kAlltoall:
    case Operation::kReduceScatter:
    case Operation::kReduceScatterBlock:
      return c.bytes * c.ranks;
    case Operation::kScan:
    case Operation::kExscan:
      return c.type_bytes * c.ranks;
    case Operation::kAlltoallv:
    case Operation::kBarrier:
      return 0;
  }
  return 0;
}

/// The size that it compares with its fixed decisions. Source: ompi_coll_tuned_*_dec_fixed in
/// coll_tuned_decision_fixed.c of the same versions.
constexpr std::int64_t tuned_fixed_bytes(const Call& c) {
  switch (c.operation) {
    case Operation::kReduceScatter:
      return c.bytes * c.ranks;
    case Operation::kAlltoallv:
    case Operation::kBarrier:
      return 0;
    default:
      return c.bytes;
  }
}

/// The size that HAN compares with its files of rules. An allgatherv counts its largest block. Source:
/// mca_coll_han_*_dynamic in coll_han_dynamic.c of Open MPI 4.1.4 and 5.0.9.
constexpr std::int64_t han_bytes(const Call& c) { return c.operation == Operation::kBarrier ? 0 : c.bytes; }

}  // namespace strata::collectives
