// SPDX-License-Identifier: LGPL-2.1-only
// The split-tree model on a machine: the nonblocking collectives that have it, and its unit, the time of a message.
#pragma once

#include <array>
#include <string_view>

#include "models/split_tree.h"
#include "platforms/machine.h"

namespace strata::models {

/// A collective over an m-nomial tree, with its name in the program nbc.
struct TreeCollective {
  std::string_view name;
  Weight weight;
  Direction direction;
  bool combines;  // each message that goes up is combined with its receiver's data
};

inline constexpr std::array kTreeCollectives = {
    TreeCollective{"ireduce", Weight::kConstant, Direction::kAllToOne, true},
    TreeCollective{"ibcast", Weight::kConstant, Direction::kOneToAll, false},
    TreeCollective{"iallreduce", Weight::kConstant, Direction::kThereAndBack, true},
    TreeCollective{"igather", Weight::kDoubling, Direction::kAllToOne, false},
    TreeCollective{"iscatter", Weight::kDoubling, Direction::kOneToAll, false},
};

/// Null for other collectives: an iscan is a chain, and an ibarrier moves no data.
const TreeCollective* find_tree_collective(std::string_view name);

/// The model's unit of time: the receiver's core copies a message of `bytes` (for a gather or scatter, a rank's block),
/// and combines it.
Seconds message_unit(const Machine& machine, const TreeCollective& collective, Bytes bytes);

/// The model's tree over all cores of the machine's first `nodes` nodes (ranks = cores, to be lowered). A message
/// between nodes takes Hockney's alpha + m beta between the first and the last of them, and is combined. Throws
/// InputError (place `option`) if the machine has fewer nodes, they differ in cores, or messages double.
SplitTree full_tree(const Machine& machine, const TreeCollective& collective, Bytes bytes, int arity, int nodes,
                    const std::string& option = "--nodes");

}  // namespace strata::models
