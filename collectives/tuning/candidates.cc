// SPDX-License-Identifier: LGPL-2.1-only
#include "collectives/tuning/candidates.h"

#include <fmt/format.h>

#include "collectives/rules/csel_file.h"
#include "collectives/rules/openmpi_algorithms.h"
#include "collectives/schedules/mpich.h"
#include "collectives/schedules/open_mpi.h"

namespace strata::collectives {
namespace {

// Which settings of a rule an algorithm uses. Source: ompi_coll_tuned_*_intra_do_this in coll_tuned_*_decision.c of
// Open MPI 4.1.4 and 5.0.9.
struct Uses {
  Operation operation;
  int number;
  bool has_chains;
  bool needs_segments;  // whole, it becomes a different algorithm
};
constexpr Uses kUses[] = {
    {Operation::kBcast, 2, true, false},      // chain
    {Operation::kBcast, 3, false, false},     // pipeline
    {Operation::kBcast, 4, false, false},     // split_binary_tree
    {Operation::kBcast, 5, false, false},     // binary_tree
    {Operation::kBcast, 6, false, false},     // binomial
    {Operation::kBcast, 7, false, false},     // knomial
    {Operation::kReduce, 2, true, false},     // chain
    {Operation::kReduce, 3, false, false},    // pipeline
    {Operation::kReduce, 4, false, false},    // binary
    {Operation::kReduce, 5, false, false},    // binomial
    {Operation::kReduce, 6, false, false},    // in-order_binary
    {Operation::kAllreduce, 5, false, true},  // segmented_ring: whole, the ring
    {Operation::kGather, 3, false, true},     // linear_sync: the first part of a message
};

const Uses* uses_of(Operation operation, int number) {
  for (const Uses& u : kUses) {
    if (u.operation == operation && u.number == number) return &u;
  }
  return nullptr;
}

// The segmented ring divides each rank's block.
bool divides(std::int64_t segment, const Cell& cell) {
  return has_segments(cell.bytes, cell.operation == Operation::kAllreduce ? segment * cell.ranks : segment);
}

std::vector<Choice> mpich_candidates(const Collective& call, const Library& library) {
  std::vector<Choice> all;
  for (const MpichAlgorithm& a : mpich_algorithms()) {
    if (a.operation != call.operation || !a.suits(call) || a.need == MpichNeed::kEqualBlocks) continue;
    if (!has_mpich_algorithm(name_of(a.operation), a.name, library) || mpich_value(a.name).empty()) continue;
    all.push_back(numbered(a.operation, {.name = a.name}));
  }
  return all;
}

}  // namespace

Choice numbered(Operation operation, Choice choice) {
  const MpichAlgorithm* a = choice.name.empty() ? nullptr : find_mpich(operation, choice.name);
  if (a != nullptr) choice.algorithm = static_cast<int>(a - mpich_algorithms().data()) + 1;
  return choice;
}

bool has_parts(Operation operation, const Choice& choice) {
  const OpenMpiAlgorithm* a = choice.name.empty() ? find_open_mpi(operation, choice.algorithm) : nullptr;
  return a != nullptr && a->has_parts;
}

std::vector<Choice> candidates(const Collective& call, const Cell& cell, const Library& library) {
  if (!library.is_openmpi()) return mpich_candidates(call, library);
  std::vector<Choice> all;
  const auto names = tuned_algorithms(cell.operation, library);
  for (int number = 1; number < static_cast<int>(names.size()); ++number) {
    const OpenMpiAlgorithm* algorithm = find_open_mpi(cell.operation, number);
    if (algorithm == nullptr || (algorithm->only_two_ranks && cell.ranks != 2)) continue;
    const Uses* uses = uses_of(cell.operation, number);
    std::vector<int> fanouts = {0};
    if (uses != nullptr && uses->has_chains) fanouts.assign(std::begin(kChains), std::end(kChains));
    std::vector<std::int64_t> segments;
    if (uses == nullptr || !uses->needs_segments) segments.push_back(0);
    for (const std::int64_t segment : kSegments) {
      if (uses != nullptr && divides(segment, cell)) segments.push_back(segment);
    }
    for (const int fanout : fanouts) {
      for (const std::int64_t segment : segments) {
        all.push_back({.algorithm = number, .faninout = fanout, .segment_bytes = segment});
      }
    }
  }
  return all;
}

Chosen chosen_by_rule(const Chooser& chooser, const Collective& call, const Choice& choice) {
  if (!choice.name.empty()) return chooser.of_name(call, choice.name);
  Chosen chosen = chooser.of_number(call.operation, choice.algorithm);
  chosen.decision.choice = choice;
  chosen.settings.segment_bytes = choice.segment_bytes;
  if (choice.faninout > 0) chosen.settings.fanout = choice.faninout;
  return chosen;
}

std::string text_of(Operation operation, const Choice& choice, const Library& library) {
  if (choice.algorithm == 0) return "library";
  if (!library.is_openmpi()) return mpich_algorithms()[choice.algorithm - 1].name;
  std::string text = tuned_algorithms(operation, library)[choice.algorithm];
  if (choice.faninout > 0) text += fmt::format(", {} chains", choice.faninout);
  if (choice.segment_bytes > 0) text += fmt::format(", segments of {} B", choice.segment_bytes);
  return text;
}

}  // namespace strata::collectives
