// SPDX-License-Identifier: LGPL-2.1-only
// The summary of a program's run by `strata exec`: how the ranks spent their time, which levels of the machine the
// messages crossed, which links were fullest, and suggestions with their evidence.
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
  std::string library = {};      // a real MPI library: "Open MPI 4.1.4"; empty: SMPI
  std::string collectives = {};  // whose they are; empty: not said
  int nodes = 1;                 // number of nodes with ranks
  int machine_nodes = 1;         // number of all nodes
  bool measured = false;         // computation took simulated time
  Profile profile = {};
  std::vector<LevelMessages> levels = {};
  std::vector<LinkTraffic> links = {};
  std::string time = {};                         // time_text() of its events, if recorded
  std::optional<double> before_reordering = {};  // simulated time in the previous order of ranks, s
  std::optional<Reordering> reordering = {};     // if it would help
};

/// The links with the highest utilisation, at most `most`, without unused ones.
std::vector<LinkTraffic> fullest_links(const std::vector<LinkTraffic>& links, size_t most);

/// Sums over the ranks, s.
struct RankTimes {
  double computing = 0, communicating = 0, waiting = 0;
};
RankTimes total_times(const Profile& profile);

/// Several lines, each with a line feed.
std::string summary_text(const ProgramRun& run);

}  // namespace strata::analysis
