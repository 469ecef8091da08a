// SPDX-License-Identifier: LGPL-2.1-only
// Ranks, sizes and errors of communicators, and the words on a test program's command line. For every MPI.
#pragma once

#include <mpi.h>

#include <array>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "scenarios/programs/rank_and_size.h"
#include "tests/mpi_ext/checks.h"

namespace strata::mpix::testing {

using programs::rank_in;
using programs::size_of;

inline int class_of(int code) {
  int error_class = MPI_SUCCESS;
  MPI_Error_class(code, &error_class);
  return error_class;
}

using Ranks = std::vector<int>;

// The members as ranks of MPI_COMM_WORLD, in order; empty for MPI_COMM_NULL.
inline Ranks members_of(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return {};
  MPI_Group group, world;
  MPI_Comm_group(comm, &group);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  Ranks here(size_of(comm)), there(here.size());
  std::iota(here.begin(), here.end(), 0);
  MPI_Group_translate_ranks(group, static_cast<int>(here.size()), here.data(), world, there.data());
  MPI_Group_free(&group);
  MPI_Group_free(&world);
  return there;
}

// Calls `test` on the first `size` ranks of `all`, with their communicator.
inline void on_first(int size, MPI_Comm all, const std::function<void(MPI_Comm)>& test) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_split(all, rank_in(all) < size ? 0 : MPI_UNDEFINED, rank_in(all), &comm);
  if (comm == MPI_COMM_NULL) return;
  test(comm);
  MPI_Comm_free(&comm);
}

// The numbers in a word: after "=", and separated by "," or "x".
inline std::vector<int> numbers_in(const std::string& word) {
  std::vector<int> numbers;
  for (size_t at = word.find('='); at != std::string::npos; at = word.find_first_of(",x", at + 1)) {
    numbers.push_back(std::atoi(word.c_str() + at + 1));
  }
  return numbers;
}

// An error handler that counts its calls: one for a call that fails, none for one that succeeds. A rank can have one
// object at a time. The destructor restores MPI_COMM_WORLD's handler.
class CountedErrors {
 public:
  explicit CountedErrors(Checks& checks) : checks_(checks), me_(rank_in(MPI_COMM_WORLD)) {
    MPI_Comm_create_errhandler(count, &handler_);
    calls_of(me_) = 0;
  }
  CountedErrors(const CountedErrors&) = delete;
  CountedErrors& operator=(const CountedErrors&) = delete;
  ~CountedErrors() {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Errhandler_free(&handler_);
  }

  void handle(MPI_Comm comm) { MPI_Comm_set_errhandler(comm, handler_); }

  void expect(int error_class, int code, const char* what, const char* file, int line) {
    checks_.equal(error_class, class_of(code), what, file, line);
    checks_.equal(++expected_, calls_of(me_), "calls of the error handler", file, line);
  }

 private:
  // By rank of MPI_COMM_WORLD, because ranks may share globals.
  static int& calls_of(int rank) {
    static std::array<int, 1024> calls;
    return calls[rank];
  }
  static void count(MPI_Comm*, int*, ...) { ++calls_of(rank_in(MPI_COMM_WORLD)); }

  Checks& checks_;
  int me_;
  int expected_ = 0;
  MPI_Errhandler handler_ = MPI_ERRHANDLER_NULL;
};

}  // namespace strata::mpix::testing

/// Needs a CountedErrors named `errors` in scope.
#define CHECK_ERROR(error_class, call) errors.expect((error_class), (call), #call, __FILE__, __LINE__)
