// SPDX-License-Identifier: LGPL-2.1-only
// Area "trees": the trees of the blocking collectives (mpi_ext/coll/tree.h), as each rank sees them: chains of every
// fanout including the pipeline, the binary tree, both binomial trees and the in-order binary tree. They are compared
// with the definitions of Open MPI 2.0.1's trees, and with models/trees.h, which builds each tree as a whole.
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
  int root = 0;    // 0 for the in-order binary tree, whose root is always the last rank
  int fanout = 1;  // for chains
  friend bool operator==(const TreeCase&, const TreeCase&) = default;
};

/// The results of mpi_ext in a case.
struct TreeOutcome {
  std::vector<mpix::Tree> views;  // by rank
  std::vector<int> spans;         // for the in-order binomial tree: in_order_span, by rank relative to the root
};

TreeOutcome tree_outcome(const TreeCase& c);

/// The properties of the area; also for tests that apply them to wrong outcomes.
std::vector<Property<TreeCase, TreeOutcome>> tree_properties();

/// Converts a case to "chain,fanout=3,ranks=8,root=2", and back. Throws InputError.
std::string tree_key(const TreeCase& c);
TreeCase read_tree_key(const std::string& key);

}  // namespace strata::check
