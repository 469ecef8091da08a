// SPDX-License-Identifier: LGPL-2.1-only
// The tap of a real MPI: wraps the sending functions that the program calls (entry.h). Of MPI's own collectives, it
// sees the calls (tap_collectives.cc), but not the messages of which they consist.
//
// A message is reported after MPI has accepted it without error. Its receiver is a rank in MPI_COMM_WORLD, which is
// looked up once for each communicator and window (peers_real.cc). Messages to MPI_PROC_NULL, or to a process outside
// MPI_COMM_WORLD, are not reported.
#include <mutex>
#include <unordered_map>

#include "mpi_ext/MPI_Monitoring.h"
#include "mpi_ext/preload/tap/data_size.h"
#include "mpi_ext/preload/tap/entry.h"
#include "mpi_ext/preload/tap/peers.h"

namespace strata::mpix {

int tap_sees() { return MPI_M_ALL_COMM | MPI_M_SEES_MPIX | MPI_M_SEES_EXTERNAL | MPI_M_SEES_RESULTS; }

namespace {

thread_local int t_depth = 0;

void tell_send(MPI_Comm comm, int dest, std::uint64_t bytes) {
  const ProcessId receiver = peer(comm, dest);
  if (receiver != kNobody) tell(MessageKind::kExternal, calling_process(), receiver, bytes);
}

// Reports data that go to the target of a one-sided operation, and data that come back.
void tell_to(MPI_Win win, int target, std::uint64_t bytes) {
  const ProcessId process = window_peer(win, target);
  if (process != kNobody) tell(MessageKind::kOneSided, calling_process(), process, bytes);
}
void tell_from(MPI_Win win, int target, std::uint64_t bytes) {
  const ProcessId process = window_peer(win, target);
  if (process != kNobody) tell(MessageKind::kOneSided, process, calling_process(), bytes);
}
void tell_both(MPI_Win win, int target, MPI_Op op, std::uint64_t there, std::uint64_t back) {
  if (op != MPI_NO_OP) tell_to(win, target, there);
  tell_from(win, target, back);
}

// The messages that MPI_Start will send. They are recorded even without listeners, for those that are added later.
class PersistentSends {
 public:
  void add(MPI_Request request, MPI_Comm comm, int dest, std::uint64_t bytes) {
    const ProcessId receiver = peer(comm, dest);
    if (receiver == kNobody) return;
    const std::lock_guard lock(mutex_);
    sends_.insert_or_assign(request, Send{receiver, bytes});
  }
  void remove(MPI_Request request) {
    const std::lock_guard lock(mutex_);
    sends_.erase(request);
  }
  void tell_start(int count, const MPI_Request* requests) {
    for (int i = 0; i < count; ++i) {
      std::unique_lock lock(mutex_);
      const auto it = sends_.find(requests[i]);
      if (it == sends_.end()) continue;
      const Send send = it->second;
      lock.unlock();
      tell(MessageKind::kExternal, calling_process(), send.receiver, send.bytes);
    }
  }

 private:
  struct Send {
    ProcessId receiver;
    std::uint64_t bytes;
  };
  std::mutex mutex_;
  std::unordered_map<MPI_Request, Send> sends_;
};

PersistentSends& persistent_sends() {
  static auto* const sends = new PersistentSends;  // never destroyed: MPI may be finalised very late
  return *sends;
}

// Calls MPI, and then `notes`, which records the new persistent send.
template <class Mpi, class Notes>
int noted(const Mpi& mpi, const Notes& notes) {
  const Call call;
  const int code = mpi();
  if (code == MPI_SUCCESS && call.outermost()) notes();
  return code;
}

int freed(int (*mpi)(MPI_Request*), MPI_Request* request) {
  const MPI_Request before = request != nullptr ? *request : MPI_REQUEST_NULL;
  const int code = mpi(request);
  if (code == MPI_SUCCESS) persistent_sends().remove(before);
  return code;
}

}  // namespace

Call::Call() : outermost_(t_depth++ == 0) {}
Call::~Call() { --t_depth; }

}  // namespace strata::mpix

using namespace strata::mpix;

#define STRATA_NOTED(name, parameters, arguments, ...)                  \
  extern "C" int name parameters {                                      \
    static const auto next = behind<int parameters>(#name);             \
    return noted([&] { return next arguments; }, [&] { __VA_ARGS__; }); \
  }
#define STRATA_FREED(name)                                     \
  extern "C" int name(MPI_Request* request) {                  \
    static const auto next = behind<int(MPI_Request*)>(#name); \
    return freed(next, request);                               \
  }
STRATA_FREED(MPI_Request_free)
STRATA_FREED(PMPI_Request_free)

STRATA_ENTRIES(Start, (MPI_Request * request), (request), persistent_sends().tell_start(1, request))
STRATA_ENTRIES(Startall, (int count, MPI_Request* requests), (count, requests),
               persistent_sends().tell_start(count, requests))
STRATA_ENTRIES(Compare_and_swap,
               (const void* origin, const void* compare, void* result, MPI_Datatype type, int target, MPI_Aint at,
                MPI_Win win),
               (origin, compare, result, type, target, at, win),
               tell_both(win, target, MPI_REPLACE, bytes(1, type), bytes(1, type)))
STRATA_ENTRIES(Fetch_and_op,
               (const void* origin, void* result, MPI_Datatype type, int target, MPI_Aint at, MPI_Op op, MPI_Win win),
               (origin, result, type, target, at, op, win), tell_both(win, target, op, bytes(1, type), bytes(1, type)))

#define Count int
#define SIZED(name) name
#include "mpi_ext/preload/tap/tap_pmpi.inc"
#undef Count
#undef SIZED

#if MPI_VERSION >= 4
#define Count MPI_Count
#define SIZED(name) name##_c
#include "mpi_ext/preload/tap/tap_pmpi.inc"
#endif
