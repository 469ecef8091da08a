// SPDX-License-Identifier: LGPL-2.1-only
// Each rank's own account of the messages that it sends, with which sessions are compared.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "mpi_ext/MPI_Monitoring.h"
#include "tests/mpi_ext/checks.h"

namespace strata::mpix::testing {

using Numbers = std::vector<unsigned long>;

struct Env {
  Checks& t;
  std::string provider;
  int rank, size;
  bool simulated() const { return provider == "smpi"; }
};

// The messages that a rank sends to each rank.
struct Account {
  Numbers counts, sizes;
  explicit Account(int size) : counts(size), sizes(size) {}
  void add(int to, unsigned long bytes, unsigned long messages = 1) {
    counts[to] += messages;
    sizes[to] += bytes;
  }
  void clear() { *this = Account(static_cast<int>(counts.size())); }
};

void expect_data(Checks& t, const Account& expected, MPI_M_msid id, int flags = MPI_M_P2P_ONLY);

MPI_M_msid started(Checks& t, MPI_Comm comm = MPI_COMM_WORLD);
void suspend(Checks& t, MPI_M_msid id);
void resume(Checks& t, MPI_M_msid id);
void free_session(Checks& t, MPI_M_msid id);

// Each rank sends `ints` ints to the rank `distance` further on in the ring.
void ring(MPI_Comm comm, int distance, int ints, int tag = 7);

// The error `one` on rank `who`, MPI_M_OTHER_PROCESS on the others.
int of_one(const Env& e, int who, int one);

// The contents of a file.
std::string text_of(const std::string& file);

}  // namespace strata::mpix::testing
