// SPDX-License-Identifier: LGPL-2.1-only
// The figures of one level that follow from its measurements, without assumptions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calibration/evidence.h"
#include "calibration/fit/bootstrap.h"
#include "calibration/fit/segmented.h"
#include "platforms/topology.h"

namespace strata::calibration {

/// A number and the evidence for it.
struct Estimate {
  double si = 0;
  std::optional<Interval> interval = {};
  Evidence evidence = {};
};

/// The time of a message in a stream of eager messages of one pair, in which no core waits for an answer. It bounds the
/// overheads from above: of a sender and of a receiver if they go one way, of their sum if as many come back.
///
/// Within a node, where cores copy messages, such a time is a line: the overheads are its time at 0 B.
///
/// Two ranks that exchange two messages with each other (IMB's Exchange, HPCC's ring) take longer than a ping-pong, by
/// what the second message out and the second one in cost.
struct MessageSeconds {
  std::optional<Estimate> one_way = {};
  std::optional<Estimate> both_ways = {};  // for a message out and one in
  std::optional<Estimate> one_way_copy = {},
                          both_ways_copy = {};  // B/s: the inverse of the line's slope; empty: not a line
  std::optional<Estimate> exchange = {};        // of both messages, less the time of the bytes of one
};

/// A piece of a level's ping-pongs. The latency is the machine's: a simulated message of m bytes takes this latency
/// plus the time of m + kEnvelopeBytes at the bandwidth (platforms/payload.h), so a simulated ping-pong takes the
/// measured time.
struct PieceEstimate {
  Estimate from, latency, bandwidth;
  std::optional<Estimate> overhead = {};          // of MPI_Isend for these sizes
  std::optional<Estimate> receive_overhead = {};  // of MPI_Recv for these sizes, of messages that have arrived
  MessageSeconds eager = {};                      // of these sizes
};

/// The measured figures of a level; empty if not measured.
struct LevelEstimate {
  std::string level;
  bool is_network = false;
  int cores_of_part = 1;                             // the maximum number of pairs that can share a part's link
  std::vector<PieceEstimate> pieces = {};            // by increasing size
  Evidence ping_pongs = {};                          // to which the pieces were fitted
  std::optional<Estimate> one_size = {};             // the time of ping-pongs of a single size: no line
  std::optional<Estimate> overhead = {};             // of MPI_Isend for any size, if there are no pieces
  std::optional<Estimate> receive_overhead = {};     // of MPI_Recv, in the same way
  std::optional<Estimate> pair_bandwidth = {};       // of one pair with many messages in flight
  std::optional<Estimate> seconds_per_message = {};  // 1 / rate of one pair
  std::optional<SaturationOf> one_way = {};          // only if it shows the capacity of the link
  std::optional<SaturationOf> both_ways = {};        // the same
  std::optional<SaturationOf> rate = {};             // of networks, for several pairs of a node
};

/// Uses the measurements at `level`, where two cores meet. Messages of fewer than `eager_bytes` are eager. Adds to
/// `notes` which measurements were not used, and why.
LevelEstimate estimate_level(const Topology& topology, const std::string& level, const Evidence& measurements,
                             double eager_bytes, std::vector<std::string>& notes);

}  // namespace strata::calibration
