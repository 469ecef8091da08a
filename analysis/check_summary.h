// SPDX-License-Identifier: LGPL-2.1-only
// The cross-check in a line: how many points a model agrees with, how many lie outside its assumptions and why, and how
// many contradict it.
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
  double largest_agreeing = 0;           // the residual with the largest size among those that agree, with its sign
  std::vector<std::string> outside_why;  // kinds of reasons: the text before the first colon, each once, sorted
};

/// One a model: those of the study in its order (also where no row is of it), then any others in the rows' order.
std::vector<CheckSummary> summarize(const Study& study, const std::vector<models::CheckRow>& checks);

/// "hockney: 24 points within 2 %, 4 outside the model (contention), 0 disagree"
std::string summary_line(const CheckSummary& summary);

/// "agrees", "outside the model", "DISAGREES"
std::string verdict_text(models::Verdict verdict);

}  // namespace strata::analysis
