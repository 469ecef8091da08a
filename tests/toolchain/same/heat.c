// SPDX-License-Identifier: LGPL-2.1-only
// Heat conduction in a plate of 24 x 36 points, divided among the ranks by a Cartesian topology. Halos are derived
// datatypes, exchanged alternately by MPI_Sendrecv, persistent requests and neighbourhood collectives. Rank 0 prints
// the plate's sum after every tenth step. It adds the ranks' sums in the order of ranks, so that no reduction's order
// matters.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kRows = 24, kColumns = 36, kSteps = 60 };

static int rows, columns;  // of this rank, without the halo
static double *now, *next;

static int at(int row, int column) { return row * (columns + 2) + column; }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int size, rank, dims[2] = {0, 0}, periods[2] = {1, 0}, place[2], up, down, left, right;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 2, dims);
  MPI_Comm grid;
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  MPI_Comm_rank(grid, &rank);
  MPI_Cart_coords(grid, rank, 2, place);
  MPI_Cart_shift(grid, 0, 1, &up, &down);
  MPI_Cart_shift(grid, 1, 1, &left, &right);
  rows = kRows / dims[0];
  columns = kColumns / dims[1];
  now = calloc((rows + 2) * (columns + 2), sizeof *now);
  next = calloc((rows + 2) * (columns + 2), sizeof *next);
  for (int i = 1; i <= rows; ++i) {
    for (int j = 1; j <= columns; ++j) {
      const int row = place[0] * rows + i - 1, column = place[1] * columns + j - 1;
      now[at(i, j)] = (row * 7 + column * 13) % 32;
    }
  }
  MPI_Datatype line;
  MPI_Type_vector(rows, 1, columns + 2, MPI_DOUBLE, &line);
  MPI_Type_commit(&line);
  double* arrays[2] = {now, next};
  MPI_Request persistent[2][4];
  for (int a = 0; a < 2; ++a) {
    double* v = arrays[a];
    MPI_Send_init(&v[at(1, 1)], columns, MPI_DOUBLE, up, 1, grid, &persistent[a][0]);
    MPI_Recv_init(&v[at(rows + 1, 1)], columns, MPI_DOUBLE, down, 1, grid, &persistent[a][1]);
    MPI_Send_init(&v[at(rows, 1)], columns, MPI_DOUBLE, down, 2, grid, &persistent[a][2]);
    MPI_Recv_init(&v[at(0, 1)], columns, MPI_DOUBLE, up, 2, grid, &persistent[a][3]);
  }
  for (int step = 0; step < kSteps; ++step) {
    double* v = arrays[step % 2];
    double* w = arrays[1 - step % 2];
    MPI_Startall(4, persistent[step % 2]);
    MPI_Waitall(4, persistent[step % 2], MPI_STATUSES_IGNORE);
    if (step % 3 == 0) {
      MPI_Sendrecv(&v[at(1, 1)], 1, line, left, 3, &v[at(1, columns + 1)], 1, line, right, 3, grid, MPI_STATUS_IGNORE);
      MPI_Sendrecv(&v[at(1, columns)], 1, line, right, 4, &v[at(1, 0)], 1, line, left, 4, grid, MPI_STATUS_IGNORE);
    } else if (step % 3 == 1) {
      MPI_Request requests[4];
      MPI_Irecv(&v[at(1, 0)], 1, line, left, 5, grid, &requests[0]);
      MPI_Irecv(&v[at(1, columns + 1)], 1, line, right, 5, grid, &requests[1]);
      MPI_Isend(&v[at(1, 1)], 1, line, left, 5, grid, &requests[2]);
      MPI_Isend(&v[at(1, columns)], 1, line, right, 5, grid, &requests[3]);
      MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    } else {
      const int counts[4] = {0, 0, 1, 1};
      const MPI_Aint from[4] = {0, 0, at(1, 1) * (MPI_Aint)sizeof *v, at(1, columns) * (MPI_Aint)sizeof *v};
      const MPI_Aint into[4] = {0, 0, at(1, 0) * (MPI_Aint)sizeof *v, at(1, columns + 1) * (MPI_Aint)sizeof *v};
      const MPI_Datatype types[4] = {line, line, line, line};
      MPI_Neighbor_alltoallw(v, counts, from, types, v, counts, into, types, grid);
    }
    double sum = 0;
    for (int i = 1; i <= rows; ++i) {
      for (int j = 1; j <= columns; ++j) {
        w[at(i, j)] = (v[at(i, j)] * 4 + v[at(i - 1, j)] + v[at(i + 1, j)] + v[at(i, j - 1)] + v[at(i, j + 1)]) / 8;
        sum += w[at(i, j)];
      }
    }
    if (step % 10 == 9) {
      double* sums = malloc(size * sizeof *sums);
      MPI_Gather(&sum, 1, MPI_DOUBLE, sums, 1, MPI_DOUBLE, 0, grid);
      for (int i = 0; rank == 0 && i < size; ++i) printf("step %d, rank %d: %.17g\n", step, i, sums[i]);
      free(sums);
    }
  }
  for (int i = 0; i < 8; ++i) MPI_Request_free(&persistent[i / 4][i % 4]);
  MPI_Type_free(&line);
  MPI_Comm_free(&grid);
  MPI_Finalize();
  return 0;
}
