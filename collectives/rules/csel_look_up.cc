// SPDX-License-Identifier: LGPL-2.1-only
#include "collectives/rules/csel_look_up.h"

#include <bit>
#include <optional>

#include "collectives/rules/csel_file.h"

namespace strata::collectives {
namespace {

// The bytes of all blocks together. A gather or scatter counts elements, not bytes.
std::int64_t total_of(const Call& c) {
  const bool counts = c.operation == Operation::kGather || c.operation == Operation::kScatter;
  return (counts ? c.bytes / c.type_bytes : c.bytes) * c.ranks;
}

std::int64_t count_of(const Call& c) {
  const bool is_sum = c.operation == Operation::kAllgatherv || c.operation == Operation::kReduceScatter;
  return c.bytes / c.type_bytes * (is_sum ? c.ranks : 1);
}

// Whether MPICH makes communicators of the nodes' ranks, and of one rank of each node.
bool has_hierarchy(const Call& c) { return c.nodes < c.ranks; }

bool has_hierarchy(const Call& c, std::string_view kind) {
  return kind == "parent" ? has_hierarchy(c) : kind == "flat" && !has_hierarchy(c);
}

// `at_creation`: MPICH tests it when it makes the communicator.
bool holds(const CselKey& key, const Library& library, const Call& c, bool at_creation) {
  const auto ranks = static_cast<unsigned>(c.ranks);
  switch (key.test) {
    case CselTest::kCollective:
      return key.name == name_of(c.operation);
    case CselTest::kIntra:
      return true;
    case CselTest::kInter:
      return false;
    case CselTest::kThreaded:
      return key.value == 0;
    case CselTest::kRanksAtMost:
      return c.ranks <= key.value;
    case CselTest::kRanksBelow:
      return at_creation ? c.ranks < key.value : c.ranks <= key.value;
    case CselTest::kRanksPowerOfTwo:
      return std::has_single_bit(ranks);
    case CselTest::kRanksOfOneNode:
      return has_hierarchy(c) && c.nodes == 1;
    case CselTest::kHierarchy:
      return library.from(5) ? (key.name == "parent") == has_hierarchy(c) : has_hierarchy(c, key.name);
    case CselTest::kConsecutive:
      return c.are_consecutive == (key.value == 1);
    case CselTest::kRanksPerNodeAtMost:
      return (has_hierarchy(c) || !library.from(5)) && c.ranks <= key.value * c.nodes;
    case CselTest::kRanksPerNodeBelow:
      return (has_hierarchy(c) || !library.from(5)) && c.ranks < key.value * c.nodes;
    case CselTest::kMeanBytesAtMost:
      return c.bytes <= key.value;
    case CselTest::kMeanBytesBelow:
      return c.bytes < key.value;
    case CselTest::kTotalBytesAtMost:
      return total_of(c) <= key.value;
    case CselTest::kTotalBytesBelow:
      return total_of(c) < key.value;
    case CselTest::kCountAtMost:
      return count_of(c) <= key.value;
    case CselTest::kCountBelowPowerOfTwo:
      return count_of(c) < std::int64_t{std::bit_floor(ranks)};
    case CselTest::kInPlace:
      return c.is_in_place == (key.value == 1);
    case CselTest::kRegular:
      return c.are_blocks_equal == (key.value == 1);
    case CselTest::kCommutative:
      return c.is_commutative == (key.value == 1);
    case CselTest::kBuiltIn:
      return c.is_built_in == (key.value == 1);
    case CselTest::kAny:
    case CselTest::kLeaf:
      return true;
  }
  return false;
}

bool is_tested_at_creation(const CselKey& key, const Library& library) {
  if (key.test == CselTest::kAny) return library.from(4, 2) || key.name.starts_with("comm_");
  return tests_communicator(key.test);
}

}  // namespace

std::vector<const CselNode*> find_path(const std::vector<CselNode>& tree, const Library& library, const Call& call) {
  std::vector<const CselNode*> path;
  const std::vector<CselNode>* level = &tree;
  bool at_creation = true;
  while (true) {
    const CselNode* found = nullptr;
    for (const CselNode& node : *level) {
      const std::optional<CselKey> key = parse_csel_key(node.key, library);
      if (!key) continue;
      if (key->test == CselTest::kLeaf) {
        path.push_back(&node);
        return path;
      }
      at_creation = at_creation && is_tested_at_creation(*key, library);
      if (!holds(*key, library, call, at_creation)) continue;
      found = &node;
      break;
    }
    if (found == nullptr) return {};
    path.push_back(found);
    level = &found->children;
  }
}

}  // namespace strata::collectives
