// SPDX-License-Identifier: LGPL-2.1-only
// A machine from measurements: one with default figures, and what benchmarks measured.
//
// For each level where two cores meet
//   latency, bandwidth, segments   the pieces of its ping-pongs (fit/segmented.h), the latency without the envelope
//   that
//                                  simulated messages have (platforms/payload.h)
//   overhead                       the median of what MPI_Isend takes, of the sizes of each piece
//   link_bandwidth                 where k pairs from one part to another saturate (fit/saturation.h)
//   duplex_bandwidth               the same of both ways at once, where it is less than twice that
//   gap                            one over the messages a second at which the pairs of a node saturate
// and of the memory what one core copies and combines, and where the cores of a NUMA node saturate. Each figure has an
// interval of 95 % (fit/bootstrap.h).
//
// Figures that were not measured are assumed, and their source says from what:
//   a level without ping-pongs        as the nearest level with some; on equal terms the outer. A network's from
//                                     networks, a node's from nodes; else the default of machine_from_xml
//   overhead                          1 / rate of one pair, which bounds it from above; else as the nearest level; else
//                                     the part of the latency that it is in machine_from_xml
//   link_bandwidth                    what one message gets times link_bandwidth / bandwidth of machine_from_xml, at
//                                     most what as many messages get as a part has cores
//   all else                          as machine_from_xml
//
// A level is not faster than those inside it (latency_order.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calibration/fit/bootstrap.h"
#include "calibration/fit/sample.h"
#include "calibration/fit/segmented.h"
#include "calibration/measurement.h"
#include "platforms/machine.h"

namespace strata::calibration {

/// A figure of the machine.
struct CalibratedFigure {
  std::string level;                 // or "core", "messages" (the eager limit), "memory"
  std::string key;                   // of machine.yaml: "latency"
  double from_bytes = 0;             // of a segment: where it begins
  std::string name;                  // "latency"; of a segment "latency from 8192 B"
  Figure figure;                     // its source says from what
  std::optional<Interval> interval;  // in the unit of figure.si; none where too few samples tell one

  bool is_measured() const { return figure.source.starts_with("measured"); }
};

/// The times of a level's ping-pongs, and the pieces that were fitted to them.
struct LevelCurve {
  std::string level;
  std::vector<Sample> samples;  // B, s
  std::vector<Piece> pieces;
};

struct Calibration {
  Machine machine;
  std::vector<CalibratedFigure> figures;  // the core's, the memory's, then by level, outermost first
  std::vector<LevelCurve> curves;         // of levels with ping-pongs, outermost first
  std::vector<std::string> notes;         // a line each: contradictions, what was not used, what stays assumed and why
};

/// `defaults`: the machine without figures of its own, as machine_from_xml makes it. Throws InputError: no
/// measurements, a level where no two cores of this machine meet.
Calibration calibrate(Machine defaults, const std::vector<Measurement>& measurements);

}  // namespace strata::calibration
