// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/preload/checks/checks.h"

#include "mpi_ext/preload/checks/requests.h"
#include "mpi_ext/preload/checks/signature.h"

namespace strata::mpix {
namespace {

// A new type may be at the address of an old one.
void forget_old_types(const Call& call) {
  for (std::size_t i = 0; i < call.parameters().size(); ++i) {
    if (call.parameters()[i].kind != Kind::kNewType) continue;
    const auto* const made = call.handle<const MPI_Datatype*>(static_cast<int>(i));
    if (made != nullptr && call.function() != kMPI_Type_commit) forget_signature(*made);
  }
}

}  // namespace

int before(const Call& call) {
  check_lifecycle(call);
  if (const int code = check_arguments(call)) return code;
  check_collective(call);
  check_buffers(call);
  check_window(call);
  note_before(call);
  enter_messages(call);
  return MPI_SUCCESS;
}

void after(const Call& call, int code) {
  leave_messages(call.rank());
  if (code != MPI_SUCCESS) return;
  forget_old_types(call);
  note_window(call);
  note_requests_after(call, [&](MPI_Request request, const RequestState&) {
    if (call.function() == kMPI_Request_free) {
      forget_buffers(call.rank(), request);
    } else {
      end_buffers(call, request);
      end_window_request(call, request);
    }
  });
  note_buffers(call);
  note_after(call);
  if (call.function() == kMPI_Finalize) check_leaks(call);
}

}  // namespace strata::mpix
