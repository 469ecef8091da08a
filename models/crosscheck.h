// The cross-check of a run: each record beside each model's prediction.
#pragma once

#include <string>
#include <vector>

#include "models/prediction.h"
#include "sim/record/record.h"

namespace strata::models {

enum class Verdict {
  kAgrees,     // within the stated tolerance
  kDisagrees,  // outside the tolerance although the model's assumptions hold: a check that failed
  kOutside,    // the model's assumptions do not hold (contention): the residual is shown, not judged
};

struct CheckRow {
  std::string model;
  Json parameters;
  double predicted_s = 0;
  double simulated_s = 0;
  double residual = 0;  // (simulated - predicted) / predicted
  double tolerance = 0;
  Verdict verdict = Verdict::kAgrees;
  std::string reason;  // of kOutside
};

/// Rows in the order of the records, model by model as the study lists them. Programs without a model give no rows. Reads
/// machine.yaml and bindings.txt of the results' folder. Throws InputError where they are missing.
std::vector<CheckRow> cross_check(const Results& results);

}  // namespace strata::models
