// SPDX-License-Identifier: LGPL-2.1-only
// Makes a machine from measurements: a machine with default figures, some of which benchmarks have measured.
//
// For each level at which two cores meet:
//   latency, bandwidth, segments   the pieces fitted to its ping-pongs (fit/segmented.h); the latency excludes the
//                                  time of the envelope that simulated messages have (platforms/payload.h)
//   overhead                       the median time of MPI_Isend, for the sizes of each piece
//   receive_overhead               the median time of MPI_Recv for a message that has arrived, in the same way, unless
//   a
//                                  stream of messages is slower than both calls (below); at most what the overhead
//                                  leaves of the latency, which includes both
//   link_bandwidth                 the total bandwidth at which k pairs between two parts saturate (fit/saturation.h)
//   duplex_bandwidth               the same in both directions at once, if it is less than twice link_bandwidth
//   gap                            1 / the message rate at which the pairs of a node saturate
// The eager limit is the size from which on messages wait for their receiver, at the outermost level where it was
// measured. For each of several ports of a node (network_ports.h): the total bandwidth at which pairs saturate that use
// one port; otherwise an equal part of what the node's link carries. For the memory: the rates at which one core copies
// and combines, and at which the cores of a NUMA node saturate. Each figure has a 95 % interval (fit/bootstrap.h).
//
// Figures that were not measured are assumed, and their source says on which basis:
//   a level without ping-pongs     as the nearest level with ping-pongs; the outer one of two equally near ones.
//                                  Networks follow networks, and levels of a node follow levels of a node. Without
//                                  such a level, the default of machine_from_xml
//   overhead                       1 / message rate of one pair, an upper bound, for eager sizes of each piece;
//   otherwise
//                                  as the nearest level; otherwise the same fraction of the latency as in
//                                  machine_from_xml
//   receive_overhead               from streams of eager messages of one pair. One way, if the sender's calls take
//   clearly
//                                  less than 1 / message rate, that is what receiving takes, though a message that the
//                                  library has already fetched is received faster. If no call was timed: both ways,
//                                  where a core sends as many as
//   it
//                                  receives, the time of two messages less the overhead; one way, 1 / message rate, an
//                                  upper bound, unless a measured overhead explains the rate. Otherwise as the nearest
//                                  level; otherwise none
//   link_bandwidth                 the bandwidth of one message times link_bandwidth / bandwidth of machine_from_xml,
//                                  but at most times the number of cores of a part
//   everything else                as in machine_from_xml
//
// A level is not faster than the levels inside it, unless its measurements clearly contradict this (latency_order.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calibration/fit/bootstrap.h"
#include "calibration/fit/sample.h"
#include "calibration/fit/segmented.h"
#include "calibration/measured_number.h"
#include "platforms/machine.h"

namespace strata::calibration {

/// The level of measurements whose pairs use one port of a node.
inline constexpr const char* kPorts = "ports";

/// A figure of the machine.
struct CalibratedFigure {
  std::string level;                 // or "core", "messages" (the eager limit), "memory", kPorts
  std::string key;                   // the key in machine.yaml: "latency"
  double from_bytes = 0;             // of a segment: its first size
  std::string name;                  // "latency", or "latency from 8192 B" for a segment
  Figure figure;                     // with its basis as source
  std::optional<Interval> interval;  // in the unit of figure.si; none if there are too few samples

  bool is_measured() const { return figure.source.starts_with("measured"); }
};

/// The ping-pong times of a level, and the pieces fitted to them.
struct LevelCurve {
  std::string level;
  std::vector<Sample> samples;  // B, s
  std::vector<Piece> pieces;
};

struct Calibration {
  Machine machine;
  std::vector<CalibratedFigure> figures;  // of the core and the memory, then by level, outermost first
  std::vector<LevelCurve> curves;         // for levels with ping-pongs, outermost first
  std::vector<std::string> notes;         // a line each: contradictions, unused data, and why figures stay assumed
};

/// `defaults`: the machine with default figures, as machine_from_xml makes it, and its ports without any. Throws
/// InputError if there are no measurements, or if one names a level at which no two cores of this machine meet.
Calibration calibrate(Machine defaults, const std::vector<Measurement>& measurements);

}  // namespace strata::calibration
