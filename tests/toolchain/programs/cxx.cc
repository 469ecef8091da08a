// SPDX-License-Identifier: LGPL-2.1-only
// Names that macros for exit, free and malloc would break, and static variables that each rank must have for itself.
#include <mpi.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <thread>

namespace pool {
struct Block {
  int freed = 0;
  void free(int n) { freed += n; }
  void exit(int n) { freed -= n; }
  int time() const { return freed; }
};
}  // namespace pool

template <class T>
struct Counter {
  inline static int count = 0;  // STB_GNU_UNIQUE, unless the compiler has -fno-gnu-unique
};

int& local() {
  static int once = Counter<int>::count;
  return once;
}

struct Guard {  // must run while MPI is initialized, in its own rank
  ~Guard() {
    int finalized = 0, initialized = 0;
    MPI_Initialized(&initialized);
    MPI_Finalized(&finalized);
    if (initialized && !finalized) MPI_Finalize();
  }
} guard;

struct Ends {  // an exception must not leave a destructor
  int code;
  ~Ends() { std::exit(code); }
};

int main(int argc, char** argv) {
  using namespace std::chrono;
  const auto start = steady_clock::now();
  const auto since = high_resolution_clock::now();
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  Counter<int>::count += 10 + rank;
  ++local();
  std::this_thread::sleep_for(milliseconds(250));
  pool::Block block;
  block.free(rank);
  block.exit(1);
  int sum = 0;
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  std::ostringstream line;
  line << "rank " << rank << " of " << size << ": " << block.time() << ' ' << local() << " sum " << sum << ' '
       << duration_cast<milliseconds>(steady_clock::now() - start).count() << " ms "
       << duration_cast<milliseconds>(high_resolution_clock::now() - since).count() << " ms\n";
  std::cout << line.str();
  if (rank == 0) return 0;
  try {
    if (rank == 1) {
      const Ends ends{argc > 1 ? std::atoi(argv[1]) : 0};
    }
    std::exit(0);
  } catch (...) {
    std::cout << "exit was caught\n";
    return 9;
  }
}
