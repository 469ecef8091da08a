// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/preload/supply/persistent.h"

#include <algorithm>
#include <unordered_map>

#include "mpi_ext/preload/supply/behind.h"
#include "mpi_ext/preload/supply/computation.h"
#include "sim/simgrid/request.h"

namespace strata::mpix {
namespace {

using simgrid::smpi::Request;

enum class Kind { kSend, kSynchronous, kBuffered, kReceive };

struct Persistent {
  Kind kind;
  void* buffer;
  int count;
  MPI_Datatype type;
  int peer, tag;
  MPI_Comm comm;
  MPI_Request started = MPI_REQUEST_NULL;
};

// Those of all ranks: SMPI runs one rank at a time.
std::unordered_map<MPI_Request, Persistent>& all() {
  static std::unordered_map<MPI_Request, Persistent> made;
  return made;
}

// Whether the buffer that the program has attached has room for this message.
int check_buffer(const Persistent& p) {
  MPI_Aint least = 0, extent = 0;
  PMPI_Type_get_extent(p.type, &least, &extent);
  MPI_Request probe = MPI_REQUEST_NULL;
  const int bytes = static_cast<int>(extent) * p.count;
  const int code = STRATA_BEHIND(Bsend_init)(p.buffer, bytes, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, &probe);
  return code == MPI_SUCCESS ? STRATA_BEHIND(Request_free)(&probe) : code;
}

int start(Persistent& p) {
  if (p.started != MPI_REQUEST_NULL) return MPI_ERR_REQUEST;
  if (p.kind == Kind::kBuffered) {
    if (const int code = check_buffer(p); code != MPI_SUCCESS) return code;
  }
  // Not MPI_Isend, which refuses types and communicators that the program has freed since MPI_Send_init. SMPI keeps
  // them for the handle.
  const BetweenComputation now;
  switch (p.kind) {
    case Kind::kSend:
      p.started = Request::isend(p.buffer, p.count, p.type, p.peer, p.tag, p.comm);
      break;
    case Kind::kSynchronous:
      p.started = Request::issend(p.buffer, p.count, p.type, p.peer, p.tag, p.comm);
      break;
    case Kind::kBuffered:
      p.started = Request::ibsend(p.buffer, p.count, p.type, p.peer, p.tag, p.comm);
      break;
    case Kind::kReceive:
      p.started = Request::irecv(p.buffer, p.count, p.type, p.peer, p.tag, p.comm);
      break;
  }
  return MPI_SUCCESS;
}

int start(MPI_Request request) {
  const auto found = all().find(request);
  return found == all().end() ? static_cast<int>(MPI_ERR_REQUEST) : start(found->second);
}

// SMPI's function checks the arguments. It gets no elements, so that it does not read the buffer yet.
template <class Init>
int init(Init* smpis, const Persistent& p, MPI_Request* request) {
  if (p.buffer == nullptr && p.count > 0) return MPI_ERR_BUFFER;
  const int code = smpis(p.buffer, std::min(p.count, 0), p.type, p.peer, p.tag, p.comm, request);
  if (code == MPI_SUCCESS) all()[*request] = p;
  return code;
}

int init_send(Kind kind, const void* buffer, int count, MPI_Datatype type, int receiver, int tag, MPI_Comm comm,
              MPI_Request* request) {
  const Persistent p{kind, const_cast<void*>(buffer), count, type, receiver, tag, comm};
  return init(STRATA_BEHIND(Send_init), p, request);
}

}  // namespace

bool is_persistent(MPI_Request request) {
  return request != MPI_REQUEST_NULL && !all().empty() && all().contains(request);
}

MPI_Request started_by(MPI_Request persistent) { return all().at(persistent).started; }

void deactivate(MPI_Request persistent) { all().at(persistent).started = MPI_REQUEST_NULL; }

void forget(MPI_Request persistent) { all().erase(persistent); }

}  // namespace strata::mpix

using namespace strata::mpix;

extern "C" {

int PMPI_Send_init(const void* buffer, int count, MPI_Datatype type, int receiver, int tag, MPI_Comm comm,
                   MPI_Request* request) {
  return init_send(Kind::kSend, buffer, count, type, receiver, tag, comm, request);
}

// A ready send may be treated as any other.
int PMPI_Rsend_init(const void* buffer, int count, MPI_Datatype type, int receiver, int tag, MPI_Comm comm,
                    MPI_Request* request) {
  return init_send(Kind::kSend, buffer, count, type, receiver, tag, comm, request);
}

int PMPI_Ssend_init(const void* buffer, int count, MPI_Datatype type, int receiver, int tag, MPI_Comm comm,
                    MPI_Request* request) {
  return init_send(Kind::kSynchronous, buffer, count, type, receiver, tag, comm, request);
}

// The program may attach the buffer later, before it starts the request.
int PMPI_Bsend_init(const void* buffer, int count, MPI_Datatype type, int receiver, int tag, MPI_Comm comm,
                    MPI_Request* request) {
  return init_send(Kind::kBuffered, buffer, count, type, receiver, tag, comm, request);
}

int PMPI_Recv_init(void* buffer, int count, MPI_Datatype type, int sender, int tag, MPI_Comm comm,
                   MPI_Request* request) {
  return init(STRATA_BEHIND(Recv_init), Persistent{Kind::kReceive, buffer, count, type, sender, tag, comm}, request);
}

int PMPI_Start(MPI_Request* request) { return request == nullptr ? static_cast<int>(MPI_ERR_ARG) : start(*request); }

int PMPI_Startall(int count, MPI_Request* requests) {
  if (count < 0) return MPI_ERR_COUNT;
  if (requests == nullptr) return count == 0 ? MPI_SUCCESS : MPI_ERR_ARG;
  for (int i = 0; i < count; ++i) {
    if (const int code = start(requests[i]); code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}
}
