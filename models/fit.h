// SPDX-License-Identifier: LGPL-2.1-only
// Fits alpha and beta to measured points: the result of a ping-pong on a level, compared with the machine's
// description. Compares measured overheads of messages with it, too.
//
// Least squares of t = alpha + m beta over the points (m, t), with each residual divided by its t, so that relative
// errors of small and large messages count equally; plain least squares would be dominated by the largest messages.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/units.h"
#include "platforms/placement.h"
#include "platforms/topology.h"
#include "records/record.h"

namespace strata::models {

/// A message of `bytes` on the wire took `seconds`.
struct MeasuredPoint {
  double bytes;
  double seconds;
};

struct HockneyFit {
  Seconds latency;               // alpha
  BytesPerSecond bandwidth;      // 1 / beta
  double max_relative_residual;  // the largest |t - (alpha + m beta)| / t
};

/// Throws std::invalid_argument if the points have fewer than two distinct sizes, a time is not positive, or times do
/// not grow with the size.
HockneyFit fit_hockney(std::span<const MeasuredPoint> points);

/// Two cores whose paths meet at the first vertex of a level, in its first two parts; empty if no cores meet there. On
/// a torus or a dragonfly they are near each other, with routes of equal length in both directions: a message takes the
/// level's latency and that of a few hops.
std::vector<Binding> neighbours(const Topology& topology, const std::string& level);

/// A level of the machine as measured by a ping-pong of neighbours() and as given in machine.yaml.
struct LevelFit {
  std::string level;
  double from_bytes;  // smallest payload of its messages: 0, or where a segment of the level begins
  double hops;        // links between routers, on average over a message's routes, whose latency is included
  HockneyFit fitted;
  Seconds latency;            // from machine.yaml, including the hops
  BytesPerSecond bandwidth;   // of machine.yaml
  double latency_difference;  // (fitted - machine) / machine; infinite if only machine.yaml's is 0
  double bandwidth_difference;
};

/// Fits the records of program `pingpong` between the neighbours of levels: metric `time` (half a round trip, s),
/// parameters `level` and `bytes`. Levels are in the order of the records, with a fit for each segment of a level that
/// has points, the shortest messages first. The fit is against bytes including the envelope, so that alpha is the
/// latency of an empty message without it. Reads machine.yaml of the results' folder. Throws InputError: another
/// program, no or damaged points, a level that machine.yaml lacks, and the errors of fit_hockney.
std::vector<LevelFit> fit_levels(const Results& results);

/// How long a message keeps its sender and its receiver busy, as measured and as given in machine.yaml.
struct OverheadFit {
  std::string level;
  double from_bytes;  // as in LevelFit
  Seconds send, receive;
  Seconds machine_send, machine_receive;
  double send_difference, receive_difference;  // as in LevelFit
};

/// The means of the records of program `busy` between the neighbours of levels: metrics `send_overhead` and
/// `receive_overhead` (s), parameters `level` and `bytes`, both metrics for each size. Levels are in the order of the
/// records, with a row for each segment that has records. Figures below 1 ps count as 0: a simulated clock shows no
/// shorter times. Throws InputError: another program, no records, a segment with one metric only, a level that
/// machine.yaml lacks.
std::vector<OverheadFit> fit_overheads(const Results& results);

}  // namespace strata::models
