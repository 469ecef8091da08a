// SPDX-License-Identifier: LGPL-2.1-only
#include "collectives/tuning/cell.h"

#include <fmt/format.h>

#include "base/error.h"

namespace strata::collectives {

Collective call_of(const Cell& cell, const std::string& where, int root) {
  Collective call = {.operation = cell.operation, .ranks = cell.ranks, .root = root};
  const std::int64_t bytes = cell.operation == Operation::kBarrier ? 0 : cell.bytes;
  call.element_bytes = element_bytes(cell.operation);
  if (bytes % call.element_bytes != 0) {
    throw InputError(where, fmt::format("{} B are not a whole number of MPI_FLOAT", bytes),
                     fmt::format("a reduction combines elements of {} B", kFloatBytes));
  }
  call.count = bytes / call.element_bytes;
  if (cell.operation == Operation::kReduceScatter || cell.operation == Operation::kAllgatherv)
    call.counts.assign(cell.ranks, call.count);
  if (cell.operation == Operation::kAlltoallv) {
    call.counts.assign(static_cast<std::size_t>(cell.ranks) * cell.ranks, call.count);
  }
  return call;
}

std::int64_t rule_bytes(const Cell& cell) {
  return tuned_rule_bytes({.operation = cell.operation,
                           .ranks = cell.ranks,
                           .bytes = cell.bytes,
                           .type_bytes = element_bytes(cell.operation)});
}

std::string text_of(const Cell& cell) {
  if (cell.operation == Operation::kBarrier) return fmt::format("barrier on {} ranks", cell.ranks);
  return fmt::format("{} of {} B on {} ranks", name_of(cell.operation), cell.bytes, cell.ranks);
}

}  // namespace strata::collectives
