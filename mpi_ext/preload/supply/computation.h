// SPDX-License-Identifier: LGPL-2.1-only
// Between the program's computation: what an MPI function must do around each action in SMPI.
#pragma once

extern "C" {
// SMPI calls these at the start and the end of an MPI function: the program's computation ends, and begins again.
void smpi_bench_end();
void smpi_bench_begin();
}

namespace strata::mpix {

/// While in scope, SMPI does not measure the program's computation.
class BetweenComputation {
 public:
  BetweenComputation() { smpi_bench_end(); }
  ~BetweenComputation() { smpi_bench_begin(); }
  BetweenComputation(const BetweenComputation&) = delete;
  BetweenComputation& operator=(const BetweenComputation&) = delete;
};

}  // namespace strata::mpix
