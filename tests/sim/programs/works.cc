// SPDX-License-Identifier: LGPL-2.1-only
// Each rank executes its own list of works. All begin together, and each reports the time at which it is done (s), with
// its rank.
//
//   works --works copy=8e6,seconds=0.01/combine=4e6    rank 0 copies 8 MB and computes for 10 ms, rank 1 combines 4 MB
//
// Ranks without a list do not work. Works: copy, combine (bytes); seconds (of computation); sleep (s, without using the
// core).
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <simgrid/s4u.hpp>
#include <string>

#include "mpi_ext/adapter/charge.h"
#include "mpi_ext/adapter/measure.h"

namespace {

// Removes the part before the first `separator`, and the separator, from `list`, and returns it.
std::string take(std::string& list, char separator) {
  const std::size_t at = list.find(separator);
  const std::string first = list.substr(0, at);
  list = at == std::string::npos ? "" : list.substr(at + 1);
  return first;
}

void do_work(const std::string& what, double amount) {
  if (what == "copy") strata::mpix::charge_copy(static_cast<std::size_t>(amount));
  if (what == "combine") strata::mpix::charge_combine(static_cast<std::size_t>(amount));
  if (what == "seconds") strata::mpix::charge_seconds(amount);
  if (what == "sleep") simgrid::s4u::this_actor::sleep_for(amount);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  std::string lists;
  int rank = 0;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--works") == 0) lists = argv[i + 1];
  }
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::string own;
  for (int r = 0; r <= rank; ++r) own = take(lists, '/');
  const double start = strata::mpix::start_together(MPI_COMM_WORLD);
  while (!own.empty()) {
    std::string amount = take(own, ',');
    const std::string what = take(amount, '=');
    do_work(what, std::atof(amount.c_str()));
  }
  std::printf("@strata {\"metric\":\"time\",\"value\":%.17g,\"unit\":\"s\",\"parameters\":{\"rank\":%d}}\n",
              MPI_Wtime() - start, rank);
  std::fflush(stdout);
  MPI_Finalize();
  return 0;
}
