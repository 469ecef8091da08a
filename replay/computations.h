// SPDX-License-Identifier: LGPL-2.1-only
// Computations of ranks, and the time that polling for messages takes from their cores.
#pragma once

#include <optional>
#include <vector>

#include "replay/kernel.h"
#include "replay/prepared_trace.h"

namespace strata::replay {

class Computations {
 public:
  /// `native`: Trace::native; message copies of a core then do not slow down its computations, because it makes them in
  /// MPI. The library's own copies and combinations share cores and memory as in the run.
  Computations(Kernel& kernel, bool native);

  /// The rank is woken when the computation (charge.h) has ended.
  void start(int rank, const Op& op);
  /// The working set of the rank's next kWork or kStream, B.
  void set_working_set(int rank, double bytes) { working_set_[rank] = bytes; }

  /// The rank's core polls for that many messages more, or fewer.
  void poll(int rank, double messages) { polled(rank) += messages; }
  /// A kLook: the rank looks for what its core polls for, as in mpi_ext/adapter/polling_smpi.cc. Returns whether it
  /// continues immediately.
  bool look(int rank, const Op& op);

 private:
  double& polled(int rank) { return polled_[kernel_.core(rank)]; }

  Kernel& kernel_;
  flow::Memory* const memory_;       // null: computations do not share it
  std::vector<double> working_set_;  // by rank, B
  std::vector<double> polled_;       // by core: messages for which it polls
};

}  // namespace strata::replay
