// The core of the communicator hierarchy: where each member of a communicator goes when it is split.
//
// Idea (RR-9077, Algorithm 1): find the deepest object that covers the bindings of all members; each of its children
// that holds a member's whole binding becomes a communicator; a member whose binding fits in no child gets none. With
// every binding replaced by the deepest vertex that covers it, the object is the lowest common ancestor of these
// vertices, and a member fits in a child exactly when its vertex lies at or below it. So the core needs a tree's
// parents and a vertex per member, nothing else: the tree may be a whole machine or just nodes under one switch.
//
// Cost: O(members x depth). Strict subset, disjoint siblings: a child that held all members would cover them more
// deeply.
#pragma once

#include <span>
#include <vector>

namespace strata::mpix {

/// Lowest common ancestor of vertices of a tree whose parents are smaller than their children (root 0, parent -1).
int lowest_common_ancestor(std::span<const int> parent, std::span<const int> vertices);

struct Split {
  int cover = -1;          // the deepest vertex that covers all members
  int num_comms = 0;       // new communicators: children of `cover` that hold a member
  std::vector<int> index;  // by member: the new communicator, numbered from 0 in the order of the tree; -1 for none
};

/// Splits a communicator with the given members, at least one. Pure; thread-safe.
Split split(std::span<const int> parent, std::span<const int> members);

/// One communicator of the whole hierarchy below a first one.
struct Communicator {
  std::vector<int> members;  // in the order of the communicator: ranks of the first one
  int num_comms = 0;         // itself and its siblings
  int index = 0;             // among them
  int cover = -1;            // the vertex whose name it bears
  std::vector<int> roots;    // rank 0 of each sibling, itself included: ranks of the first communicator, in its order
};

/// The whole hierarchy: what repeated splitting gives to each member of a first communicator.
struct Hierarchy {
  std::vector<Communicator> comms;
  std::vector<std::vector<int>> levels;  // by member: its communicators, outermost first, as indexes into comms
};

/// Splits until nothing is left. Memory: O(sum of the communicators' sizes).
Hierarchy split_all(std::span<const int> parent, std::span<const int> members);

}  // namespace strata::mpix
