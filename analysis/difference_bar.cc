// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/difference_bar.h"

#include <algorithm>
#include <cmath>

namespace strata::analysis {

FigureEffects effects_of(const RecordedBar& bar) {
  FigureEffects effects;
  for (const BarFigure& f : bar.figures) effects[f.key()] = {f.larger, f.smaller};
  return effects;
}

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

std::optional<RecordedBar> ratio_bar(double over, const RecordedBar& of_over, double under,
                                     const RecordedBar& of_under) {
  if (under <= 0) return {};
  const double ratio = over / under;
  const FigureEffects above = effects_of(of_over), below = effects_of(of_under);
  const auto effect = [](const FigureEffects& effects, const BarFigure& f) {
    const auto found = effects.find(f.key());
    return found == effects.end() ? FigureEffect() : found->second;
  };
  RecordedBar bar{.without_interval = std::max(of_over.without_interval, of_under.without_interval), .figures = {}};
  bar.figures = of_over.figures;
  for (const BarFigure& f : of_under.figures) {
    if (!above.contains(f.key())) bar.figures.push_back(f);
  }
  double more = 0, less = 0;
  for (BarFigure& f : bar.figures) {
    const FigureEffect a = effect(above, f), b = effect(below, f);
    if (under + b.larger <= 0 || under + b.smaller <= 0) return {};
    f.larger = (over + a.larger) / (under + b.larger) - ratio;
    f.smaller = (over + a.smaller) / (under + b.smaller) - ratio;
    more = std::hypot(more, std::max({0.0, f.larger, f.smaller}));
    less = std::hypot(less, std::max({0.0, -f.larger, -f.smaller}));
  }
  bar.low = std::max(0.0, ratio - less);
  bar.high = ratio + more;
  return bar;
}

}  // namespace strata::analysis
