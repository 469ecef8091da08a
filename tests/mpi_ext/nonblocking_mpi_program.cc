// SPDX-License-Identifier: LGPL-2.1-only
// Tests of the nonblocking collectives in an MPI program, which runs under SMPI, Open MPI and MPICH. The tests are in
// nonblocking/. They compare results with a slow definition (a fold in the order of the ranks, lists of messages) and
// with MPI's own blocking function.
//
//   placement=P      the placement in the progress threads' info: "none", "bind", ...; default: no info
//   cores=A,B        MPIX_Progress_get must return A communication cores of B
//   sizes=A,B,...    communicators of the first A, B, ... ranks of the application; default: all numbers of ranks
//   brief            a different shape of the tree for each root, and fewer cases; with more than 17 ranks two roots
//   real             features that SMPI lacks: intercommunicators, more datatypes
//   errors           wrong arguments, and requests that are waited for twice
//   mismatch         ranks that start different collectives
//   single           initialises MPI without MPI_THREAD_MULTIPLE
//   refused=CLASS    tests only that progress threads cannot be started, for an "info" or an "other" reason
#include <mpi.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "mpi_ext/mpix.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/nonblocking/study.h"
#include "tests/mpi_ext/nonblocking/tests.h"

namespace {

using namespace strata::mpix::testing;  // NOLINT: checks and tests

void test_everything(Checks& t, const Study& study, MPI_Comm comm) {
  const Operations operations;
  const int size = size_of(comm);
  const std::string on = ", " + std::to_string(size) + " ranks";
  t.run("one after another" + on, [&] { test_one_after_another(t, study, comm); });
  if (!study.brief || size == study.sizes.back()) {
    t.run("in flight" + on, [&] { test_communicators(t, operations, comm); });
  }
  t.run("late barrier" + on, [&] { test_barrier(t, comm); });
  if (study.threads) t.run("background" + on, [&] { test_background(t, operations, comm); });
}

void test_get(Checks& t, const Study& study) {
  int communication = -1, cores = -1;
  const char* cpuset = nullptr;
  CHECK_EQ(MPI_SUCCESS, MPIX_Progress_get(&communication, &cores, &cpuset));
  CHECK_EQ(MPI_SUCCESS, MPIX_Progress_get(nullptr, nullptr, nullptr));
  CHECK_TRUE(cpuset != nullptr);
  if (!study.cores.empty()) CHECK_EQ(study.cores, (std::vector{communication, cores}));
  if (cpuset != nullptr) CHECK_EQ(study.threads, !std::string(cpuset).empty());
}

// The tests between start and stop. Returns main's value.
int test_application(Checks& t, Study study, MPI_Info info) {
  MPI_Comm application = MPI_COMM_NULL;
  CHECK_EQ(MPI_SUCCESS, MPIX_Progress_start(MPI_COMM_WORLD, info, &application));
  const bool is_application = application != MPI_COMM_NULL;  // else this rank was a progress thread
  if (is_application) {
    if (study.sizes.empty()) {
      study.sizes.resize(size_of(application));
      std::iota(study.sizes.begin(), study.sizes.end(), 1);
    }
    for (const int size : study.sizes) {
      on_first(size, application, [&](MPI_Comm comm) { test_everything(t, study, comm); });
    }
    t.run("cores of the threads", [&] { test_get(t, study); });
    if (study.errors) {
      t.run("errors of collectives", [&] { test_collectives_arguments(t, application, study); });
      t.run("errors of settings", [&] { test_settings_arguments(t, application); });
      t.run("errors of requests", [&] { test_requests_arguments(t, application, study); });
    }
    if (study.mismatch) t.run("mismatch", [&] { test_mismatch(t, Operations(), application); });
    if (study.errors) t.run("pending requests", [&] { test_pending(t, &application); });
  }
  CHECK_EQ(MPI_SUCCESS, MPIX_Progress_stop(&application));
  CHECK_TRUE(application == MPI_COMM_NULL);
  MPI_Comm counted = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, is_application ? 0 : MPI_UNDEFINED, rank_in(MPI_COMM_WORLD), &counted);
  if (!is_application) return 0;
  const int result = t.finish(counted);
  MPI_Comm_free(&counted);
  return result;
}

// Returns main's value.
int run(const std::vector<std::string>& words) {
  Checks t(rank_in(MPI_COMM_WORLD));
  Study study;
  Info info;
  std::string refused;
  for (const std::string& w : words) {
    const std::string value = w.substr(w.find('=') + 1);
    if (w == "brief") study.brief = true;
    if (w == "real") study.real = true;
    if (w == "errors") study.errors = true;
    if (w == "mismatch") study.mismatch = true;
    if (w == "placement=none") study.threads = false;
    if (w.rfind("placement=", 0) == 0) info.set("mpix_placement", value);
    if (w.rfind("refused=", 0) == 0) refused = value;
    if (w.rfind("cores=", 0) == 0) study.cores = numbers_in(w);
    if (w.rfind("sizes=", 0) == 0) study.sizes = numbers_in(w);
  }
  if (refused.empty()) return test_application(t, study, info);
  t.run("refused threads", [&] { test_refused(t, info, refused); });
  return t.finish();
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const bool single = std::count(words.begin(), words.end(), "single") > 0;
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, single ? MPI_THREAD_SINGLE : MPI_THREAD_MULTIPLE, &provided);
  const int result = run(words);
  MPI_Finalize();
  return result;
}
