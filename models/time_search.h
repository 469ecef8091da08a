// SPDX-License-Identifier: LGPL-2.1-only
// Places ranks so that a program takes less time, judged by a function that says how long it takes, such as a replay of
// its trace.
//
// Hop-bytes count edges of the tree. They do not know that two nodes of a torus are eight links apart, that a link is
// shared by many messages, or that a rank that sends much has time to spare. The search knows the links: it adds up for
// how long each is busy, and a mapping is the better the smaller the sum of the squares of these times is. That is
// cheap to keep up to date while ranks change places, but it is a guess. So it only chooses what is judged:
//
//   1. each start is judged (the mapping that is there, treematch's, Scotch's);
//   2. from each, ranks and whole groups change places as long as the sum falls, and the result is judged;
//   3. the best so far is changed again and again: out of some exchanges the one with the smallest sum is judged, and
//      kept if the program takes less time. When nothing has helped for long, several exchanges are made at once.
//
// An exchange swaps two ranks, or all ranks below two vertices of the tree that have equally many. It begins with a
// rank that ends late, or that sends or receives over links that are busy for long.
//
// Cost: evaluations * (judge + kChoices exchanges), and kDescent exchanges a rank for each start. An exchange is
// O(messages of its ranks * links on their ways).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/message_cost.h"
#include "records/matrix/pattern.h"

namespace strata::models {

/// A mapping: by the application's rank, the process that is it.
struct NamedMapping {
  std::string name;
  std::vector<int> process_of;
};

/// How long the program takes with a mapping.
struct Judged {
  double seconds = 0;
  std::vector<double> ended;  // by the application's rank, s: when it ends
};
using Judge = std::function<Judged(const std::vector<int>& process_of)>;

struct TimeSearchOptions {
  long evaluations = 0;  // how many mappings are judged at most; the starts are in any case
  std::uint64_t seed = 1;
  std::function<bool()> stop = {};  // asked before each evaluation after the starts; may be empty
  std::function<void(long evaluations, double least)> told = {};  // after each evaluation; may be empty
};

struct TimeSearchResult {
  std::vector<int> process_of;        // the best mapping
  double seconds = 0;                 // and its time
  std::vector<double> start_seconds;  // of each start
  std::string start;                  // the name of the one that the best comes from
  long evaluations = 0;
};

/// `cores`: by process, the vertex of its core. `bytes`: what the application's ranks send. There is at least one
/// start. The result is never worse than any of them, and depends on nothing but the arguments as long as `stop` says
/// no. Throws std::invalid_argument where a start is not a permutation of the processes.
TimeSearchResult search_by_time(const MessageCosts& costs, const std::vector<int>& cores, const Pattern& bytes,
                                const std::vector<NamedMapping>& starts, const Judge& judge,
                                const TimeSearchOptions& options);

}  // namespace strata::models
