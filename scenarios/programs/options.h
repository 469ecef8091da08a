// SPDX-License-Identifier: LGPL-2.1-only
// The command line of the benchmark programs, based on CLI11. A bad option ends all ranks, with a message from one of
// them.
#pragma once

#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "records/exchange/exchanged_words.h"
#include "third_party/cli/cli.h"
namespace strata::programs {

/// Ends all ranks with status 2, after MPI_Init; rank 0 prints the reason in one line. All ranks must call this.
[[noreturn]] inline void refuse(const std::string& why) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) std::fprintf(stderr, "%s %s\n", words::kUsage, why.c_str());
  MPI_Barrier(MPI_COMM_WORLD);  // under SMPI, the first rank that ends in this way ends all
  MPI_Finalize();
  std::exit(2);
}

/// Parses the command line after MPI_Init; refuses unknown options.
inline void parse(cli::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
  } catch (const cli::ParseError& e) {
    refuse(e.what());
  }
}

}  // namespace strata::programs
