// SPDX-License-Identifier: LGPL-2.1-only
// Buffers of operations that are under way: from MPI_Isend to the MPI_Wait that completes it, or from MPI_Put to the
// end of its epoch. See buffers.cc.
#pragma once

#include <memory>
#include <vector>

#include "mpi_ext/preload/checks/call.h"

namespace simgrid::smpi {
class Request;
}

namespace strata::mpix {

/// Memory without gaps.
struct Region {
  const char* begin = nullptr;
  long bytes = 0;
  bool written = false;  // by the operation
  bool own = true;       // the caller's; false: of the target of a one-sided operation
};

struct Operation;
using SharedOperation = std::shared_ptr<Operation>;

/// The regions of a call, as far as they have no gaps; those of persistent requests too.
std::vector<Region> regions_of(const Call& call);

/// An operation of the calling rank begins when `call` has returned, with these regions and with the receives that the
/// call has started. `ends_early`: end_operation comes before the call that completes it.
SharedOperation begin_operation(const PastCall& call, std::vector<Region> regions, bool ends_early);
/// It is complete after the call `by`, or with `ends_early` going to be in it.
void end_operation(const SharedOperation& operation, const PastCall& by);
/// Forgets an operation, such as one whose request is freed.
void drop_operation(const SharedOperation& operation);

/// SMPI has started a receive during a call of the rank.
void note_started_receive(int rank, const simgrid::smpi::Request& receive);

}  // namespace strata::mpix
