// SPDX-License-Identifier: LGPL-2.1-only
// Fits message times by lines, with a new line wherever the MPI library changes its protocol.
//
// For example, half round trips that take 1 us + 1 ns/B up to 4 KiB, and 3 us + 0.1 ns/B beyond, give
//
//   from 0 B     latency 1 us  bandwidth  1 GB/s
//   from 8192 B  latency 3 us  bandwidth 10 GB/s      (8192 B is the first measured size beyond 4 KiB)
//
// The line of a piece is t = latency + bytes / bandwidth. Times span six orders of magnitude, so residuals are
// relative, (t - line) / t, and use Huber's loss (huber.h). The noise is estimated before any line is fitted: from the
// distance of each time to the line through its two neighbours (Gasser, Sroka and Jennen-Steinmetz, Biometrika 73,
// 1986). The estimate is a median, so the few sizes near a breakpoint do not affect it.
//
// Breakpoints lie between measured sizes. For each number of pieces, dynamic programming over the sorted sizes finds
// the breakpoints with the smallest loss, with O(n^2) line fits and O(n^2 pieces) sums. The number of pieces is the one
// with the smallest BIC (Schwarz, Ann. Statist. 6, 1978). A line counts as two parameters, and so does a breakpoint:
// its place is the best of all possible places, so it fits noise better than a parameter that is only estimated (Zhang
// and Siegmund, Biometrics 63, 2007).
//
// The time may jump at a breakpoint. A piece has at least three sizes, a positive slope, and at least the given minimum
// latency; a line with a lower latency is replaced by the best line with this latency. The times of short messages may
// be constant within the noise, which would be an infinite bandwidth. Therefore the bandwidth of a piece is limited to
// that of the piece with the highest measured bytes per second, and a piece that exceeds it is fitted with that slope.
// This does not influence the choice of breakpoints.
#pragma once

#include <span>
#include <vector>

#include "calibration/fit/sample.h"

namespace strata::calibration {

inline constexpr int kMostPieces = 4;
inline constexpr int kFewestSizes = 3;  // per piece; two determine a line, the third shows how well it fits

/// The line of messages from `from_bytes` on, up to the next piece.
struct Piece {
  double from_bytes;  // 0 for the first piece; otherwise the first measured size of the piece
  double latency_s;
  double bandwidth;  // B/s
};

struct SegmentedRules {
  int fewest_pieces = 1;
  int most_pieces = kMostPieces;
  double least_latency_s = 0;  // not negative: sending cannot take longer than the latency
};

struct SegmentedFit {
  std::vector<Piece> pieces;  // by increasing from_bytes
  double noise;               // relative: the standard deviation of a typical time
  double loss;                // by which pieces were chosen: sum of twice Huber's loss; squares for small residuals
};

/// Fits times (y, s) by size (x, B). If a size has several samples, their median is fitted. Two sizes give one line.
/// Throws std::invalid_argument if there are fewer, or if times do not grow with the size.
SegmentedFit fit_segmented(std::span<const Sample> samples, const SegmentedRules& rules = {});

/// The time of a message according to the pieces; s.
double seconds_of(std::span<const Piece> pieces, double bytes);

/// A line through the times of one piece, and its loss.
struct Line {
  double latency_s;
  double seconds_per_byte;
  double loss;
};

/// The line with the smallest loss and a latency of at least `least_latency_s`. The samples, at least two, must be
/// sorted by x without duplicates; `noise` as above.
Line fit_line(std::span<const Sample> by_size, double noise, double least_latency_s);

/// The noise that fit_segmented uses; 0 for fewer than three sizes.
double relative_noise(std::span<const Sample> by_size);

}  // namespace strata::calibration
