// SPDX-License-Identifier: LGPL-2.1-only
// The choices for a call: each algorithm of the library that has a schedule, with a few segment sizes and
// fan-outs where the algorithm has them. For example, a broadcast of 64 KiB:
//
//   1 linear, 2 chain with 2, 4 or 8 chains in segments of 1 or 8 KiB or whole, 3 pipeline in ..., ...
//
// A rule can state what is here (Choice): the radix of Open MPI's k-nomial tree, for one, is not in the files. MPICH's
// algorithms have no settings here; their numbers are places in mpich_algorithms(), from 1 on. Its device's
// compositions are not among them: files of rules do not choose them.
#pragma once

#include <cstdint>
#include <vector>

#include "collectives/chosen/chosen.h"
#include "collectives/tuning/cell.h"

namespace strata::collectives {

/// B. The first three are among those that Open MPI's fixed decisions had before 4.1, when they still chose segments
/// (coll_tuned_decision_fixed.c of Open MPI 4.0); the last is for messages of many MiB.
inline constexpr std::int64_t kSegments[] = {1 << 10, 8 << 10, 64 << 10, 512 << 10};
/// More segments of a message are not tried: with thousands of short messages under way, a replay takes minutes.
inline constexpr std::int64_t kMostSegments = 128;
/// Whether `bytes` have several segments, but not too many.
constexpr bool has_segments(std::int64_t bytes, std::int64_t segment) {
  return segment < bytes && bytes <= kMostSegments * segment;
}
/// Chains of a chain. 4 is the library's default (coll_tuned_init_chain_fanout, coll_tuned_component.c of 4.1.4).
inline constexpr int kChains[] = {2, 4, 8};

/// By algorithm, fan-out and segment, ascending. No two do the same messages, except by chance. `call`: that of the
/// cell; for MPICH with nodes.
std::vector<Choice> candidates(const Collective& call, const Cell& cell, const Library& library);

/// The choice with its number, if it has only a name, as MPICH's decisions.
Choice numbered(Operation operation, Choice choice);

/// Whether the choice is one of Open MPI's that consist of other collectives, so that their rules change its time.
bool has_parts(Operation operation, const Choice& choice);

/// The choice as the library would execute it under a rule that states it.
Chosen chosen_by_rule(const Chooser& chooser, const Collective& call, const Choice& choice);

/// "binomial", "chain, 4 chains, segments of 8192 B", "MPIR_Bcast_intra_binomial"; "library" for algorithm 0.
std::string text_of(Operation operation, const Choice& choice, const Library& library);

}  // namespace strata::collectives
