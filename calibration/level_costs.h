// SPDX-License-Identifier: LGPL-2.1-only
// The figures of one level that its measurements give, before anything is assumed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calibration/evidence.h"
#include "calibration/fit/bootstrap.h"
#include "calibration/fit/segmented.h"
#include "platforms/topology.h"

namespace strata::calibration {

/// A number with what it comes from.
struct Estimate {
  double si = 0;
  std::optional<Interval> interval = {};
  Evidence evidence = {};
};

/// A piece of a level's ping-pongs. The latency is the machine's: a message of m bytes takes it and (m +
/// kEnvelopeBytes) at the bandwidth (platforms/payload.h), so that a simulated ping-pong takes what was measured.
struct PieceEstimate {
  Estimate from, latency, bandwidth;
  std::optional<Estimate> overhead = {};  // of MPI_Isend of these sizes
};

/// The measured figures of a level; empty where they were not measured.
struct LevelEstimate {
  std::string level;
  bool is_network = false;
  int cores_of_part = 1;                             // as many pairs can share the link of a part
  std::vector<PieceEstimate> pieces = {};            // by increasing size
  Evidence ping_pongs = {};                          // that they were fitted to
  std::optional<Estimate> one_size = {};             // the time of ping-pongs of one size alone, which give no line
  std::optional<Estimate> overhead = {};             // of MPI_Isend of any size, where there are no pieces
  std::optional<Estimate> pair_bandwidth = {};       // of one pair with many messages under way
  std::optional<Estimate> seconds_per_message = {};  // 1 / rate of one pair
  std::optional<SaturationOf> one_way = {};          // only where it tells what the link carries
  std::optional<SaturationOf> both_ways = {};        // the same
  std::optional<SaturationOf> rate = {};             // of networks, of several pairs of a node
};

/// From the measurements at `level`, where two cores meet; adds to `notes` what was not used, and why.
LevelEstimate estimate_level(const Topology& topology, const std::string& level, const Evidence& measurements,
                             std::vector<std::string>& notes);

}  // namespace strata::calibration
