// SPDX-License-Identifier: LGPL-2.1-only
// Summarises the cross-check in a line: the number of points that agree with a model, that lie outside its assumptions
// (and why), and that contradict it.
#pragma once

#include <string>
#include <vector>

#include "models/crosscheck.h"
#include "records/study.h"

namespace strata::analysis {

struct CheckSummary {
  std::string model;
  double tolerance = 0;  // relative
  int agree = 0;
  int outside = 0;
  int disagree = 0;
  double largest_agreeing = 0;           // the residual of the largest size among those that agree, with its sign
  std::vector<std::string> outside_why;  // kinds of reasons: the text before the first colon; sorted, unique
};

/// One summary per model: the study's models in its order (even without rows), then any others in the order of the
/// rows.
std::vector<CheckSummary> summarize(const Study& study, const std::vector<models::CheckRow>& checks);

/// "hockney: 24 points within 2 %, 4 outside the model (contention), 0 disagree"
std::string summary_line(const CheckSummary& summary);

/// "agrees", "outside the model", "DISAGREES"
std::string verdict_text(models::Verdict verdict);

}  // namespace strata::analysis
