// SPDX-License-Identifier: LGPL-2.1-only
// Matched probes (MPI 4.0, Section 3.8.2), which SMPI lacks. A message that a probe has found is received immediately,
// so that no other receive can get it, and kept until the program asks for it. The probe waits for its transfer, so
// MPI_Imrecv is complete when it returns; its request is a generalized one.
#include <mpi.h>

#include <memory>
#include <vector>

#include "mpi_ext/preload/supply/behind.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {
namespace {

struct Kept {
  MPI_Comm comm;
  MPI_Status status;
  std::vector<char> bytes;
};

int bytes_of(const MPI_Status& status) {
  int bytes = 0;
  check(STRATA_BEHIND(Get_count)(&status, MPI_BYTE, &bytes));
  return bytes;
}

// Receives the message that a probe has found.
MPI_Message take(MPI_Comm comm, const MPI_Status& found) {
  auto kept = std::make_unique<Kept>(Kept{comm, found, {}});
  kept->bytes.resize(bytes_of(found));
  check(STRATA_BEHIND(Recv)(kept->bytes.data(), static_cast<int>(kept->bytes.size()), MPI_BYTE, found.MPI_SOURCE,
                            found.MPI_TAG, comm, &kept->status));
  return kept.release();
}

// Gives the program a status. MPI_ERROR is set only by functions that return several (MPI 4.0, Section 3.2.5).
void tell(MPI_Status* status, const MPI_Status& told) {
  if (status == MPI_STATUS_IGNORE) return;
  const int error = status->MPI_ERROR;
  *status = told;
  status->MPI_ERROR = error;
}

int query(void* told, MPI_Status* status) {
  *status = *static_cast<MPI_Status*>(told);
  return MPI_SUCCESS;
}
int release(void* told) {
  delete static_cast<MPI_Status*>(told);
  return MPI_SUCCESS;
}
int cancel(void*, int) { return MPI_SUCCESS; }

MPI_Status from_proc_null() {
  MPI_Status status = {};
  status.MPI_SOURCE = MPI_PROC_NULL;
  status.MPI_TAG = MPI_ANY_TAG;
  return status;
}

// A probe of MPI_PROC_NULL returns no message.
bool probes_proc_null(int source, MPI_Message* message, MPI_Status* status) {
  if (source != MPI_PROC_NULL) return false;
  *message = MPI_MESSAGE_NULL;
  tell(status, from_proc_null());
  return true;
}

// Gives the message to the program and deletes it.
// SMPI's MPI_MESSAGE_NO_PROC is MPI_MESSAGE_NULL: a message from MPI_PROC_NULL.
MPI_Status hand_over(void* buffer, int count, MPI_Datatype type, MPI_Message* message) {
  if (*message == MPI_MESSAGE_NULL) return from_proc_null();
  const std::unique_ptr<Kept> kept(static_cast<Kept*>(*message));
  *message = MPI_MESSAGE_NULL;
  const auto bytes = static_cast<int>(kept->bytes.size());
  int size = 0;
  check(STRATA_BEHIND(Type_size)(type, &size));
  if (bytes > static_cast<long>(size) * count) check(MPI_ERR_TRUNCATE);
  int position = 0;
  if (size > 0)
    check(STRATA_BEHIND(Unpack)(kept->bytes.data(), bytes, &position, buffer, bytes / size, type, kept->comm));
  return kept->status;
}

template <class Body>
int on_message(MPI_Message* message, const Body& body) {
  return guarded(MPI_COMM_WORLD, [&] {
    if (message == nullptr) check(MPI_ERR_ARG);
    body();
    return static_cast<int>(MPI_SUCCESS);
  });
}

}  // namespace
}  // namespace strata::mpix

using namespace strata::mpix;

extern "C" {

int PMPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status) {
  return guarded(comm, [&] {
    if (message == nullptr) check(MPI_ERR_ARG);
    if (probes_proc_null(source, message, status)) return static_cast<int>(MPI_SUCCESS);
    MPI_Status found;
    check(STRATA_BEHIND(Probe)(source, tag, comm, &found));
    tell(status, found);
    *message = take(comm, found);
    return static_cast<int>(MPI_SUCCESS);
  });
}

int PMPI_Improbe(int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message, MPI_Status* status) {
  return guarded(comm, [&] {
    if (message == nullptr || flag == nullptr) check(MPI_ERR_ARG);
    *flag = 1;
    if (probes_proc_null(source, message, status)) return static_cast<int>(MPI_SUCCESS);
    MPI_Status found;
    check(STRATA_BEHIND(Iprobe)(source, tag, comm, flag, &found));
    if (*flag == 0) return static_cast<int>(MPI_SUCCESS);
    tell(status, found);
    *message = take(comm, found);
    return static_cast<int>(MPI_SUCCESS);
  });
}

int PMPI_Mrecv(void* buffer, int count, MPI_Datatype type, MPI_Message* message, MPI_Status* status) {
  return on_message(message, [&] { tell(status, hand_over(buffer, count, type, message)); });
}

int PMPI_Imrecv(void* buffer, int count, MPI_Datatype type, MPI_Message* message, MPI_Request* request) {
  return on_message(message, [&] {
    if (request == nullptr) check(MPI_ERR_ARG);
    auto told = std::make_unique<MPI_Status>(hand_over(buffer, count, type, message));
    check(PMPI_Grequest_start(query, release, cancel, told.get(), request));
    told.release();
    check(STRATA_BEHIND(Grequest_complete)(*request));
  });
}
}
