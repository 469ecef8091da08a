// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/context/context.h"

#include "mpi_ext/context/attribute.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {
namespace {

struct Context {
  OwnComm copy;
};

// Locks only if several threads may call at the same time. SMPI does not allow that: its ranks share the mutex, and any
// of them may run while another is in a call.
std::unique_lock<std::mutex> the_only_thread() {
  static std::mutex mutex;
  int level = MPI_THREAD_SINGLE;
  call(MPI_Query_thread(&level));
  return level == MPI_THREAD_MULTIPLE ? std::unique_lock(mutex) : std::unique_lock<std::mutex>();
}

}  // namespace

MPI_Comm private_copy(MPI_Comm comm) {
  MPI_Group group;
  MPI_Comm copy = MPI_COMM_NULL;
  call(MPI_Comm_group(comm, &group));
  const int error = MPI_Comm_create(comm, group, &copy);
  MPI_Group_free(&group);
  call(error);
  return copy;
}

void inherit_errhandler(MPI_Comm from, MPI_Comm to) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  call(MPI_Comm_get_errhandler(from, &handler));
  if (handler == MPI_ERRHANDLER_NULL) return;  // SMPI: the default handler, which `to` has too
  const int error = MPI_Comm_set_errhandler(to, handler);
  MPI_Errhandler_free(&handler);
  call(error);
}

OwnComm returning_errors(MPI_Comm comm) {
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  return OwnComm(comm);
}

MPI_Comm context_of(MPI_Comm comm) {
  if (const Context* context = CommAttribute<Context>::find(comm)) return context->copy.get();
  return CommAttribute<Context>::keep(comm, {returning_errors(private_copy(comm))}).copy.get();
}

SelfContext::SelfContext() : lock_(the_only_thread()), comm_(context_of(MPI_COMM_SELF)) {}

}  // namespace strata::mpix
