// 64 MiB per rank, all of it written.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  char* a = malloc(40 << 20);
  double* b = calloc(3 << 20, sizeof *b);
  memset(a, 1, 40 << 20);
  for (int i = 0; i < 3 << 20; ++i) b[i] = i;
  char* small = malloc(100);
  strcpy(small, "small");
  b = realloc(b, 2 << 20);
  MPI_Barrier(MPI_COMM_WORLD);
  printf("%s\n", small);
  free(a);
  free(b);
  free(small);
  MPI_Finalize();
  return 0;
}
