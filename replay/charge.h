// SPDX-License-Identifier: LGPL-2.1-only
// The cost of a step of computation: flop of its core or, where the machine has figures of its memory, a work that
// shares core and memory with others (flow/memory.h).
#pragma once

#include <cstddef>
#include <functional>

#include "flow/memory.h"
#include "platforms/machine.h"
#include "records/trace/trace.h"

namespace strata::replay {

inline constexpr double kNoWorkingSet = -1;

/// One of the kinds from kExecute to kCombine, except kWorkingSet; the fields are the step's.
struct Charge {
  TraceStep::Kind kind = TraceStep::Kind::kFlops;
  double amount = 0, moved = 0;
  double working_set = kNoWorkingSet;  // B, of kWork and kStream; without one what is moved

  bool operator==(const Charge&) const = default;
};

struct Price {
  double flops = 0;                  // where there is no work
  const flow::Work* work = nullptr;  // of `memory`: valid until its next answer
};

/// As mpi_ext/adapter/charge_smpi.cc charges it. `memory`: null where the machine has no figures of it.
Price price(const Machine& machine, flow::Memory* memory, int core, const Charge& charge);

}  // namespace strata::replay
