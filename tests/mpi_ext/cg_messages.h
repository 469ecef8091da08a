// SPDX-License-Identifier: LGPL-2.1-only
// The messages of a process of CG in a step of the power iteration, by the benchmark's own count of its exchanges.
#pragma once

#include <map>

#include "scenarios/programs/cg_classes.h"
#include "scenarios/programs/cg_grid.h"

namespace strata::mpix::testing {

struct CgSent {
  long messages = 0;
  double bytes = 0;
};

// By receiver. A step has 25 solver iterations of a product and two sums, another product, two more sums, and a sum of
// two numbers. A product has the messages of the stages and the transpose.
inline std::map<int, CgSent> cg_sent(int n, int processes, int rank) {
  using programs::kCgSteps;
  const programs::CgShare share = programs::cg_share(n, processes, rank);
  std::map<int, CgSent> sent;
  const auto add = [&](int to, long messages, double doubles) {
    sent[to].messages += messages;
    sent[to].bytes += static_cast<double>(messages) * 8 * doubles;
  };
  for (const programs::CgStage& stage : share.stages) {
    add(stage.partner, kCgSteps + 1, stage.sent.count);
    add(stage.partner, 2 * kCgSteps + 2, 1);
    add(stage.partner, 1, 2);
  }
  if (processes > 1) add(share.transpose, kCgSteps + 1, share.transposed.count);
  return sent;
}

}  // namespace strata::mpix::testing
