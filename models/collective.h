// SPDX-License-Identifier: LGPL-2.1-only
// A collective by name, flat or over a hierarchy: its schedule.
//
// Over a hierarchy (RR-9077, Section 6 and Algorithm 4) one algorithm runs on each bridge (hierarchy.h), outer bridges
// first on the way down and inner ones first on the way up:
//   bcast      down; another root than rank 0 first sends it the message
//   reduce     up, to the first member of each bridge; in the end rank 0 sends the result to another root
//   allreduce  up, then down
//   gather     up, each member's block being those of all ranks below it; in the end rank 0 sends everything to another
//              root; scatter the other way round; allgather: a gather to rank 0, then down
//   barrier    up, then down
// Algorithms that give every member of a bridge the result at once (recursive doubling, ring) have no such form.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "models/algorithm.h"
#include "models/hierarchy.h"
#include "models/schedule.h"
#include "models/segmented_payload.h"

namespace strata::models {

enum class Collective { kBroadcast, kReduce, kAllreduce, kGather, kScatter, kAllgather, kBarrier };

inline constexpr std::array<std::pair<std::string_view, Collective>, 7> kCollectives = {{
    {"bcast", Collective::kBroadcast},
    {"reduce", Collective::kReduce},
    {"allreduce", Collective::kAllreduce},
    {"gather", Collective::kGather},
    {"scatter", Collective::kScatter},
    {"allgather", Collective::kAllgather},
    {"barrier", Collective::kBarrier},
}};

std::optional<Collective> find_collective(std::string_view name);
std::string_view name_of(Collective collective);

/// The algorithms of a collective; the hierarchical form has all of them except recursive doubling and ring.
std::span<const Algorithm> algorithms_of(Collective collective);
bool has_algorithm(Collective collective, Algorithm algorithm, bool hierarchical);

/// The collective. `payload` is the whole message; for gather, scatter and allgather it is one rank's block, which is
/// not cut.
struct CollectiveCase {
  Collective collective = Collective::kBroadcast;
  Algorithm algorithm = Algorithm::kLinear;
  int root = 0;  // for collectives that have one
  Payload payload;
};

// O(operations). Each throws std::invalid_argument: an algorithm that the collective does not have, a root that is not
// a rank, more than kMaxMessages messages.

inline constexpr double kMaxMessages = 3e7;  // some 3 GB of operations and times

/// Over np ranks.
Schedule flat_schedule(const CollectiveCase& what, int np);
/// Over a hierarchy's ranks.
Schedule hierarchical_schedule(const CollectiveCase& what, const Hierarchy& hierarchy);

}  // namespace strata::models
