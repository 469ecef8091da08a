// SPDX-License-Identifier: LGPL-2.1-only
// Tests of progress threads and their costs in an MPI program, which runs under SMPI, Open MPI and MPICH. The results
// of collectives are tested by nonblocking_mpi_program.
//
//   sessions         starts and stops threads several times, with open requests, twice at once
//   order            waits for several collectives in flight, in a different order on every second rank
//   many             more collectives in flight on a communicator than there are numbers
//   communicators    more communicators in use than there are ids
//   threads          a real MPI: two threads of each rank have collectives in flight on their own communicators
//   first-uses       a real MPI: four threads of each rank use their own communicators for the first time, at once
//   partly           a real MPI: only one rank has a progress thread
//   bound=POLICY     a real MPI, on this machine: the thread runs on the core that MPIX_Progress_get returns
//   auto=C,T,S       S steps are chosen for a collective C ("ireduce") over a tree T ("flat", "nodes")
//   nodes=A,B,...    the nodes of the ranks: counts the messages of trees between nodes
//   bcast=B,T        SMPI: a broadcast of B bytes from rank 0 ends on rank 1 T s after both have started it
//   overlap=B,C,T    SMPI: the same, but both compute for C s (on their own cores) before they wait
#include <mpi.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "mpi_ext/adapter/charge.h"
#include "mpi_ext/adapter/measure.h"
#include "mpi_ext/mpix.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/progress_trees.h"

namespace {

using namespace strata::mpix::testing;  // NOLINT: checks and communicators

// The communicator that MPI_Comm_free must not free, by rank of MPI_COMM_WORLD: ranks may share globals under SMPI.
struct Unfreeable {
  MPI_Comm comm = MPI_COMM_NULL;
};
Unfreeable& unfreeable() {
  static std::array<Unfreeable, 1024> comms;
  return comms.at(rank_in(MPI_COMM_WORLD));
}

// While rank 0 has an open request, no rank can stop.
void stop_with_an_open_request(Checks& t, MPI_Comm* application) {
  MPIX_Request request = MPIX_REQUEST_NULL;
  CHECK_EQ(MPI_SUCCESS, MPIX_Ibarrier(*application, &request));
  const MPIX_Request kept = request;
  const bool open = rank_in(*application) == 0;
  if (!open) CHECK_EQ(MPI_SUCCESS, MPIX_Wait(&request));
  CHECK_EQ(MPI_ERR_PENDING, class_of(MPIX_Progress_stop(application)));
  CHECK_TRUE(*application != MPI_COMM_NULL);
  if (open) CHECK_EQ(MPI_SUCCESS, MPIX_Wait(&request));
  request = kept;
  CHECK_EQ(MPI_ERR_REQUEST, class_of(MPIX_Wait(&request)));
  CHECK_EQ(kept, request);
}

// Communicators outlive the threads with which they were used, and work with new threads, or without.
void use_sessions(Checks& t) {
  for (int session = 0; session < 3; ++session) {
    MPI_Comm application = MPI_COMM_NULL, again = MPI_COMM_NULL;
    CHECK_EQ(MPI_SUCCESS, MPIX_Progress_start(MPI_COMM_WORLD, MPI_INFO_NULL, &application));
    if (application != MPI_COMM_NULL) {
      MPI_Comm_set_errhandler(application, MPI_ERRORS_RETURN);
      int sum = 0, rank = rank_in(application), size = size_of(application);
      MPIX_Request request = MPIX_REQUEST_NULL;
      CHECK_EQ(MPI_SUCCESS, MPIX_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, application, &request));
      CHECK_EQ(MPI_SUCCESS, MPIX_Wait(&request));
      CHECK_EQ(size * (size - 1) / 2, sum);
      stop_with_an_open_request(t, &application);
      MPI_Comm other = MPI_COMM_SELF;
      CHECK_EQ(MPI_ERR_COMM, class_of(MPIX_Progress_stop(&other)));
    }
    CHECK_EQ(MPI_SUCCESS, MPIX_Progress_stop(&application));
    CHECK_TRUE(application == MPI_COMM_NULL);
    CHECK_EQ(MPI_SUCCESS, MPIX_Progress_stop(&again));
  }
  int cores = -1, communication = -1;
  const char* cpuset = nullptr;
  CHECK_EQ(MPI_SUCCESS, MPIX_Progress_get(&communication, &cores, &cpuset));
  CHECK_EQ(0, communication);
  CHECK_EQ(0, cores);
  CHECK_EQ(std::string(), std::string(cpuset));
}

// If MPI cannot free the communicator, it calls the handler; MPIX_Progress_stop does not call it again.
void stop_where_mpi_cannot_free(Checks& t) {
  MPI_Comm application = MPI_COMM_NULL;
  CHECK_EQ(MPI_SUCCESS, MPIX_Progress_start(MPI_COMM_WORLD, MPI_INFO_NULL, &application));
  if (application != MPI_COMM_NULL) {
    CountedErrors errors(t);
    errors.handle(application);
    unfreeable().comm = application;
    CHECK_ERROR(MPI_ERR_OTHER, MPIX_Progress_stop(&application));
    unfreeable().comm = MPI_COMM_NULL;
    CHECK_TRUE(application != MPI_COMM_NULL);
    CHECK_EQ(MPI_SUCCESS, MPI_Comm_free(&application));
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);  // CountedErrors has set its own handler
  CHECK_EQ(MPI_SUCCESS, MPIX_Progress_stop(&application));
}

// Messages above every eager limit: a rank that sends in its wait needs the wait of the receiver.
void wait_in_opposite_orders(Checks& t, MPI_Comm application) {
  constexpr int kInts = 50'000;
  const int rank = rank_in(application), size = size_of(application);
  for (const char* steps : {"0", "1"}) {
    if (size > 1) set_progress(t, application, "mpix_steps", steps);
    std::array<std::vector<int>, 3> data;
    std::array<MPIX_Request, 3> requests{};
    for (int i = 0; i < 3; ++i) {
      const int root = i % size;
      data[i].assign(kInts, rank == root ? 100 + i : -1);
      CHECK_EQ(MPI_SUCCESS, MPIX_Ibcast(data[i].data(), kInts, MPI_INT, root, application, &requests[i]));
    }
    for (int i = 0; i < 3; ++i) {
      const int next = rank % 2 == 0 ? i : 2 - i;
      CHECK_EQ(MPI_SUCCESS, MPIX_Wait(&requests[next]));
      CHECK_EQ(std::vector<int>(kInts, 100 + next), data[next]);
    }
  }
}

// If there are too many, an error says so, and the collectives that were started end normally.
void start_too_many(Checks& t, MPI_Comm application) {
  std::vector<MPIX_Request> requests;
  int error = MPI_SUCCESS;
  while (error == MPI_SUCCESS && requests.size() < 1000) {
    requests.push_back(MPIX_REQUEST_NULL);
    error = MPIX_Ibarrier(application, &requests.back());
  }
  CHECK_EQ(MPI_ERR_OTHER, class_of(error));
  requests.pop_back();
  CHECK_TRUE(requests.size() >= 16);
  CHECK_EQ(MPI_SUCCESS, MPIX_Waitall(static_cast<int>(requests.size()), requests.data()));
  MPIX_Request request = MPIX_REQUEST_NULL;
  CHECK_EQ(MPI_SUCCESS, MPIX_Ibarrier(application, &request));
  CHECK_EQ(MPI_SUCCESS, MPIX_Wait(&request));
}

int barrier_on(MPI_Comm comm) {
  MPIX_Request request = MPIX_REQUEST_NULL;
  const int error = MPIX_Ibarrier(comm, &request);
  return error == MPI_SUCCESS ? MPIX_Wait(&request) : error;
}

// All ranks get the error; freeing a communicator makes room for another one.
void use_too_many_communicators(Checks& t, MPI_Comm application) {
  std::vector<MPI_Comm> comms;
  int error = MPI_SUCCESS;
  while (error == MPI_SUCCESS && comms.size() < 2000) {
    comms.push_back(MPI_COMM_NULL);
    MPI_Comm_dup(application, &comms.back());
    error = barrier_on(comms.back());
  }
  CHECK_EQ(MPI_ERR_OTHER, class_of(error));
  CHECK_EQ(1024 + 1, static_cast<int>(comms.size()));
  MPI_Comm_free(&comms.front());
  CHECK_EQ(MPI_SUCCESS, barrier_on(comms.back()));
  CHECK_EQ(MPI_SUCCESS, barrier_on(comms[1]));
  for (size_t i = 1; i < comms.size(); ++i) MPI_Comm_free(&comms[i]);
}

void measure_bcast(Checks& t, MPI_Comm application, int bytes, double computation_s, double expected_s) {
  constexpr double kRounding = 1e-10;  // s; SimGrid's precision is 1e-12 s per event
  set_progress(t, application, "mpix_steps", "0");
  set_progress(t, application, "mpix_check", "false");
  std::vector<char> message(bytes, rank_in(application) == 0 ? 'm' : '?');
  const double start = strata::mpix::start_together(application);
  MPIX_Request request = MPIX_REQUEST_NULL;
  CHECK_EQ(MPI_SUCCESS, MPIX_Ibcast(message.data(), bytes, MPI_BYTE, 0, application, &request));
  if (computation_s > 0) strata::mpix::charge_seconds(computation_s);
  CHECK_EQ(MPI_SUCCESS, MPIX_Wait(&request));
  const double took = MPI_Wtime() - start;
  CHECK_EQ(std::vector<char>(bytes, 'm'), message);
  if (rank_in(application) != 1) return;
  const bool as_expected = std::abs(took - expected_s) < kRounding;
  CHECK_TRUE(as_expected);
  if (!as_expected) std::fprintf(stderr, "expected %.13g s, took %.13g s\n", expected_s, took);
}

// A thread of the application: several collectives in flight, with waits in an order that differs between ranks.
void use_from_a_thread(Checks& t, MPI_Comm comm, int thread) {
  constexpr int kInts = 20'000;
  const int rank = rank_in(comm), size = size_of(comm);
  for (int round = 0; round < 12; ++round) {
    set_progress(t, comm, "mpix_steps", round % 3 == 0 || size == 1 ? "0" : "1");
    const int root = round % size, salt = 10 * thread + round;
    const std::vector<int> mine(kInts, rank + salt);
    std::vector<int> message(kInts, rank == root ? salt : -1), sum(kInts, -1), all(kInts, -1), prefix(kInts, -1);
    std::array<MPIX_Request, 4> requests{};
    CHECK_EQ(MPI_SUCCESS, MPIX_Ibcast(message.data(), kInts, MPI_INT, root, comm, &requests[0]));
    CHECK_EQ(MPI_SUCCESS, MPIX_Ireduce(mine.data(), sum.data(), kInts, MPI_INT, MPI_SUM, root, comm, &requests[1]));
    CHECK_EQ(MPI_SUCCESS, MPIX_Iallreduce(mine.data(), all.data(), kInts, MPI_INT, MPI_SUM, comm, &requests[2]));
    CHECK_EQ(MPI_SUCCESS, MPIX_Iscan(mine.data(), prefix.data(), kInts, MPI_INT, MPI_SUM, comm, &requests[3]));
    for (size_t i = 0; i < requests.size(); ++i) {
      CHECK_EQ(MPI_SUCCESS, MPIX_Wait(&requests[(i + rank + thread) % requests.size()]));
    }
    const auto sum_to = [&](int ranks) { return std::vector<int>(kInts, ranks * (ranks - 1) / 2 + ranks * salt); };
    CHECK_EQ(std::vector<int>(kInts, salt), message);
    CHECK_EQ(rank == root ? sum_to(size) : std::vector<int>(kInts, -1), sum);
    CHECK_EQ(sum_to(size), all);
    CHECK_EQ(sum_to(rank + 1), prefix);
  }
}

// Threads that use their communicators for the first time at the same moment.
void use_from_threads(Checks& t, MPI_Comm application) {
  std::array<MPI_Comm, 2> comms{};
  for (MPI_Comm& c : comms) MPI_Comm_dup(application, &c);
  std::vector<Checks> counted(comms.size(), Checks(rank_in(MPI_COMM_WORLD)));
  std::vector<std::thread> threads;
  for (size_t i = 0; i < comms.size(); ++i) {
    threads.emplace_back([&, i] { use_from_a_thread(counted[i], comms[i], static_cast<int>(i)); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Checks& c : counted) t.add(c);
  for (MPI_Comm& c : comms) MPI_Comm_free(&c);
}

// The members of a communicator agree on an id for it; the threads of a process look for one in turns.
void use_for_the_first_time(Checks& t, MPI_Comm application) {
  for (int repetition = 0; repetition < 5; ++repetition) {
    std::array<MPI_Comm, 4> comms{};
    std::array<int, 4> errors{};
    for (MPI_Comm& c : comms) MPI_Comm_dup(application, &c);
    std::vector<std::thread> threads;
    for (size_t i = 0; i < comms.size(); ++i) {
      // The order differs between ranks.
      const size_t at = (i + rank_in(application)) % comms.size();
      threads.emplace_back([&, at] { errors[at] = barrier_on(comms[at]); });
    }
    for (std::thread& thread : threads) thread.join();
    for (const int error : errors) CHECK_EQ(MPI_SUCCESS, error);
    for (MPI_Comm& c : comms) MPI_Comm_free(&c);
  }
}

// Ranks with a thread cannot use a communicator that has ranks without one: all ranks get an error.
void start_on_one_rank(Checks& t) {
  MPI_Comm comm = MPI_COMM_NULL, application = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  if (rank_in(comm) == 0) CHECK_EQ(MPI_SUCCESS, MPIX_Progress_start(MPI_COMM_SELF, MPI_INFO_NULL, &application));
  MPIX_Request request = MPIX_REQUEST_NULL;
  CHECK_EQ(MPI_ERR_COMM, class_of(MPIX_Ibarrier(comm, &request)));
  CHECK_EQ(MPIX_REQUEST_NULL, request);
  CHECK_EQ(MPI_SUCCESS, MPIX_Progress_stop(&application));
  CHECK_EQ(MPI_SUCCESS, MPIX_Ibarrier(comm, &request));
  CHECK_EQ(MPI_SUCCESS, MPIX_Wait(&request));
  MPI_Comm_free(&comm);
}

// Linux's ids of the threads of this process.
std::set<std::string> threads_of_this_process() {
  std::set<std::string> ids;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) ids.insert(entry.path().filename());
  return ids;
}

// The PUs on which Linux lets a thread run, as a list.
std::string allowed_pus(const std::string& thread) {
  std::ifstream status("/proc/self/task/" + thread + "/status");
  const std::string key = "Cpus_allowed_list:\t";
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(key)) return line.substr(key.size());
  }
  return "nothing";
}

void find_the_thread(Checks& t, const std::string& policy) {
  const std::set<std::string> before = threads_of_this_process();
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "mpix_placement", policy.c_str());
  MPI_Comm application = MPI_COMM_NULL;
  CHECK_EQ(MPI_SUCCESS, MPIX_Progress_start(MPI_COMM_WORLD, info, &application));
  MPI_Info_free(&info);
  int mine = 1, sum = 0;  // executed by the thread, which first binds itself
  MPIX_Request request = MPIX_REQUEST_NULL;
  CHECK_EQ(MPI_SUCCESS, MPIX_Iallreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, application, &request));
  CHECK_EQ(MPI_SUCCESS, MPIX_Wait(&request));
  int communication = -1, cores = -1;
  const char* cpuset = nullptr;
  CHECK_EQ(MPI_SUCCESS, MPIX_Progress_get(&communication, &cores, &cpuset));
  CHECK_EQ(policy == "numa" && cores > size_of(application), communication > 0);
  std::vector<std::string> started;
  for (const std::string& id : threads_of_this_process()) {
    if (!before.contains(id)) started.push_back(allowed_pus(id));
  }
  CHECK_EQ(std::vector<std::string>{cpuset}, started);
  CHECK_EQ(MPI_SUCCESS, MPIX_Progress_stop(&application));
}

void run(Checks& t, MPI_Comm application, const std::string& word) {
  int bytes = 0;
  double computation_s = 0, expected_s = 0;
  if (word == "order") return wait_in_opposite_orders(t, application);
  if (word == "many") return start_too_many(t, application);
  if (word == "communicators") return use_too_many_communicators(t, application);
  if (word == "threads") return use_from_threads(t, application);
  if (word == "first-uses") return use_for_the_first_time(t, application);
  if (word.starts_with("auto=")) return choose_steps(t, application, word.substr(word.find('=') + 1));
  if (word.starts_with("nodes=")) return count_messages_between_nodes(t, application, numbers_in(word));
  const bool alone = std::sscanf(word.c_str(), "bcast=%d,%lf", &bytes, &expected_s) == 2;
  const bool overlap = std::sscanf(word.c_str(), "overlap=%d,%lf,%lf", &bytes, &computation_s, &expected_s) == 3;
  CHECK_TRUE(alone || overlap);
  measure_bcast(t, application, bytes, computation_s, expected_s);
}

void run_in_a_session(Checks& t, const std::string& word) {
  MPI_Comm application = MPI_COMM_NULL;
  CHECK_EQ(MPI_SUCCESS, MPIX_Progress_start(MPI_COMM_WORLD, MPI_INFO_NULL, &application));
  if (application != MPI_COMM_NULL) {
    MPI_Comm_set_errhandler(application, MPI_ERRORS_RETURN);
    run(t, application, word);
  }
  CHECK_EQ(MPI_SUCCESS, MPIX_Progress_stop(&application));
}

}  // namespace

// Called by the library.
extern "C" int MPI_Comm_free(MPI_Comm* comm) {
  if (*comm == MPI_COMM_NULL || *comm != unfreeable().comm) return PMPI_Comm_free(comm);
  MPI_Comm_call_errhandler(*comm, MPI_ERR_OTHER);
  return MPI_ERR_OTHER;
}

int main(int argc, char** argv) {
  int level = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  for (const MPI_Comm comm : {MPI_COMM_WORLD, MPI_COMM_SELF}) MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  Checks t(rank_in(MPI_COMM_WORLD));
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "sessions") {
      t.run("sessions", [&] { use_sessions(t); });
      t.run("stop where MPI cannot free", [&] { stop_where_mpi_cannot_free(t); });
    } else if (word == "partly") {
      t.run("start on one rank", [&] { start_on_one_rank(t); });
    } else if (word.starts_with("bound=")) {
      t.run(word, [&] { find_the_thread(t, word.substr(word.find('=') + 1)); });
    } else {
      t.run(word, [&] { run_in_a_session(t, word); });
    }
  }
  const int result = t.finish();
  MPI_Finalize();
  return result;
}
