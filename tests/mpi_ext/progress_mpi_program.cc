// Progress threads and what they cost, tested from inside an MPI program: the same source runs under SMPI, Open MPI and
// MPICH. What the collectives compute is nonblocking_mpi_program's to test.
//
//   sessions         threads are started and stopped several times, with requests open, twice at once
//   order            several collectives in flight are waited for in another order on every second rank
//   many             more collectives in flight on a communicator than are numbered
//   bcast=B,T        SMPI: a broadcast of B bytes from rank 0 ends on rank 1 T s after both have started it
//   overlap=B,C,T    SMPI: the same, both computing for C s (on a core of their own) before they wait
#include <mpi.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "mpi_ext/adapter/charge.h"
#include "mpi_ext/adapter/measure.h"
#include "mpi_ext/mpix.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"

namespace {

using namespace strata::mpix::testing;  // NOLINT: checks and communicators

void set_progress(Checks& t, MPI_Comm comm, const char* key, const char* value) {
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, key, value);
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_set_progress(comm, info));
  MPI_Info_free(&info);
}

// A request of rank 0 keeps all from stopping.
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

// Communicators outlive the threads that they were used with, and are good for new ones, or none.
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

// Messages longer than any eager limit here: who sends in its wait needs the receiver's.
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

// Then a line says so, and those that were started end as ever.
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

void measure_bcast(Checks& t, MPI_Comm application, int bytes, double computation_s, double expected_s) {
  constexpr double kRounding = 1e-10;  // s; SimGrid's precision is 1e-12 s an event
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

void run(Checks& t, MPI_Comm application, const std::string& word) {
  int bytes = 0;
  double computation_s = 0, expected_s = 0;
  if (word == "order") return wait_in_opposite_orders(t, application);
  if (word == "many") return start_too_many(t, application);
  const bool alone = std::sscanf(word.c_str(), "bcast=%d,%lf", &bytes, &expected_s) == 2;
  const bool overlap = std::sscanf(word.c_str(), "overlap=%d,%lf,%lf", &bytes, &computation_s, &expected_s) == 3;
  CHECK_TRUE(alone || overlap);
  measure_bcast(t, application, bytes, computation_s, expected_s);
}

}  // namespace

int main(int argc, char** argv) {
  int level = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  for (const MPI_Comm comm : {MPI_COMM_WORLD, MPI_COMM_SELF}) MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  Checks t(rank_in(MPI_COMM_WORLD));
  for (int i = 1; i < argc; ++i) {
    if (argv[i] == std::string("sessions")) {
      use_sessions(t);
      continue;
    }
    MPI_Comm application = MPI_COMM_NULL;
    CHECK_EQ(MPI_SUCCESS, MPIX_Progress_start(MPI_COMM_WORLD, MPI_INFO_NULL, &application));
    if (application != MPI_COMM_NULL) {
      MPI_Comm_set_errhandler(application, MPI_ERRORS_RETURN);
      run(t, application, argv[i]);
    }
    CHECK_EQ(MPI_SUCCESS, MPIX_Progress_stop(&application));
  }
  const int result = t.finish();
  MPI_Finalize();
  return result;
}
