// Who sends to whom in a broadcast, in which order: the algorithms as the literature has them, not as mpi_ext does
// them.
//
//   linear        the root sends to every other rank, in increasing order, one after another
//   binomial      the shape of Open MPI's bmtree: with v = (rank - root + p) % p, v receives from v - 2^h (h its
//   highest
//                 bit) and sends to v + 2^(h+1), v + 2^(h+2), ... below p; v = 0 sends to 1, 2, 4, ...
//   hierarchical  RR-9077, Algorithm 4: at each level of the hierarchy of communicators the algorithm runs over the
//   roots
//                 of the level, then each child does the same below. The children of a communicator are those of the
//                 deepest object that covers its members' bindings; a member whose binding fits in no child belongs to
//                 none and takes part among the roots. If the broadcast's root is not rank 0, it first sends to rank 0,
//                 from which everything starts.
//
// A schedule says for each rank which operations it performs, one after another. Building one takes O(p depth^2).
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "platforms/placement.h"
#include "platforms/topology.h"

namespace strata::models {

enum class BroadcastAlgorithm { kLinear, kBinomial };

/// "linear" or "binomial"; nothing for an algorithm without a model.
std::optional<BroadcastAlgorithm> find_broadcast_algorithm(std::string_view name);

struct Operation {
  enum class Kind { kReceive, kSend };
  Kind kind;
  int peer;  // the rank received from or sent to
  friend bool operator==(const Operation&, const Operation&) = default;
};

/// By rank: its operations in order. Every message of a broadcast carries the whole payload.
using Schedule = std::vector<std::vector<Operation>>;

/// The algorithm over all `np` ranks. Throws std::invalid_argument where np < 1 or root is not one of them.
Schedule native_broadcast(BroadcastAlgorithm algorithm, int np, int root);

/// The algorithm at every level of the hierarchy of communicators over `ranks`. Throws as native_broadcast does.
Schedule hierarchical_broadcast(BroadcastAlgorithm algorithm, const Topology& topology,
                                const std::vector<Binding>& ranks, int root);

}  // namespace strata::models
