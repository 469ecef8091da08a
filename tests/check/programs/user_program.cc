// SPDX-License-Identifier: LGPL-2.1-only
// A typical user's program: its ranks need 6 MiB of stack, which fit in SMPI's default of 8 MiB, and a library that is
// only found through LD_LIBRARY_PATH. Rank 0 receives from any source.
#undef NDEBUG  // the assertions are the purpose
#include <dlfcn.h>
#include <mpi.h>

#include <cassert>
#include <cstddef>

namespace {

constexpr std::size_t kStack = 6UL << 20, kPage = 4096;  // bytes

// Writes and reads the array page by page, so that it stays on the stack.
int number_of_pages(char mark) {
  volatile char on_stack[kStack];
  for (std::size_t i = 0; i < kStack; i += kPage) on_stack[i] = mark;
  int pages = 0;
  for (std::size_t i = 0; i < kStack; i += kPage) pages += on_stack[i] == mark ? 1 : 0;
  return pages;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  void* const library = dlopen("libuser_library.so", RTLD_NOW);
  assert(library != nullptr);
  auto* const doubled = reinterpret_cast<int (*)(int)>(dlsym(library, "doubled"));
  assert(doubled != nullptr);
  const int pages = number_of_pages(static_cast<char>(rank + 1));
  assert(doubled(pages) == static_cast<int>(2 * kStack / kPage));
  if (rank > 0) MPI_Send(&pages, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  for (int i = 1; rank == 0 && i < size; ++i) {
    int received = 0;
    MPI_Recv(&received, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert(received == pages);
  }
  MPI_Finalize();
  return 0;
}
