// SPDX-License-Identifier: LGPL-2.1-only
// MPIX_Wait, Waitall, Test and Request_get_steps.
#include <memory>

#include "mpi_ext/mpix.h"
#include "mpi_ext/nbc/process_state.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {
namespace {

// An error and its communicator.
struct Result {
  int error = MPI_SUCCESS;
  MPI_Comm comm = MPI_COMM_NULL;
};

Result result_of(const Operation& operation) { return {operation.error, operation.team->comm}; }

// Reports the result of `body`.
template <class Body>
int reported(const Body& body) {
  MPI_Comm comm = MPI_COMM_NULL;
  int error = MPI_SUCCESS;
  const int thrown = guarded(comm, [&] {
    const Result result = body();
    comm = result.comm;
    error = result.error;
    return static_cast<int>(MPI_SUCCESS);
  });
  return thrown != MPI_SUCCESS ? thrown : raise(comm, error);
}

Result wait_for(MPIX_Request& request) {
  Process& process = this_process();
  const std::shared_ptr<Operation> operation = process.take(request);
  if (operation == nullptr) return {MPI_ERR_REQUEST, MPI_COMM_NULL};
  request = MPIX_REQUEST_NULL;
  process.wait_for(*operation);
  return result_of(*operation);
}

}  // namespace
}  // namespace strata::mpix

extern "C" int MPIX_Wait(MPIX_Request* request) {
  using namespace strata::mpix;  // NOLINT: the library itself
  return reported([&] {
    if (request == nullptr) check(MPI_ERR_ARG);
    return wait_for(*request);
  });
}

extern "C" int MPIX_Waitall(int count, MPIX_Request requests[]) {
  using namespace strata::mpix;  // NOLINT: the library itself
  return reported([&] {
    if (count < 0) check(MPI_ERR_COUNT);
    if (count > 0 && requests == nullptr) check(MPI_ERR_ARG);
    Result first;
    for (int i = 0; i < count; ++i) {
      const Result result = wait_for(requests[i]);
      if (first.error == MPI_SUCCESS) first = result;
    }
    return first;
  });
}

extern "C" int MPIX_Test(MPIX_Request* request, int* flag) {
  using namespace strata::mpix;  // NOLINT: the library itself
  return reported([&]() -> Result {
    if (request == nullptr || flag == nullptr) check(MPI_ERR_ARG);
    *flag = 0;
    const std::shared_ptr<Operation> operation = this_process().test(*request);
    if (operation == nullptr) return {};
    *flag = 1;
    *request = MPIX_REQUEST_NULL;
    return result_of(*operation);
  });
}

extern "C" int MPIX_Request_get_steps(MPIX_Request request, int* steps) {
  using namespace strata::mpix;  // NOLINT: the library itself
  return guarded(MPI_COMM_NULL, [&] {
    if (steps == nullptr) check(MPI_ERR_ARG);
    *steps = this_process().steps_of(request);
    return static_cast<int>(MPI_SUCCESS);
  });
}
