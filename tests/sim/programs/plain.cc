// SPDX-License-Identifier: LGPL-2.1-only
// A program that does not know Strata. It accepts -s SIZE, -t TITLE and -e WHAT (an exit without a figure of merit),
// reads a factor from input.txt in its folder, if that file exists, and writes output.txt there.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  double size = 1, factor = 1;
  const char* title = "";
  bool silent = false;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "-s") == 0) size = std::atof(argv[i + 1]);
    if (std::strcmp(argv[i], "-t") == 0) title = argv[i + 1];
    if (std::strcmp(argv[i], "-e") == 0) silent = true;
  }
  int rank = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  char byte = 0;
  if (rank == 0) {
    std::ifstream input("input.txt");
    const bool read = static_cast<bool>(input >> factor);
    std::printf("arguments %d\ntitle <%s>\nstep 1: FOM = 1 z/s\n", argc, title);
    if (!silent) std::printf("FOM  = %g z/s\n", 12.5 * size * factor);
    if (read) std::ofstream("output.txt", std::ios::app) << size << "\n";
    if (ranks > 1) MPI_Send(&byte, 1, MPI_CHAR, ranks - 1, 0, MPI_COMM_WORLD);
  } else if (rank == ranks - 1) {
    MPI_Recv(&byte, 1, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    std::printf("%d ranks, Elapsed %.17g s\n", ranks, MPI_Wtime());
  }
  MPI_Finalize();
  return 0;
}
