// SPDX-License-Identifier: LGPL-2.1-only
// Which arguments of a call MPI looks at, and which belong together:
//
//   MPI_Gather(sendbuf, 1, MPI_INT, recvbuf, 1, MPI_INT, 0, comm)
//
// has two sets of data, of which a rank other than 0 has only the first.
#pragma once

#include <optional>
#include <vector>

#include "mpi_ext/preload/checks/call.h"

namespace strata::mpix {

/// How a one-sided operation accesses the target's window.
enum class Access { kPut, kGet, kAccumulate };
/// Empty: it is not one.
std::optional<Access> access_of(Function function);

/// The arguments of some data. Without a `count` there is one for each rank: `counts`, with `places` in elements.
struct DataArguments {
  Role buffer, count, type;
  Role counts = Role::kNone, places = Role::kNone;
  bool written;  // by the call
};
/// Those of messages, collectives and one-sided operations, significant or not.
std::vector<DataArguments> data_of_call(const Call& call);

/// Whether MPI looks at the argument of this role, given the calling rank, the root, MPI_IN_PLACE and MPI_PROC_NULL.
bool significant(const Call& call, Role role);

bool is_root(const Call& call);

}  // namespace strata::mpix
