// SPDX-License-Identifier: LGPL-2.1-only
// Counter-examples: a case of an area, or an order of a program's messages, that violates a property.
#pragma once

#include <string>
#include <vector>

#include "check/engine/verdict.h"

namespace strata::check {

/// A counter-example in a form for people.
struct Drawing {
  std::string text;  // lines: a tree with its bindings, a mesh, a schedule, the steps of ranks
  std::string svg;   // a separate page; empty if there is no picture
};

/// One step of a rank.
struct RankStep {
  int rank = 0;
  std::string what;  // "sends 4 B to rank 2, tag 7 (MPI_Send)"
};

struct CounterExample {
  std::string key;      // reproduces it (key.h): "hsplit/strict-subset:...", "first_result/deadlock:1,3,1"
  std::string message;  // one line: what is wrong; for a deadlock, which rank waits for what
  std::string found;    // the key of the original case, if shrinking found a smaller one; otherwise empty
  Drawing drawing;
  // Programs only:
  std::vector<RankStep> steps;  // in order
  std::string out, err;         // the program's output during these steps
};

/// The result of replaying a key. If the verdict is kHolds, `run.message` is empty.
struct Replayed {
  Verdict verdict = Verdict::kHolds;
  CounterExample run;
};

}  // namespace strata::check
