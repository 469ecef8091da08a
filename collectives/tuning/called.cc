// SPDX-License-Identifier: LGPL-2.1-only
#include "collectives/tuning/called.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <optional>
#include <tuple>
#include <utility>

namespace strata::collectives {
namespace {

// By size: how many calls.
using Sizes = std::map<std::int64_t, std::int64_t>;

// Of "MPI_Allreduce".
std::optional<Operation> operation_of(const std::string& function) {
  constexpr std::string_view kPrefix = "MPI_";
  if (!function.starts_with(kPrefix)) return {};
  std::string name = function.substr(kPrefix.size());
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  return find_operation(name);
}

std::int64_t whole_elements(Operation operation, std::int64_t bytes) {
  const std::int64_t element = element_bytes(operation);
  return (bytes + element - 1) / element * element;
}

// One size for all up to each power of two: the mean of their calls.
Sizes merged(Operation operation, const Sizes& sizes) {
  std::map<std::uint64_t, std::pair<double, std::int64_t>> parts;  // by power of two: bytes, calls
  for (const auto& [bytes, calls] : sizes) {
    auto& [sum, count] = parts[std::bit_ceil(static_cast<std::uint64_t>(bytes))];
    sum += static_cast<double>(bytes) * static_cast<double>(calls);
    count += calls;
  }
  Sizes means;
  for (const auto& [power, part] : parts) {
    const auto mean = static_cast<std::int64_t>(part.first / static_cast<double>(part.second));
    means[whole_elements(operation, mean)] += part.second;
  }
  return means;
}

}  // namespace

Called called_of(const Trace& trace) {
  Called called;
  std::map<std::pair<Operation, int>, Sizes> by_communicator;
  std::map<int, std::map<int, std::int64_t>> calls_of;  // by number of ranks, then by communicator
  for (const CollectiveCalls& c : trace.collectives) {
    const std::optional<Operation> operation = operation_of(c.function);
    const auto ranks = static_cast<int>(trace.communicators[c.communicator].size());
    if (!operation) {
      called.others[c.function] += c.calls;
      continue;
    }
    if (ranks < 2 || (c.bytes == 0 && *operation != Operation::kBarrier)) continue;
    by_communicator[{*operation, ranks}][whole_elements(*operation, c.bytes)] += c.calls;
    calls_of[ranks][c.communicator] += c.calls;
  }
  for (const auto& [ranks, calls] : calls_of) {
    const auto most =
        std::max_element(calls.begin(), calls.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    called.members[ranks] = trace.communicators[most->first];
  }
  for (const auto& [communicator, sizes] : by_communicator) {
    const auto [operation, ranks] = communicator;
    const bool merge = sizes.size() > kMostSizes;
    called.are_merged = called.are_merged || merge;
    for (const auto& [bytes, calls] : merge ? merged(operation, sizes) : sizes) {
      called.cells.push_back({{operation, ranks, bytes}, calls});
    }
  }
  return called;
}

}  // namespace strata::collectives
