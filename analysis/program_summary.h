// SPDX-License-Identifier: LGPL-2.1-only
// The summary of a program's run by `strata exec`: where the time of the ranks went, what crossed which level of
// the machine, which links were the fullest, and what to try next, each with its evidence.
//
//   time of a rank         mean              least                most
//     computing            20.0 %            18.1 %  (rank 3)     25.2 %  (rank 0)
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "records/levels.h"
#include "records/links.h"
#include "records/profile.h"

namespace strata::analysis {

/// The effect of another order of ranks: the share of all bytes that cross `border`, before and after.
struct Reordering {
  std::string method;  // "treematch"
  std::string border;  // "the network", "packages"
  double before = 0, after = 0;
};

struct ProgramRun {
  std::string program, machine;
  int nodes = 1;          // on which there are ranks
  int machine_nodes = 1;  // that there are
  bool measured = false;  // computation took simulated time
  Profile profile = {};
  std::vector<LevelMessages> levels = {};
  std::vector<LinkTraffic> links = {};
  std::string time = {};                         // time_text() of its events, if they were recorded
  std::optional<double> before_reordering = {};  // simulated time in the order that the ranks had before, s
  std::optional<Reordering> reordering = {};     // where it would help
};

/// The fullest links: by utilisation, at most `most`, without those that carried nothing.
std::vector<LinkTraffic> fullest_links(const std::vector<LinkTraffic>& links, size_t most);

/// Sums over the ranks, s.
struct RankTimes {
  double computing = 0, communicating = 0, waiting = 0;
};
RankTimes total_times(const Profile& profile);

/// Some lines, each ending in a line feed.
std::string summary_text(const ProgramRun& run);

}  // namespace strata::analysis
