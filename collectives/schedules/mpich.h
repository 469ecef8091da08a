// SPDX-License-Identifier: LGPL-2.1-only
// The algorithms of MPICH's collectives by their names, as files of rules (rules/csel_file.h) have them, and without
// what comes before as MPIR_CVAR_BCAST_INTRA_ALGORITHM and its like take them. For example, the binomial tree of
// MPI_Bcast:
//
//   find_mpich(Operation::kBcast, "MPIR_Bcast_intra_binomial")->generate(call, settings, rank, steps);
//   mpich_value("MPIR_Bcast_intra_binomial")      "binomial"
//
// Names that begin with MPIDI_ are compositions of MPICH's device ch4, which look at the nodes. Those that only call
// the same collective without nodes are not here: is_mpich_pass_through("MPIDI_Bcast_intra_composition_gamma").
#pragma once

#include <span>
#include <string_view>

#include "collectives/schedules/collective.h"

namespace strata::collectives {

/// A condition under which MPICH can use an algorithm in a call.
enum class MpichNeed {
  kNothing,
  kPowerOfTwo,    // of ranks
  kBlockForEach,  // an element for each rank, up to a power of two of ranks; and a commutative operation
  kCommutative,   // operation
  kInPlace,       // MPI_IN_PLACE as send buffer
  kNotInPlace,
  kNodes,               // of which one has several ranks
  kCommutativeOnNodes,  // both
  kConsecutiveNodes,    // the same, and the ranks of each node follow one another
  kEqualBlocks,         // and a power of two of ranks. MPICH itself leaves this to the user
};

struct MpichAlgorithm {
  Operation operation;
  const char* name;
  Generator generate;
  MpichNeed need;
  bool keeps_order = true;  // of operands

  /// Whether MPICH can use it in this call; if not, it uses its own choice in place of a forced algorithm.
  bool suits(const Collective& call) const;
};

/// Those of MPICH 4.0 for communicators of one group that have a schedule, and the barrier of 4.2. Source:
/// src/mpi/coll/coll_algorithms.txt and src/mpid/ch4/src/ch4_coll_impl.h, MPICH 4.0.2.
std::span<const MpichAlgorithm> mpich_algorithms();

/// Null: no algorithm has this name, or it has no schedule here.
const MpichAlgorithm* find_mpich(Operation operation, std::string_view name);

/// The value of MPIR_CVAR_..._INTRA_ALGORITHM. Empty for compositions, which no such variable chooses.
constexpr std::string_view mpich_value(std::string_view name) {
  constexpr std::string_view kIntra = "_intra_";
  const std::size_t place = name.find(kIntra);
  return name.starts_with("MPIR_") && place != std::string_view::npos ? name.substr(place + kIntra.size()) : "";
}

/// Whether several ranks of the call are on a node: only then does MPICH make communicators of the nodes.
bool has_mpich_hierarchy(const Collective& call);
/// Whether it has, and the nodes' ranks follow one another.
bool has_consecutive_nodes(const Collective& call);
/// On how many nodes the ranks of the call are.
int num_nodes(const Collective& call);

}  // namespace strata::collectives
