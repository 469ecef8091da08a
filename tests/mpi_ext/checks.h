// SPDX-License-Identifier: LGPL-2.1-only
// Assertions for an MPI program. Each rank counts checks and failures, and prints for a failure the file, line, rank,
// expected and actual value. There are no globals, because ranks may share them under SMPI.
#pragma once

#include <mpi.h>

#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

namespace strata::mpix::testing {

class Checks {
 public:
  explicit Checks(int rank) : rank_(rank) {}

  template <class A, class B>
  void equal(const A& expected, const B& got, const char* what, const char* file, int line) {
    ++checked_;
    if (expected == got) return;
    // The first failures are enough; a loop could print a million lines.
    if (++failed_ <= 10) {
      std::fprintf(stderr, "%s:%d: rank %d: %s: expected %s, got %s\n", file, line, rank_, what, text(expected).c_str(),
                   text(got).c_str());
    }
  }

  long failed() const { return failed_; }

  /// Adds the checks of another thread of the rank.
  void add(const Checks& other) {
    checked_ += other.checked_;
    failed_ += other.failed_;
  }

  /// Prints the sums over `comm` on its rank 0: "RANKS ranks, N checks, F failures". Returns main's value. Collective.
  int finish(MPI_Comm comm = MPI_COMM_WORLD) const {
    long mine[2] = {checked_, failed_}, all[2] = {0, 0}, least = 0;
    int rank = 0, size = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Allreduce(mine, all, 2, MPI_LONG, MPI_SUM, comm);
    MPI_Allreduce(mine, &least, 1, MPI_LONG, MPI_MIN, comm);
    if (rank == 0) {
      std::printf("%d ranks, %ld checks, at least %ld a rank, %ld failures\n", size, all[0], least, all[1]);
      std::fflush(stdout);
    }
    return all[1] == 0 ? 0 : 1;
  }

 private:
  template <class T>
  static std::string text(const T& value) {
    std::ostringstream out;
    out << value;
    return out.str();
  }
  template <class T>
  static std::string text(const std::vector<T>& list) {
    std::string result = "[";
    for (const T& v : list) result += (result.size() > 1 ? " " : "") + text(v);
    return result + "]";
  }

  int rank_;
  long checked_ = 0, failed_ = 0;
};

}  // namespace strata::mpix::testing

/// Needs a Checks named `t` in scope.
#define CHECK_EQ(expected, got) t.equal((expected), (got), #got, __FILE__, __LINE__)
#define CHECK_TRUE(got) t.equal(true, static_cast<bool>(got), #got, __FILE__, __LINE__)
