// SPDX-License-Identifier: LGPL-2.1-only
// Ranks that wait for each other, or for something that one of them makes known, other than by messages: what MPI
// libraries do through their launcher. A pure core. For example, ranks 0 and 3 connect their jobs:
//
//   meetings.come(key, 0, 2)    {}: it waits
//   meetings.come(key, 3, 2)    {0, 3}: both continue
//
// and rank 1 waits for a name that rank 2 publishes:
//
//   meetings.await(key, 1);
//   meetings.announce(key)      {1}
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace strata::native {

/// Not thread-safe.
class Meetings {
 public:
  /// `rank` is there, of `participants` ranks. Those that continue now: none, or all of them in the order in which they
  /// came.
  std::vector<int> come(std::uint64_t key, int rank, std::uint32_t participants) {
    std::vector<int>& there = come_[key];
    there.push_back(rank);
    if (there.size() < participants) return {};
    std::vector<int> all = std::move(there);
    come_.erase(key);
    return all;
  }

  /// `rank` waits for the next announce().
  void await(std::uint64_t key, int rank) { await_[key].push_back(rank); }
  /// Those that continue now.
  std::vector<int> announce(std::uint64_t key) {
    const auto found = await_.find(key);
    if (found == await_.end()) return {};
    std::vector<int> all = std::move(found->second);
    await_.erase(found);
    return all;
  }

 private:
  std::unordered_map<std::uint64_t, std::vector<int>> come_, await_;
};

}  // namespace strata::native
