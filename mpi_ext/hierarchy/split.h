// SPDX-License-Identifier: LGPL-2.1-only
// The core of the communicator hierarchy: computes the new communicator of each member when a communicator is split.
//
// Idea (RR-9077, Algorithm 1): find the deepest object that covers the bindings of all members. Each of its children
// that holds a member's whole binding becomes a communicator; a member whose binding fits in no child gets none. If
// every binding is replaced by the deepest vertex that covers it, the object is the lowest common ancestor of these
// vertices, and a member fits in a child exactly if its vertex is the child or below it. So the core needs only a
// tree's parents and a vertex per member: the tree may be a whole machine or just nodes under one switch.
//
// Trees are numbered in depth-first preorder, like a Topology: a parent has a smaller number than its children (the
// root is 0, its parent -1), and siblings are numbered from left to right.
//
// Cost: O(members x depth) for one split and for all. The result is a strict subset, and siblings are disjoint: a child
// that held all members would be a deeper object that covers them.
#pragma once

#include <climits>
#include <span>
#include <vector>

namespace strata::mpix {

/// The lowest common ancestor of at least one vertex.
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
  std::vector<int> members;  // ranks of the first communicator, in the order of this communicator
  int family = 0;            // the communicator and its siblings: an index into Hierarchy::families
  int index = 0;             // among the siblings, in the order of the tree
  int cover = -1;            // the deepest vertex that covers the members and gives the name; -1 without a tree
  int below = -1;            // the family into which it is split: an index into Hierarchy::families; -1 if it is not
                             // split
};

/// The communicators that one communicator is split into.
struct Family {
  int parent = -1;              // the communicator that was split: an index into Hierarchy::comms, -1 for the first one
  std::vector<int> comms;       // in the order of the tree: indexes into Hierarchy::comms
  std::vector<int> roots;       // rank 0 of each, as ranks of the first communicator, ascending
  std::vector<int> stragglers;  // members of the parent that are in none, in the same order
};

/// The hierarchy below a first communicator.
struct Hierarchy {
  std::vector<Communicator> comms;
  std::vector<Family> families;          // the first communicator's family comes first
  std::vector<std::vector<int>> levels;  // by member: its communicators, outermost first, as indexes into comms

  /// The family into which a communicator (-1: the first one) is split; -1 if it is not split.
  int family_below(int comm) const { return comm >= 0 ? comms[comm].below : families.empty() ? -1 : 0; }
  int num_comms(const Communicator& c) const { return static_cast<int>(families[c.family].comms.size()); }
  const std::vector<int>& roots(const Communicator& c) const { return families[c.family].roots; }
};

/// Adds the communicators into which `parent` (-1: the first one) is split, in the order of the tree. Sets their
/// references to each other and their members' levels.
void add_family(Hierarchy& h, int parent, std::vector<Communicator> comms);

/// The communicators that repeated splitting gives to each member of a first one, down to `max_levels`. Memory: O(sum
/// of the communicators' sizes). Pure; thread-safe.
Hierarchy split_all(std::span<const int> parent, std::span<const int> members, int max_levels = INT_MAX);

/// Cuts a communicator of `size` members into groups[0] blocks of consecutive ranks, each of these into groups[1], and
/// so on. The sizes must divide each other. Works without a tree.
Hierarchy split_into_blocks(int size, std::span<const int> groups);

/// Whether the members of every communicator are consecutive ranks of the first one, in their order.
bool all_consecutive(const Hierarchy& h);

}  // namespace strata::mpix
