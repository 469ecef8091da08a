// SPDX-License-Identifier: LGPL-2.1-only
// Assertions for an MPI program, in cases that have names:
//
//   Checks t(rank);
//   t.run("bcast, 3 ranks", [&] { CHECK_EQ(MPI_SUCCESS, MPI_Bcast(...)); });
//   return t.finish();
//
// A failure prints file, line, rank, case, expression, expected and actual value at once, so it is known even if the
// program does not end. Rank 0 prints the name of each case that begins, and `finish` the sums of each case;
// case_report.h makes test cases of these lines. STRATA_CASES=PATTERN[:PATTERN]... runs only the cases whose names
// match a pattern of the shell: STRATA_CASES='bcast*'.
//
// There are no globals, because ranks may share them under SMPI.
#pragma once

#include <fnmatch.h>
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace strata::mpix::testing {

class Checks {
 public:
  explicit Checks(int rank) : rank_(rank) {}

  /// Runs a case. Checks outside of all cases belong to a case without a name. Not collective, and not nested. A case
  /// that runs again continues: `finish` prints its sum.
  template <class Case>
  void run(const std::string& name, const Case& body) {
    if (!is_selected(name)) return;
    if (rank_ == 0 && last_ != name) {
      std::printf("[begins] %s\n", name.c_str());
      std::fflush(stdout);
    }
    last_ = name;
    current_ = index_of(name);
    body();
    current_ = 0;
  }

  template <class A, class B>
  void equal(const A& expected, const B& got, const char* what, const char* file, int line) {
    Sum& sum = sums_[current_];
    ++sum.checked;
    if (expected == got) return;
    // The first failures of a case are enough; a loop could print a million lines.
    if (++sum.failed <= 10) {
      std::fprintf(stderr, "%s:%d: rank %d: [%s] %s: expected %s, got %s\n", file, line, rank_, sum.name.c_str(), what,
                   text(expected).c_str(), text(got).c_str());
    }
  }

  long failed() const { return total().failed; }

  /// Adds the checks of another thread of the rank to the current case.
  void add(const Checks& other) {
    sums_[current_].checked += other.total().checked;
    sums_[current_].failed += other.total().failed;
  }

  /// Prints the sums over `comm` on its rank 0, of each case and of all: "RANKS ranks, N checks, at least M a rank, F
  /// failures". Returns main's value. Collective.
  int finish(MPI_Comm comm = MPI_COMM_WORLD) {
    const std::vector<std::string> names = names_of_first(comm);
    // A case that rank 0 does not run is part of the case without a name.
    std::vector<long> mine(2 * names.size(), 0), all(mine.size(), 0);
    for (const Sum& sum : sums_) {
      size_t at = 0;
      for (size_t i = 1; i < names.size(); ++i) at = names[i] == sum.name ? i : at;
      mine[2 * at] += sum.checked;
      mine[2 * at + 1] += sum.failed;
    }
    long here = total().checked, least = 0;
    int rank = 0, size = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Allreduce(mine.data(), all.data(), static_cast<int>(mine.size()), MPI_LONG, MPI_SUM, comm);
    MPI_Allreduce(&here, &least, 1, MPI_LONG, MPI_MIN, comm);
    long checked = 0, failed = 0;
    for (size_t i = 0; i < names.size(); ++i) {
      if (rank == 0 && all[2 * i] > 0) {
        std::printf("[ended] %s: %ld checks, %ld failures\n", names[i].c_str(), all[2 * i], all[2 * i + 1]);
      }
      checked += all[2 * i];
      failed += all[2 * i + 1];
    }
    if (rank == 0) {
      std::printf("%d ranks, %ld checks, at least %ld a rank, %ld failures\n", size, checked, least, failed);
      std::fflush(stdout);
    }
    return failed == 0 ? 0 : 1;
  }

 private:
  struct Sum {
    std::string name;
    long checked = 0, failed = 0;
  };

  static bool is_selected(const std::string& name) {
    const char* cases = std::getenv("STRATA_CASES");
    if (cases == nullptr) return true;
    std::istringstream patterns(cases);
    for (std::string pattern; std::getline(patterns, pattern, ':');) {
      if (fnmatch(pattern.c_str(), name.c_str(), 0) == 0) return true;
    }
    return false;
  }

  size_t index_of(const std::string& name) {
    size_t at = 0;
    while (at < sums_.size() && sums_[at].name != name) ++at;
    if (at == sums_.size()) sums_.push_back({name});
    return at;
  }

  Sum total() const {
    return std::accumulate(sums_.begin(), sums_.end(), Sum{}, [](Sum all, const Sum& one) {
      all.checked += one.checked;
      all.failed += one.failed;
      return all;
    });
  }

  // The names of the cases that rank 0 of `comm` has run, in order.
  std::vector<std::string> names_of_first(MPI_Comm comm) const {
    std::string list;
    for (const Sum& sum : sums_) list += sum.name + '\n';
    int length = static_cast<int>(list.size());
    MPI_Bcast(&length, 1, MPI_INT, 0, comm);
    list.resize(length);
    MPI_Bcast(list.data(), length, MPI_CHAR, 0, comm);
    std::vector<std::string> names;
    std::istringstream lines(list);
    for (std::string line; std::getline(lines, line);) names.push_back(line);
    return names;
  }

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
  std::vector<Sum> sums_ = {{}};  // the first one is the case without a name
  size_t current_ = 0;
  std::string last_;  // the case that began last
};

}  // namespace strata::mpix::testing

/// Needs a Checks named `t` in scope.
#define CHECK_EQ(expected, got) t.equal((expected), (got), #got, __FILE__, __LINE__)
#define CHECK_TRUE(got) t.equal(true, static_cast<bool>(got), #got, __FILE__, __LINE__)
