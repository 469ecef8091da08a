// SPDX-License-Identifier: LGPL-2.1-only
// MPIX_Progress_start, stop and get.
#include <cstdio>
#include <string>
#include <vector>

#include "base/error.h"
#include "mpi_ext/adapter/host.h"
#include "mpi_ext/coll/arguments.h"
#include "mpi_ext/context/context.h"
#include "mpi_ext/hierarchy/info.h"
#include "mpi_ext/hierarchy/member_data.h"
#include "mpi_ext/mpix.h"
#include "mpi_ext/nbc/process_state.h"
#include "mpi_ext/nbc/rounds_engine.h"
#include "mpi_ext/ranks.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {

void Session::close() {
  thread.reset();
  lane.reset();
  own = {};
  both = {};
}

namespace {

// If one or more processes have an obstacle, all throw the error with the greatest class, and the first of these
// processes reports its reason.
void agree(MPI_Comm comm, const Obstacle& mine) {
  Agreement agreement;
  agreement.fail(mine.error);
  const int rank = rank_in(comm);
  const size_t first = agreement.add(mine.error != MPI_SUCCESS ? std::optional<std::int64_t>(-rank) : std::nullopt);
  agreement.reach(comm);
  if (agreement.error() == MPI_SUCCESS) return;
  if (agreement.value(first) == -rank && !mine.what.empty()) std::fprintf(stderr, "strata: %s\n", mine.what.c_str());
  check(agreement.error());
}

// Makes a communicator of `number` ranks of `comm`, beginning with `first`. Collective over `comm`; other ranks pass
// their own ranges.
OwnComm consecutive(MPI_Comm comm, int first, int number) {
  MPI_Group all = MPI_GROUP_NULL, some = MPI_GROUP_NULL;
  call(MPI_Comm_group(comm, &all));
  int range[1][3] = {{first, first + number - 1, 1}};
  MPI_Group_range_incl(all, 1, range, &some);
  MPI_Comm made = MPI_COMM_NULL;
  const int error = MPI_Comm_create(comm, some, &made);
  MPI_Group_free(&some);
  MPI_Group_free(&all);
  call(error);
  return returning_errors(made);
}

struct Start {
  MPI_Comm comm;
  std::string policy;
  int rank, size;
  int application = 0;  // ranks of `comm` that run the application
  Where where = {};
  Obstacle obstacle = {};

  bool wants_threads() const { return policy != "none"; }
  /// Whether the ranks after those of the application are its threads.
  bool has_ranks_as_threads() const { return application < size; }
  bool is_thread() const { return rank >= application; }
};

Start prepare(MPI_Comm comm, MPI_Info info) {
  Start start{.comm = comm,
              .policy = info_value(info, "mpix_placement").value_or("numa"),
              .rank = rank_in(comm),
              .size = size_of(comm)};
  start.application = start.size;
  const int world_rank = rank_in(MPI_COMM_WORLD);
  try {
    start.where = where_am_i(world_rank, simulated_host());
  } catch (const std::exception& e) {
    start.obstacle = {MPI_ERR_OTHER, e.what()};
    return start;
  }
  const int said = start.where.world == nullptr ? 0 : start.where.world->application;
  const Obstacle obstacle = find_obstacle(comm, said);
  const bool simulated = !simulated_host().empty();
  if (obstacle.error == MPI_SUCCESS && simulated) start.application = said;
  if (obstacle.error == MPI_ERR_COMM || start.wants_threads()) start.obstacle = obstacle;
  if (start.obstacle.error == MPI_SUCCESS && this_process().session != nullptr) {
    start.obstacle = {MPI_ERR_OTHER, "progress threads have been started already; stop them first"};
  }
  return start;
}

// The places of all threads, by rank of the application.
ThreadPlaces places_of(const Start& start) {
  std::vector<Place> ranks;
  for (const Entry& e : exchange(start.comm, {start.where.place, -1, 0, {}})) ranks.push_back(e.place);
  const std::span<const Place> all = ranks, application = all.first(start.application);
  const std::span<const Place> threads = all.subspan(start.application);
  ThreadPlaces places;
  Obstacle obstacle;
  try {
    const int mine = start.is_thread() ? start.rank - start.application : start.rank;
    if (!start.is_thread()) places = find_thread_places(start.where, application, mine, threads, start.policy);
  } catch (const InputError& e) {
    obstacle = {MPI_ERR_INFO, e.what()};
  }
  agree(start.comm, obstacle);
  return places;
}

// The body of a process's thread. With a real MPI and on the real machine, it first binds itself.
ProgressThread::Body thread_body(const Start& start, const Cpuset& cpuset) {
  const bool bind = !start.has_ranks_as_threads() && start.where.world == nullptr;
  return [bind, cpuset](MPI_Comm lane, Line& line) {
    if (bind && !bind_this_thread(cpuset)) {
      std::fprintf(stderr, "strata: a progress thread cannot be bound to the PUs %s\n", cpuset.list().c_str());
    }
    run_progress_thread(lane, line);
  };
}

// Starts the threads of all processes, or of none.
void start_thread(const Start& start, Session& session) {
  Obstacle obstacle;
  try {
    session.thread = std::make_unique<ProgressThread>(session.own.get(), session.both.get(),
                                                      thread_body(start, session.places.cpuset));
  } catch (const Unreported& e) {
    obstacle.error = e.code;
  }
  if (start.has_ranks_as_threads()) return check(obstacle.error);
  agree(session.own.get(), obstacle);
}

// Returns MPI_COMM_NULL on a rank that was a thread.
MPI_Comm start_session(const Start& start) {
  auto session = std::make_shared<Session>();
  if (start.wants_threads()) session->places = places_of(start);
  const bool threads = start.wants_threads() || start.has_ranks_as_threads();
  session->own = consecutive(start.comm, start.is_thread() ? start.application : 0, start.application);
  if (threads) {
    session->both = returning_errors(private_copy(start.comm));
    start_thread(start, *session);
  }
  if (start.is_thread()) return MPI_COMM_NULL;
  session->used = start.wants_threads();
  session->lane.emplace(session->own.get());
  session->application = private_copy(session->own.get());
  inherit_errhandler(start.comm, session->application);
  this_process().session = session;
  return session->application;
}

void stop_session(Process& process) {
  Session& session = *process.session;
  agree(session.own.get(), {process.has_open_requests() ? MPI_ERR_PENDING : MPI_SUCCESS, ""});
  session.close();
  process.session = nullptr;
}

}  // namespace
}  // namespace strata::mpix

extern "C" int MPIX_Progress_start(MPI_Comm comm, MPI_Info info, MPI_Comm* application) {
  using namespace strata::mpix;  // NOLINT: the library itself
  return on_intracomm(comm, [&](int) {
    if (application == nullptr) check(MPI_ERR_ARG);
    *application = MPI_COMM_NULL;
    const Start start = prepare(comm, info);
    agree(comm, start.obstacle);
    *application = start_session(start);
  });
}

extern "C" int MPIX_Progress_stop(MPI_Comm* application) {
  using namespace strata::mpix;  // NOLINT: the library itself
  return guarded(application == nullptr ? MPI_COMM_NULL : *application, [&] {
    if (application == nullptr) check(MPI_ERR_ARG);
    if (*application == MPI_COMM_NULL) return static_cast<int>(MPI_SUCCESS);
    Process& process = this_process();
    if (process.session == nullptr || process.session->application != *application) check(MPI_ERR_COMM);
    stop_session(process);
    call(MPI_Comm_free(application));
    return static_cast<int>(MPI_SUCCESS);
  });
}

extern "C" int MPIX_Progress_get(int* communication_cores, int* cores, const char** cpuset) {
  using namespace strata::mpix;  // NOLINT: the library itself
  return guarded(MPI_COMM_NULL, [&] {
    static const ThreadPlaces& none = *new ThreadPlaces;
    const Session* session = this_process().session.get();
    const ThreadPlaces& places = session == nullptr ? none : session->places;
    if (communication_cores != nullptr) *communication_cores = places.communication_cores;
    if (cores != nullptr) *cores = places.cores;
    if (cpuset != nullptr) *cpuset = places.list.c_str();
    return static_cast<int>(MPI_SUCCESS);
  });
}
