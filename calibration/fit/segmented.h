// SPDX-License-Identifier: LGPL-2.1-only
// Lines through the times of messages, another one where the MPI library changes its protocol.
//
// Half round trips of 1 us + 1 ns/B up to 4 KiB, and of 3 us + 0.1 ns/B beyond, give back
//
//   from 0 B     latency 1 us  bandwidth  1 GB/s
//   from 8192 B  latency 3 us  bandwidth 10 GB/s      (8192 B is the first measured size beyond 4 KiB)
//
// The line of a piece is t = latency + bytes / bandwidth. Times span six orders of magnitude, so residuals are
// relative, (t - line) / t, and count by Huber's loss (huber.h). The noise is estimated before any line is fitted: from
// how far each time lies from the line through its two neighbours (Gasser, Sroka and Jennen-Steinmetz, Biometrika 73,
// 1986), by a median, which the few sizes around a breakpoint do not move.
//
// Breakpoints lie between measured sizes. For each number of pieces dynamic programming over the sorted sizes finds
// those of least loss, O(n^2) lines and O(n^2 pieces) sums. The number of pieces is the one with the least BIC
// (Schwarz, Ann. Statist. 6, 1978). A line is two parameters, and so is a breakpoint: it is searched for among all
// places, so noise gains more by it than by a parameter that is only estimated (Zhang and Siegmund, Biometrics 63,
// 2007).
//
// At a breakpoint the time may jump. A piece has three sizes or more, a positive slope, and a latency that is not below
// the least one given; a line that would go below it is fitted through it. Short messages may take the same time within
// the noise, which would be a bandwidth without a limit: no piece gets more than the piece in which the most bytes a
// second were measured; its line is fitted with that slope. Where the pieces are does not depend on this.
#pragma once

#include <span>
#include <vector>

#include "calibration/fit/sample.h"

namespace strata::calibration {

inline constexpr int kMostPieces = 4;
inline constexpr int kFewestSizes = 3;  // of a piece; two determine its line, the third tells how well

/// The line of messages of `from_bytes` and more, up to the next piece.
struct Piece {
  double from_bytes;  // 0 of the first; else the first measured size that the piece was fitted to
  double latency_s;
  double bandwidth;  // B/s
};

struct SegmentedRules {
  int fewest_pieces = 1;
  int most_pieces = kMostPieces;
  double least_latency_s = 0;  // not negative: the time that sending takes cannot be longer than the latency
};

struct SegmentedFit {
  std::vector<Piece> pieces;  // by increasing from_bytes
  double noise;               // relative: the standard deviation of a time that is as good as most
  double loss;                // by which the pieces were chosen: sum of twice Huber's loss; of normal errors of squares
};

/// The fit of times (y, s) by sizes (x, B). Where a size has several samples their median is fitted. Two sizes give one
/// line. Throws std::invalid_argument where there are fewer, or where times do not grow with the size.
SegmentedFit fit_segmented(std::span<const Sample> samples, const SegmentedRules& rules = {});

/// The time of a message by the pieces; s.
double seconds_of(std::span<const Piece> pieces, double bytes);

/// A line through times of one piece, and its loss.
struct Line {
  double latency_s;
  double seconds_per_byte;
  double loss;
};

/// The line of least loss with a latency of at least `least_latency_s`, by increasing and different x; `noise` as
/// above. At least two samples.
Line fit_line(std::span<const Sample> by_size, double noise, double least_latency_s);

/// The noise that fit_segmented fits with; 0 where there are fewer than three sizes.
double relative_noise(std::span<const Sample> by_size);

}  // namespace strata::calibration
