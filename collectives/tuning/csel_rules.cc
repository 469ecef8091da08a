// SPDX-License-Identifier: LGPL-2.1-only
#include "collectives/tuning/csel_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "collectives/chosen/chosen.h"
#include "collectives/rules/csel_file.h"
#include "collectives/rules/mpich_whole_tree.h"
#include "collectives/schedules/mpich.h"
#include "collectives/tuning/candidates.h"

namespace strata::collectives {
namespace {

using Nodes = std::vector<CselNode>;
constexpr const char* kIntra = "comm_type=intra";

CselNode test(std::string key, Nodes children) { return {.key = std::move(key), .children = std::move(children)}; }

bool is_of_message(const CselKey& key, const Library& library) {
  if (key.test == CselTest::kAny) return !library.from(4, 2) && !key.name.starts_with("comm_");
  return key.test != CselTest::kLeaf && !tests_communicator(key.test);
}

// The tree for a place below a test of the message. There MPICH reads comm_size<8 as at most 8 (csel_look_up.h).
Nodes below_message(const Nodes& tree, const Library& library) {
  Nodes moved;
  bool is_below = false;  // already, because a test beside it is one of the message
  for (const CselNode& node : tree) {
    const std::optional<CselKey> key = parse_csel_key(node.key, library);
    is_below = is_below || (key && is_of_message(*key, library));
    if (is_below) {
      moved.push_back(node);
      continue;
    }
    const bool is_changed = key && key->test == CselTest::kRanksBelow;
    moved.push_back(test(is_changed ? fmt::format("comm_size<={}", key->value - 1) : node.key,
                         below_message(node.children, library)));
  }
  return moved;
}

// `then` if the test holds, and otherwise `other`, where the test is one that is answered by yes or no.
Nodes if_yes(const std::string& name, Nodes then, const Nodes& other) {
  return {test(name + "=yes", std::move(then)), test(name + "=no", other)};
}

// The algorithm if it suits the call, and otherwise `other`.
Nodes guarded(const MpichAlgorithm& algorithm, const Nodes& other) {
  Nodes leaf = {test(fmt::format("algorithm={}", algorithm.name), {})};
  const auto on_nodes = [&](Nodes then) {
    return Nodes{test("comm_hierarchy=parent", std::move(then)), test("comm_hierarchy=any", other)};
  };
  switch (algorithm.need) {
    case MpichNeed::kNothing:
      return leaf;
    case MpichNeed::kPowerOfTwo:
    case MpichNeed::kEqualBlocks:
      return {test("comm_size=pow2", leaf), test("comm_size=any", other)};
    case MpichNeed::kBlockForEach:
      return if_yes("is_commutative", {test("count<pow2", other), test("count=any", leaf)}, other);
    case MpichNeed::kCommutative:
      return if_yes("is_commutative", leaf, other);
    case MpichNeed::kInPlace:
      return if_yes("is_sendbuf_inplace", leaf, other);
    case MpichNeed::kNotInPlace:
      return {test("is_sendbuf_inplace=yes", other), test("is_sendbuf_inplace=no", leaf)};
    case MpichNeed::kNodes:
      return on_nodes(leaf);
    case MpichNeed::kCommutativeOnNodes:
      return on_nodes(if_yes("is_commutative", leaf, other));
    case MpichNeed::kConsecutiveNodes:
      return if_yes("is_node_consecutive", leaf, other);  // as the library's own tree
  }
  return other;
}

using BySize = std::map<std::int64_t, Choice>;

// Consecutive equal choices are one. Below the first size, the library decides.
BySize merged(const BySize& choices, bool has_size) {
  BySize first;
  Choice last;
  for (const auto& [bytes, choice] : choices) {
    if (choice == last && (has_size || !first.empty())) continue;
    first[bytes] = last = choice;
  }
  return first;
}

// The test of a message's size that MPICH has for the operation, as csel_file.cc says; null: it does not test it.
const char* size_test(Operation operation) {
  switch (operation) {
    case Operation::kBcast:
    case Operation::kReduce:
    case Operation::kAllreduce:
    case Operation::kAlltoall:
      return "avg_msg_size";
    case Operation::kBarrier:
    case Operation::kScan:
    case Operation::kExscan:
      return nullptr;
    default:
      return "total_msg_size";
  }
}

// In the unit of size_test. Blocks count together, those of all ranks.
std::int64_t tested_bytes(const Cell& cell) {
  const bool is_total = std::string_view(size_test(cell.operation)) == "total_msg_size";
  return is_total ? cell.bytes * cell.ranks : cell.bytes;
}

Nodes message_tests(Operation operation, const BySize& choices, const Nodes& own, const Library& library) {
  const Nodes below = below_message(own, library);
  const char* const size = size_test(operation);
  const auto subtree = [&](const Choice& choice, const Nodes& other) {
    return choice.algorithm == 0 ? other : guarded(*find_mpich(operation, choice.name), other);
  };
  if (size == nullptr) return subtree(choices.size() == 1 ? choices.begin()->second : Choice{}, own);
  Nodes tests;
  Choice last;
  for (const auto& [bytes, choice] : choices) {
    if (bytes > 0) tests.push_back(test(fmt::format("{}<{}", size, bytes), subtree(last, below)));
    last = choice;
  }
  if (tests.empty()) return subtree(last, own);
  tests.push_back(test(fmt::format("{}=any", size), subtree(last, below)));
  return tests;
}

Nodes communicator_tests(Operation operation, const std::map<int, BySize>& by_ranks, const Nodes& own,
                         const Library& library) {
  Nodes tests;
  Nodes last = own;
  for (const auto& [ranks, choices] : by_ranks) {
    tests.push_back(test(fmt::format("comm_size<={}", ranks - 1), std::move(last)));
    last = message_tests(operation, merged(choices, size_test(operation) != nullptr), own, library);
  }
  tests.push_back(test("comm_size=any", std::move(last)));
  return tests;
}

std::string find_collective(const CselNode& node, const Library& library) {
  const std::optional<CselKey> key = parse_csel_key(node.key, library);
  return key && key->test == CselTest::kCollective ? std::string(key->name) : "";
}

}  // namespace

std::set<Operation> with_choices(const std::vector<CellChoice>& choices) {
  std::set<Operation> operations;
  for (const CellChoice& c : choices) {
    if (c.choice.algorithm != 0) operations.insert(c.cell.operation);
  }
  return operations;
}

void agree_on_sizes(std::vector<CellChoice>& choices) {
  std::map<std::pair<Operation, int>, std::vector<CellChoice*>> without_size;
  for (CellChoice& c : choices) {
    if (size_test(c.cell.operation) == nullptr) without_size[{c.cell.operation, c.cell.ranks}].push_back(&c);
  }
  for (const auto& [communicator, of_sizes] : without_size) {
    const Choice first = of_sizes.front()->choice;
    if (std::all_of(of_sizes.begin(), of_sizes.end(), [&](const auto* c) { return c->choice == first; })) continue;
    for (CellChoice* c : of_sizes) c->choice = {};
  }
}

RuleFile csel_rules_of(const std::vector<CellChoice>& choices, const Library& library) {
  std::map<Operation, std::map<int, BySize>> by_operation;
  for (const CellChoice& c : choices) {
    const std::int64_t bytes = size_test(c.cell.operation) == nullptr ? c.cell.bytes : tested_bytes(c.cell);
    by_operation[c.cell.operation][c.cell.ranks][bytes] = c.choice;
  }
  const std::set<Operation> chosen = with_choices(choices);
  RuleFile file;
  file.format = Format::kCsel;
  file.tree = mpich_whole_tree(library);
  for (CselNode& collective : file.tree) {
    const std::optional<Operation> operation = find_operation(find_collective(collective, library));
    if (!operation || !chosen.contains(*operation)) continue;
    for (CselNode& kind : collective.children) {
      if (kind.key != kIntra) continue;
      kind.children = communicator_tests(*operation, by_operation[*operation], kind.children, library);
    }
  }
  return file;
}

std::optional<Cell> csel_differs(const RuleFile& file, const Library& library, const std::vector<CellChoice>& choices,
                                 const std::map<int, std::vector<int>>& nodes) {
  const Chooser with(library, &file, with_choices(choices)), without(library, nullptr, with_choices(choices));
  for (const CellChoice& c : choices) {
    Collective call = call_of(c.cell, "");
    call.nodes = nodes.at(c.cell.ranks);
    const std::string chosen = with.choose(call).decision.name;
    if (chosen != (c.choice.algorithm == 0 ? without.choose(call).decision.name : c.choice.name)) return c.cell;
  }
  return {};
}

Choice without_composition(Operation operation, const Choice& choice) {
  if (!choice.name.starts_with("MPIDI_")) return choice;
  const std::string name = choice.name.substr(std::string("MPIDI").size());
  const std::string smp = "MPIR" + name.substr(0, name.find("_intra_")) + "_intra_smp";
  return find_mpich(operation, smp) == nullptr ? Choice{} : numbered(operation, {.name = smp});
}

}  // namespace strata::collectives
