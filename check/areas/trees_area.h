// SPDX-License-Identifier: LGPL-2.1-only
// Area "trees": the shapes that the blocking collectives send along (mpi_ext/coll/tree.h), every rank's view of them:
// chains of every fanout, the pipeline among them, the binary tree, both binomial trees and the in-order binary tree.
// They are checked against the definitions of Open MPI 2.0.1's trees, and models/trees.h, which builds each tree as a
// whole.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "check/engine/area.h"
#include "check/engine/domain.h"
#include "mpi_ext/coll/tree.h"

namespace strata::check {

std::unique_ptr<Area> trees_area();

enum class Shape { kChain, kBinary, kBinomial, kInOrderBinomial, kInOrderBinary };

struct TreeCase {
  Shape shape = Shape::kChain;
  int ranks = 1;
  int root = 0;    // 0 of the in-order binary tree, which has its own: the last rank
  int fanout = 1;  // of a chain
  friend bool operator==(const TreeCase&, const TreeCase&) = default;
};

/// What mpi_ext makes of a case.
struct TreeOutcome {
  std::vector<mpix::Tree> views;  // by rank
  std::vector<int> spans;         // of the in-order binomial tree: in_order_span, by rank counted from the root
};

TreeOutcome tree_outcome(const TreeCase& c);

/// The properties of the area, for tests that ask them of outcomes that are wrong.
std::vector<Property<TreeCase, TreeOutcome>> tree_properties();

/// "chain,fanout=3,ranks=8,root=2", and back. Throws InputError.
std::string tree_key(const TreeCase& c);
TreeCase read_tree_key(const std::string& key);

}  // namespace strata::check
