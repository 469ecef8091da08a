// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/monitoring/report_collective.h"

#include <memory>

#include "mpi_ext/adapter/watched.h"
#include "mpi_ext/data_bytes.h"
#include "mpi_ext/monitoring/process_sessions.h"
#include "mpi_ext/ranks.h"

namespace strata::mpix::monitoring {
namespace {

using Sessions = std::vector<std::shared_ptr<Session>>;

Sessions active_of(Process& process) {
  const std::lock_guard guard(process.mutex);
  return process.active;
}

// Whether the session has the same members as `comm`, in any order.
bool has_members(const Session& session, MPI_Comm comm) {
  int same = MPI_UNEQUAL;
  call(MPI_Comm_compare(comm, session.comm.get(), &same));
  return same != MPI_UNEQUAL;
}

void add(Process& process, const Sessions& sessions, MPI_Comm comm, const std::vector<int>& receivers,
         const std::vector<std::size_t>& bytes) {
  const std::vector<int> world = translate_ranks(receivers, comm, MPI_COMM_WORLD);
  const std::lock_guard guard(process.mutex);
  for (const auto& session : sessions) {
    for (std::size_t i = 0; i < world.size(); ++i) {
      const int to = session->members->rank_of(process_of(world[i]));
      if (to >= 0) session->sent.add(Kind::kCollective, to, {.messages = 1, .bytes = bytes[i]});
    }
  }
}

}  // namespace

bool wants_calls() { return anybody_watches(); }

void called(MPI_Comm comm, Meaning meaning, int root, long count, MPI_Datatype datatype) {
  if (!wants_calls()) return;
  const int rank = rank_in(comm), size = size_of(comm);
  if (size == 1) return;
  Process& process = own_state();
  const std::size_t bytes = data_bytes(count, datatype);
  Sessions others;
  for (const auto& session : active_of(process)) {
    if (meaning != Meaning::kToAll || !has_members(*session, comm)) {
      others.push_back(session);
      continue;
    }
    const std::lock_guard guard(process.mutex);
    session->sent.add_to_all({.messages = 1, .bytes = bytes});
  }
  if (others.empty()) return;
  std::vector<int> receivers;
  for_each_receiver(meaning, rank, size, root, [&](int to) { receivers.push_back(to); });
  add(process, others, comm, receivers, std::vector<std::size_t>(receivers.size(), bytes));
}

void called(MPI_Comm comm, const std::vector<int>& receivers, const std::vector<std::size_t>& bytes) {
  if (!wants_calls()) return;
  const int rank = rank_in(comm);
  std::vector<int> others;
  std::vector<std::size_t> theirs;
  for (std::size_t i = 0; i < receivers.size(); ++i) {
    if (receivers[i] == rank) continue;
    others.push_back(receivers[i]);
    theirs.push_back(bytes[i]);
  }
  Process& process = own_state();
  add(process, active_of(process), comm, others, theirs);
}

}  // namespace strata::mpix::monitoring
