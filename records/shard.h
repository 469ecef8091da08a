// SPDX-License-Identifier: LGPL-2.1-only
// One of several parts of a run or a check, which can run on different computers: `--shard 3/8` is the third of eight.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace strata {

struct Shard {
  int number = 1;  // from 1
  int of = 1;

  bool operator==(const Shard&) const = default;
};

inline constexpr int kMostShards = 1'000'000;

/// Parses "3/8", the value of --shard. Throws InputError.
Shard read_shard(const std::string& text);

/// "3/8"
std::string text_of(const Shard& shard);

/// A shard, and the folder or file that contains it.
struct NamedShard {
  std::string name;
  Shard shard;
};

/// Throws InputError if a shard is missing or duplicate, or if the numbers of shards differ. `command` returns the
/// command that runs a shard, for the remedy.
void require_all_shards(const std::vector<NamedShard>& shards, const std::function<std::string(const Shard&)>& command);

}  // namespace strata
