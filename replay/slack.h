// SPDX-License-Identifier: LGPL-2.1-only
// Slack: how much later each message of a replay could arrive without delaying the end of the run, if everything else
// took the same time. For example, if rank 1 waits for messages from ranks 0 and 2, and that of rank 2 arrives 3 ms
// later, that of rank 0 has a slack of 3 ms. Messages on the critical path have none.
//
// It is the float of the critical path method (J. E. Kelley, Critical-Path Planning and Scheduling: Mathematical Basis,
// Operations Research 9, 1961). Read backwards, the records give the latest possible time of each moment of a rank from
// those that depend on it. Receives keep the messages that they got, even if another one could have come first.
#pragma once

#include <cstdint>
#include <vector>

#include "platforms/machine.h"
#include "replay/history.h"

namespace strata::replay {

/// By message of the history, s; History::kNever if no rank waits for it. O(records).
std::vector<double> slack_of_messages(const History& history);

struct LevelSlack {
  int level = 0;  // index into SlackSummary::levels
  std::int64_t messages = 0;
  double least = 0, median = 0;  // s
};

struct SlackSummary {
  /// Bins: without slack (less than rounding), then each up to ten times the one before: below 1 ns, 10 ns, ... The
  /// last is unbounded.
  static constexpr double kRounding = 1e-11;  // s; the engine's is 1e-12 for each step
  static constexpr double kFirst = 1e-9;      // s: where the second bin ends
  static constexpr std::size_t kBins = 12;
  std::vector<std::int64_t> messages = std::vector<std::int64_t>(kBins);  // by bin
  std::int64_t unawaited = 0;                                             // messages for which no rank waits: not in
                                                                          // the bins
  std::vector<std::string> levels;
  std::vector<LevelSlack> by_level;  // in the machine's order; only levels with messages

  /// Bounds of a bin, s.
  static double from(std::size_t bin);
  static double to(std::size_t bin);
};

/// `cores` by rank, `machine`: those of the replay.
SlackSummary summary_of(const std::vector<double>& slack, const History& history, const Machine& machine,
                        const std::vector<int>& cores);

}  // namespace strata::replay
