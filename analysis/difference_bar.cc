// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/difference_bar.h"

#include <algorithm>
#include <cmath>

namespace strata::analysis {

DifferenceBar difference_bar(double difference, const FigureEffects& base, const FigureEffects& now) {
  FigureEffects effects = now;
  for (const auto& [figure, of_base] : base) {
    FigureEffect& effect = effects[figure];
    effect.larger -= of_base.larger;
    effect.smaller -= of_base.smaller;
  }
  double above = 0, below = 0;
  for (const auto& [figure, effect] : effects) {
    above = std::hypot(above, std::max({0.0, effect.larger, effect.smaller}));
    below = std::hypot(below, std::max({0.0, -effect.larger, -effect.smaller}));
  }
  return {difference - below, difference + above};
}

}  // namespace strata::analysis
