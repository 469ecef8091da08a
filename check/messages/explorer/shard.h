// SPDX-License-Identifier: LGPL-2.1-only
// One of several shards of an exploration, for as many machines that cannot talk to each other.
//
// All shards lay out the same prefixes: the first steps of all orders, until there are enough of them. Prefix 1, 2, 3
// belongs to shard 1, 2, 3 of three, prefix 4 to shard 1 again. A shard explores the orders that begin with its
// prefixes, each with an exploration of its own, and adds up. So the sum over the shards does not depend on how many
// there are, and the first violation is the one with the lowest prefix.
//
// An undivided exploration learns from a race in one order that it needs another one, which may belong to another
// shard. So prefixes are laid out without such help: every actor goes on. Sleep sets still leave out those that are
// equal. They take two sends to one rank as dependent, because another shard may be the one that finds a receive from
// anybody. This is sound, and explores more orders. With tests/check/programs/orders.cc under SimGrid 3.32: 7,616
// states for 5,150 where six ranks send to a receive from any rank, 936 for 927 of a drawn program (`mixed 2`), but 388
// for 13 where four ranks send to receives by name, which is a single order.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <vector>

#include "check/messages/explorer/application.h"
#include "check/messages/explorer/search.h"

namespace strata::check {

struct Prefix {
  std::vector<Step> steps = {};
  std::map<long, std::vector<Step>> asleep = {};  // as Search::Start has it
  bool ended = false;                             // no actor can go on, or the program died
};

struct Prefixes {
  std::vector<Prefix> all;  // in the order of a search
  long states = 0;          // before their ends
  long transitions = 0;     // taken to find them
};

inline constexpr std::size_t kLeastPrefixes = 64;

/// At least `least` prefixes, unless the application has fewer orders; none is longer than `most_steps`.
Prefixes lay_out_prefixes(Application& application, std::size_t most_steps, std::size_t least = kLeastPrefixes);

struct ShardResult {
  SearchResult found;
  std::size_t prefix = 0;  // that leads there, from 0
  SearchCounts counts;     // those of the prefixes themselves in the first shard
};

/// Explores shard `number`, from 1, of `of` until an order goes wrong. `reduce`, `most_steps` and `progressed` are
/// those of Search.
ShardResult search_shard(Application& application, const Prefixes& prefixes, int number, int of, bool reduce,
                         std::size_t most_steps, const std::function<void(const SearchCounts&)>& progressed);

}  // namespace strata::check
