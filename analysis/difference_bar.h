// SPDX-License-Identifier: LGPL-2.1-only
// Whether two predicted times differ, given how far the figures of their machines may be off (replay/error_bar.h).
//
//   two mappings on one machine:  100 us +- 10 us and 110 us +- 11 us, because of one latency, +10 % or -10 %
//     the latency is the same in both: the difference is 10 us +- 1 us, so it is real, although the bars overlap
//   on two machines:              the same times, because of two latencies
//     each may be off on its own: 10 us +- sqrt(10^2 + 11^2) us = 10 us +- 14.9 us, not distinguishable from 0
#pragma once

#include <map>
#include <optional>
#include <string>

#include "records/recorded_bar.h"

namespace strata::analysis {

/// Additional s with a figure at either end of its interval.
struct FigureEffect {
  double larger = 0, smaller = 0;
};

/// By the name, value and interval of the figure, as a text (BarFigure::key()).
using FigureEffects = std::map<std::string, FigureEffect>;

FigureEffects effects_of(const RecordedBar& bar);

/// The 95 % interval of a difference.
struct DifferenceBar {
  double low = 0, high = 0;

  bool is_distinguishable() const { return low > 0 || high < 0; }
};

/// `difference`: that of the new time and the base's. Figures with equal keys are one figure, which is off in both by
/// the same: its effect on the difference is the difference of its effects. Effects are added in quadrature, as in
/// replay/error_bar.h.
DifferenceBar difference_bar(double difference, const FigureEffects& base, const FigureEffects& now);

/// The error bar of the ratio over / under. A figure that both have changes both at once: 100 us +- 10 us over 50 us +-
/// 5 us, because of one latency, is 2 exactly; because of two, it is 2 +- about 0.3. Nothing if `under` may be 0 or
/// less.
std::optional<RecordedBar> ratio_bar(double over, const RecordedBar& of_over, double under,
                                     const RecordedBar& of_under);

}  // namespace strata::analysis
