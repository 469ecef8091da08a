// The command line of the benchmark programs: CLI11, with a bad option ending all ranks and one of them saying why.
#pragma once

#include <mpi.h>

#include <CLI/CLI.hpp>
#include <cstdio>

namespace strata::programs {

/// Parses after MPI_Init. On an error rank 0 prints one line and all end with status 2.
inline void parse(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) std::fprintf(stderr, "@strata usage %s\n", e.what());
    MPI_Finalize();
    std::exit(2);
  }
}

}  // namespace strata::programs
