// SPDX-License-Identifier: LGPL-2.1-only
// What shows that something is wrong: a case of an area, or an order of a program's messages.
#pragma once

#include <string>
#include <vector>

#include "check/engine/verdict.h"

namespace strata::check {

/// A counter-example for people.
struct Drawing {
  std::string text;  // lines: a tree with its bindings, a mesh, a schedule, the steps of ranks
  std::string svg;   // a page of its own; empty where there is no picture
};

/// What one rank did.
struct RankStep {
  int rank = 0;
  std::string what;  // "sends 4 B to rank 2, tag 7 (MPI_Send)"
};

struct CounterExample {
  std::string key;      // shows it again (key.h): "hsplit/strict-subset:...", "first_result/deadlock:1,3,1"
  std::string message;  // one line: what is wrong; which rank waits for what
  std::string found;    // the key of the case as it was met, where shrinking made a smaller one of it; else empty
  Drawing drawing;
  // Of a program.
  std::vector<RankStep> steps;  // in order
  std::string out, err;         // what it printed on the way
};

/// A key that was run again. Where the verdict is kHolds, `run.message` is empty.
struct Replayed {
  Verdict verdict = Verdict::kHolds;
  CounterExample run;
};

}  // namespace strata::check
