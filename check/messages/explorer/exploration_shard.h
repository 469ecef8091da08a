// SPDX-License-Identifier: LGPL-2.1-only
// One of several shards of an exploration, which can run on different computers without communication.
//
// All shards compute the same prefixes: the first steps of all orders, up to the depth at which there are enough of
// them. Of three shards, shard 1 gets prefix 1, shard 2 prefix 2, shard 3 prefix 3, shard 1 prefix 4, and so on. A
// shard explores the orders that begin with each of its prefixes separately and adds up the counts. So the sum over all
// shards does not depend on their number, and the first violation is the one with the lowest prefix.
//
// An undivided exploration adds orders when it finds a race, and the new order may belong to another shard. Therefore
// prefixes are computed without races: every actor continues. Sleep sets still skip equal orders. They treat two sends
// to one rank as dependent, because another shard may find a receive from any source. This is sound, but explores more
// orders. With tests/check/programs/orders.cc under SimGrid 3.32, there are 7,616 states instead of 5,150 if six ranks
// send to a receive from any source, and 936 instead of 927 for a random program (`mixed 2`), but 388 instead of 13 if
// four ranks send to receives that name them, which is a single order.
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
  std::map<long, std::vector<Step>> asleep = {};  // as for Search::start_after
  bool ended = false;                             // no actor can continue, or the program died
};

struct Prefixes {
  std::vector<Prefix> all;  // in the order of a search
  long states = 0;          // before the ends of prefixes
  long transitions = 0;     // taken to find them
};

inline constexpr std::size_t kLeastPrefixes = 64;

/// At least `least` prefixes, unless the application has fewer orders, and none longer than `most_steps`.
Prefixes lay_out_prefixes(Application& application, std::size_t most_steps, std::size_t least = kLeastPrefixes);

struct ShardResult {
  SearchResult found;
  std::size_t prefix = 0;  // index of the prefix of `found`
  SearchCounts counts;     // the first shard includes those of computing the prefixes
};

/// Explores shard `number` (from 1) of `of` until an order is wrong. `reduce`, `most_steps` and `progressed` are as in
/// Search.
ShardResult search_shard(Application& application, const Prefixes& prefixes, int number, int of, bool reduce,
                         std::size_t most_steps, const std::function<void(const SearchCounts&)>& progressed);

}  // namespace strata::check
