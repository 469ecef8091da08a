// SPDX-License-Identifier: LGPL-2.1-only
#include "collectives/tuning/decision.h"

namespace strata::collectives {

Choice decide(const CellTimes& times, const std::optional<double>& without_file_s, double least) {
  if (!times.is_timed() || times.best == times.own || *times.best_s >= *times.own_s) return {};
  if (without_file_s && *times.own_s > *without_file_s) return times.best;
  const bool is_sure = times.least_gain ? *times.least_gain > 0 : times.gain() >= least;
  return is_sure ? times.best : Choice{};
}

}  // namespace strata::collectives
