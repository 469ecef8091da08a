// SPDX-License-Identifier: LGPL-2.1-only
// The core of the communicator hierarchy: where each member of a communicator goes when it is split.
//
// Idea (RR-9077, Algorithm 1): find the deepest object that covers the bindings of all members; each of its children
// that holds a member's whole binding becomes a communicator; a member whose binding fits in no child gets none. With
// every binding replaced by the deepest vertex that covers it, the object is the lowest common ancestor of these
// vertices, and a member fits in a child exactly when its vertex lies at or below it. So the core needs a tree's
// parents and a vertex per member, nothing else: the tree may be a whole machine or just nodes under one switch.
//
// Trees are numbered in depth-first preorder, as a Topology is: a parent is smaller than its children (root 0, parent
// -1), and what is smaller is further to the left.
//
// Cost: O(members x depth) for one split and for all. Strict subset, disjoint siblings: a child that held all members
// would cover them more deeply.
#pragma once

#include <climits>
#include <span>
#include <vector>

namespace strata::mpix {

/// The lowest common ancestor of vertices, at least one.
int lowest_common_ancestor(std::span<const int> parent, std::span<const int> vertices);

struct Split {
  int cover = -1;          // the deepest vertex that covers all members
  int num_comms = 0;       // new communicators: children of `cover` that hold a member
  std::vector<int> index;  // by member: the new communicator, numbered from 0 in the order of the tree; -1 for none
};

/// Splits a communicator with the given members, at least one. Pure; thread-safe.
Split split(std::span<const int> parent, std::span<const int> members);

/// One communicator of the hierarchy below a first one.
struct Communicator {
  std::vector<int> members;  // in the order of the communicator: ranks of the first one
  int family = 0;            // itself and its siblings: an index into Hierarchy::families
  int index = 0;             // among them, in the order of the tree
  int cover = -1;            // the deepest vertex that covers the members: it bears its name; -1 where no tree is known
  int below = -1;            // the family that it is split into: an index into Hierarchy::families; -1 where it is not
};

/// The communicators that one communicator is split into.
struct Family {
  int parent = -1;              // what was split: an index into Hierarchy::comms, -1 for the first one
  std::vector<int> comms;       // in the order of the tree: indexes into Hierarchy::comms
  std::vector<int> roots;       // rank 0 of each, in the order of the first communicator: ranks of it
  std::vector<int> stragglers;  // the parent's members who are in none, in the same order
};

/// The hierarchy below a first communicator.
struct Hierarchy {
  std::vector<Communicator> comms;
  std::vector<Family> families;          // that of the first communicator is the first
  std::vector<std::vector<int>> levels;  // by member: its communicators, outermost first, as indexes into comms

  /// The family that a communicator (-1: the first one) is split into; -1 where it is not.
  int family_below(int comm) const { return comm >= 0 ? comms[comm].below : families.empty() ? -1 : 0; }
  int num_comms(const Communicator& c) const { return static_cast<int>(families[c.family].comms.size()); }
  const std::vector<int>& roots(const Communicator& c) const { return families[c.family].roots; }
};

/// Adds the communicators that `parent` (-1: the first one) is split into, in the order of the tree: sets what each
/// knows of the others, and their members' levels.
void add_family(Hierarchy& h, int parent, std::vector<Communicator> comms);

/// The communicators that repeated splitting gives to each member of a first one, down to `max_levels`. Memory: O(sum
/// of the communicators' sizes). Pure; thread-safe.
Hierarchy split_all(std::span<const int> parent, std::span<const int> members, int max_levels = INT_MAX);

/// Cuts a communicator of `size` members into groups[0] blocks of consecutive ranks, each of these into groups[1], and
/// so on; sizes divide. No tree is known.
Hierarchy split_into_blocks(int size, std::span<const int> groups);

/// Whether the members of every communicator are consecutive ranks of the first one, in their order.
bool all_consecutive(const Hierarchy& h);

}  // namespace strata::mpix
