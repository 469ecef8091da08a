// SPDX-License-Identifier: LGPL-2.1-only
// alpha and beta from measured points: what a ping-pong says of a level, beside what the machine's description says of
// it.
//
// Least squares of t = alpha + m beta over the points (m, t), each residual divided by its t: a relative error of a
// small message counts as much as one of a large message, where plain least squares would see only the largest.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "platforms/placement.h"
#include "platforms/topology.h"
#include "platforms/units.h"
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

/// Throws std::invalid_argument where the points have fewer than two distinct sizes, a time is not positive, or times
/// do not grow with the size.
HockneyFit fit_hockney(std::span<const MeasuredPoint> points);

/// Two cores whose paths meet at the first vertex of a level, in its first two parts; none where no cores meet there.
/// On a torus or a dragonfly these are near each other, and their ways there and back are equally long: what a message
/// takes is the level's latency and a few hops'.
std::vector<Binding> neighbours(const Topology& topology, const std::string& level);

/// A level of the machine as a ping-pong of neighbours() shows it, and as machine.yaml has it.
struct LevelFit {
  std::string level;
  double from_bytes;  // the least payload of its messages: 0, or where a segment of the level begins
  double hops;        // links between routers, on average over a message's ways, whose latency is included
  HockneyFit fitted;
  Seconds latency;            // of machine.yaml, with that of the hops
  BytesPerSecond bandwidth;   // of machine.yaml
  double latency_difference;  // (fitted - machine) / machine; infinite where machine.yaml says 0 and the fit does not
  double bandwidth_difference;
};

/// From the records of program `pingpong` between the neighbours of levels: metric `time` (half a round trip, s),
/// parameters `level` and `bytes`. Levels in the order of the records, and a fit for each segment of a level that has
/// points, the shortest messages first. Fits against bytes plus the envelope, so that alpha is the latency of an empty
/// message without it. Reads machine.yaml of the results' folder. Throws InputError:
/// another program, no or damaged points, a level that machine.yaml lacks, and what fit_hockney refuses.
std::vector<LevelFit> fit_levels(const Results& results);

}  // namespace strata::models
