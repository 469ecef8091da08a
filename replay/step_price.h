// SPDX-License-Identifier: LGPL-2.1-only
// The cost of a computation step: flop of its core or, if the machine has figures of its memory, a work that shares
// core and memory with others (flow/memory_shares.h).
#pragma once

#include <cstddef>
#include <functional>

#include "flow/memory_shares.h"
#include "platforms/machine.h"
#include "records/trace/trace.h"

namespace strata::replay {

inline constexpr double kNoWorkingSet = -1;

/// A computation of a kind from kExecute to kCombine, except kWorkingSet; the fields are those of the step.
struct Charge {
  TraceStep::Kind kind = TraceStep::Kind::kFlops;
  double amount = 0, moved = 0;        // moved: of kCopy and kCombine, the span
  double working_set = kNoWorkingSet;  // B, for kWork and kStream; default: the bytes moved

  bool operator==(const Charge&) const = default;
};

struct Price {
  double flops = 0;                  // if there is no work
  const flow::Work* work = nullptr;  // from `memory`: valid until its next result
};

/// As mpi_ext/adapter/charge_smpi.cc charges it. `memory`: null if the machine has no figures of it.
Price price(const Machine& machine, flow::Memory* memory, int core, const Charge& charge);

}  // namespace strata::replay
