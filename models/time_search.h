// SPDX-License-Identifier: LGPL-2.1-only
// Searches for a placement of ranks that makes a program faster, judged by a function that returns its time, such as a
// replay of its trace.
//
// Hop-bytes count edges of the tree. They ignore that two nodes of a torus may be eight links apart, that many messages
// share a link, or that a rank that sends much may have time to spare. The search takes the links into account: it adds
// up how long each link is busy, and prefers mappings with a smaller sum of the squares of these times. This sum can be
// updated cheaply when ranks swap places, but it is only an estimate. So it only selects the candidates to judge:
//
//   1. Each start is judged (the existing mapping, treematch's, Scotch's).
//   2. From each, ranks and whole groups swap places as long as the sum falls, and the result is judged.
//   3. The best so far is changed repeatedly: among some exchanges the one with the smallest sum is judged, and kept if
//      the program takes less time. If there is no improvement for a long time, several exchanges are made at once.
//
// An exchange swaps two ranks, or all ranks below two vertices of the tree with equally many ranks. It starts from a
// rank that ends late, or that sends or receives over links that are busy for a long time.
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

/// A mapping: for each rank of the application, its process.
struct NamedMapping {
  std::string name;
  std::vector<int> process_of;
};

/// The program's time with a mapping.
struct Judged {
  double seconds = 0;
  std::vector<double> ended;  // by the application's rank, s: when it ends
};
using Judge = std::function<Judged(const std::vector<int>& process_of)>;

struct TimeSearchOptions {
  long evaluations = 0;  // the maximum number of mappings to judge; the starts are always judged
  std::uint64_t seed = 1;
  std::function<bool()> stop = {};  // asked before each evaluation after the starts; may be empty
  std::function<void(long evaluations, double least)> told = {};  // after each evaluation; may be empty
};

struct TimeSearchResult {
  std::vector<int> process_of;        // the best mapping
  double seconds = 0;                 // and its time
  std::vector<double> start_seconds;  // of each start
  std::string start;                  // the name of the start that led to the best mapping
  long evaluations = 0;
};

/// `cores`: by process, the vertex of its core. `bytes`: the bytes that the application's ranks send. At least one
/// start is required. The result is never worse than any of them, and depends only on the arguments as long as `stop`
/// returns false. Throws std::invalid_argument if a start is not a permutation of the processes.
TimeSearchResult search_by_time(const MessageCosts& costs, const std::vector<int>& cores, const Pattern& bytes,
                                const std::vector<NamedMapping>& starts, const Judge& judge,
                                const TimeSearchOptions& options);

}  // namespace strata::models
