// SPDX-License-Identifier: LGPL-2.1-only
// Matched probes (MPI 4.0, Section 3.8.2), which SMPI lacks. A message that a probe has found is received immediately,
// so that no other receive can get it, and kept until the program asks for it. The probe waits for its transfer.
// MPI_Imrecv is not supplied, because SMPI discards the status of a request that is not a message of its own.
#include <mpi.h>

#include <memory>
#include <vector>

#include "mpi_ext/error.h"
#include "mpi_ext/supply/behind.h"

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
  kept->bytes.resize(static_cast<std::size_t>(bytes_of(found)));
  check(STRATA_BEHIND(Recv)(kept->bytes.data(), static_cast<int>(kept->bytes.size()), MPI_BYTE, found.MPI_SOURCE,
                            found.MPI_TAG, comm, &kept->status));
  return kept.release();
}

// A probe of MPI_PROC_NULL returns no message.
bool from_nobody(int source, MPI_Message* message, MPI_Status* status) {
  if (source != MPI_PROC_NULL) return false;
  *message = MPI_MESSAGE_NULL;
  if (status != MPI_STATUS_IGNORE) {
    *status = MPI_Status{};
    status->MPI_SOURCE = MPI_PROC_NULL;
    status->MPI_TAG = MPI_ANY_TAG;
  }
  return true;
}

// Gives the message to the program and deletes it.
MPI_Status hand_over(void* buffer, int count, MPI_Datatype type, MPI_Message* message) {
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
    if (message == nullptr || *message == MPI_MESSAGE_NULL) check(MPI_ERR_REQUEST);
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
    if (from_nobody(source, message, status)) return static_cast<int>(MPI_SUCCESS);
    MPI_Status found;
    check(STRATA_BEHIND(Probe)(source, tag, comm, &found));
    if (status != MPI_STATUS_IGNORE) *status = found;
    *message = take(comm, found);
    return static_cast<int>(MPI_SUCCESS);
  });
}

int PMPI_Improbe(int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message, MPI_Status* status) {
  return guarded(comm, [&] {
    if (message == nullptr || flag == nullptr) check(MPI_ERR_ARG);
    *flag = 1;
    if (from_nobody(source, message, status)) return static_cast<int>(MPI_SUCCESS);
    MPI_Status found;
    check(STRATA_BEHIND(Iprobe)(source, tag, comm, flag, &found));
    if (*flag == 0) return static_cast<int>(MPI_SUCCESS);
    if (status != MPI_STATUS_IGNORE) *status = found;
    *message = take(comm, found);
    return static_cast<int>(MPI_SUCCESS);
  });
}

int PMPI_Mrecv(void* buffer, int count, MPI_Datatype type, MPI_Message* message, MPI_Status* status) {
  return on_message(message, [&] {
    const MPI_Status told = hand_over(buffer, count, type, message);
    if (status != MPI_STATUS_IGNORE) *status = told;
  });
}
}
