/* SPDX-License-Identifier: LGPL-2.1-only
 * Programs with exactly one mistake in their calls of MPI, and the same programs without it, for 3 ranks:
 *
 *   planted root wrong    the ranks give different roots
 *   planted root right    they give the same
 *
 * The call that must be reported has its program's name in a comment: @root. The other call has
 * @root-other.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, wrong;
static int x[8], y[32];

static void null_communicator(void) {
  MPI_Comm comm = wrong ? MPI_COMM_NULL : MPI_COMM_WORLD;
  MPI_Barrier(comm); /* @null-communicator */
}

static void freed_handle(void) {
  MPI_Comm comm, used;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  used = wrong ? comm : MPI_COMM_WORLD;
  MPI_Comm_free(&comm); /* @freed-handle-other */
  MPI_Barrier(used);    /* @freed-handle */
}

static void null_datatype(void) {
  MPI_Bcast(x, 1, wrong ? MPI_DATATYPE_NULL : MPI_INT, 0, MPI_COMM_WORLD); /* @null-datatype */
}

static void uncommitted_type(void) {
  MPI_Datatype type;
  MPI_Type_contiguous(2, MPI_INT, &type); /* @uncommitted-type-other */
  if (!wrong) MPI_Type_commit(&type);
  MPI_Bcast(x, 1, type, 0, MPI_COMM_WORLD); /* @uncommitted-type */
  MPI_Type_free(&type);
}

static void count(void) {
  MPI_Send(x, wrong ? -1 : 1, MPI_INT, (rank + 1) % 3, 0, MPI_COMM_WORLD); /* @count */
  MPI_Recv(y, 1, MPI_INT, (rank + 2) % 3, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void destination(void) {
  MPI_Send(x, 1, MPI_INT, wrong ? 3 : (rank + 1) % 3, 0, MPI_COMM_WORLD); /* @destination */
  MPI_Recv(y, 1, MPI_INT, (rank + 2) % 3, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void source(void) {
  MPI_Send(x, 1, MPI_INT, (rank + 1) % 3, 0, MPI_COMM_WORLD);
  MPI_Recv(y, 1, MPI_INT, wrong ? -3 : MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* @source */
}

static void tag(void) {
  MPI_Send(x, 1, MPI_INT, (rank + 1) % 3, wrong ? -7 : 7, MPI_COMM_WORLD); /* @tag */
  MPI_Recv(y, 1, MPI_INT, (rank + 2) % 3, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void root_out_of_range(void) {
  MPI_Bcast(x, 1, MPI_INT, wrong ? 5 : 1, MPI_COMM_WORLD); /* @root-out-of-range */
}

static void null_buffer(void) {
  /* At other ranks than the root, the receive buffer of a gather is not looked at. */
  MPI_Gather(x, 1, MPI_INT, rank == 0 && !wrong ? y : NULL, 1, MPI_INT, 0, MPI_COMM_WORLD); /* @null-buffer */
}

static void null_operation(void) {
  MPI_Allreduce(x, y, 1, MPI_INT, wrong ? MPI_OP_NULL : MPI_SUM, MPI_COMM_WORLD); /* @null-operation */
}

static void operation_for_type(void) {
  double a = 1, b;
  MPI_Allreduce(&a, &b, 1, MPI_DOUBLE, wrong ? MPI_BAND : MPI_SUM, MPI_COMM_WORLD); /* @operation-for-type */
}

static void dimensions(void) {
  const int sizes[2] = {2, wrong ? 2 : 1}, periods[2] = {0, 0};
  MPI_Comm mesh;
  MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, periods, 0, &mesh); /* @dimensions */
  if (mesh != MPI_COMM_NULL) MPI_Comm_free(&mesh);
}

static void no_mesh(void) {
  const int sizes[1] = {3}, periods[1] = {1};
  MPI_Comm mesh;
  int dims = 0;
  MPI_Cart_create(MPI_COMM_WORLD, 1, sizes, periods, 0, &mesh);
  MPI_Cartdim_get(wrong ? MPI_COMM_WORLD : mesh, &dims); /* @no-mesh */
  MPI_Comm_free(&mesh);
}

static void aliased_buffers(void) {
  MPI_Allreduce(wrong ? y : x, y, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* @aliased-buffers */
}

static MPI_Win window_of(int* memory) {
  MPI_Win win;
  MPI_Win_create(memory, 8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  return win;
}

static void window_bounds(void) {
  MPI_Win win = window_of(x);
  MPI_Win_fence(0, win);
  MPI_Get(y, 2, MPI_INT, (rank + 1) % 3, wrong ? 7 : 6, 2, MPI_INT, win); /* @window-bounds */
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
}

static void communicator_leak(void) {
  MPI_Comm comm;
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0, 0, &comm); /* @communicator-leak-other */
  if (!wrong) MPI_Comm_free(&comm);
}

static void group_leak(void) {
  MPI_Group all, first;
  const int ranks[1] = {0};
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 1, ranks, &first); /* @group-leak-other */
  MPI_Group_free(&all);
  if (!wrong) MPI_Group_free(&first);
}

static void type_leak(void) {
  MPI_Datatype type;
  MPI_Type_contiguous(2, MPI_INT, &type); /* @type-leak-other */
  MPI_Type_commit(&type);
  if (!wrong) MPI_Type_free(&type);
}

static void add(void* in, void* inout, int* n, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *n; ++i) ((int*)inout)[i] += ((int*)in)[i];
}

static void operation_leak(void) {
  MPI_Op op;
  MPI_Op_create(add, 1, &op); /* @operation-leak-other */
  MPI_Allreduce(x, y, 1, MPI_INT, op, MPI_COMM_WORLD);
  if (!wrong) MPI_Op_free(&op);
}

static void info_leak(void) {
  MPI_Info info;
  MPI_Info_create(&info); /* @info-leak-other */
  if (!wrong) MPI_Info_free(&info);
}

static void window_leak(void) {
  MPI_Win win;
  MPI_Win_create(x, sizeof x, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win); /* @window-leak-other */
  if (!wrong) MPI_Win_free(&win);
}

static void request_leak(void) {
  MPI_Request request;
  MPI_Send_init(x, 1, MPI_INT, (rank + 1) % 3, 0, MPI_COMM_WORLD, &request); /* @request-leak-other */
  MPI_Start(&request);
  MPI_Recv(y, 1, MPI_INT, (rank + 2) % 3, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (!wrong) MPI_Request_free(&request);
}

static void missing_wait(void) {
  MPI_Request request;
  MPI_Isend(x, 1, MPI_INT, (rank + 1) % 3, 0, MPI_COMM_WORLD, &request); /* @missing-wait-other */
  MPI_Recv(y, 1, MPI_INT, (rank + 2) % 3, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (!wrong) MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void collective(void) {
  if (rank == 1 && wrong) {
    MPI_Bcast(x, 1, MPI_INT, 0, MPI_COMM_WORLD); /* @collective */
  } else {
    MPI_Barrier(MPI_COMM_WORLD); /* @collective-other */
  }
}

static void root(void) {
  MPI_Reduce(x, y, 1, MPI_INT, MPI_SUM, wrong && rank == 2 ? 1 : 0, MPI_COMM_WORLD); /* @root */
}

static void operation(void) {
  MPI_Allreduce(x, y, 1, MPI_INT, wrong && rank == 2 ? MPI_MAX : MPI_SUM, MPI_COMM_WORLD); /* @operation */
}

static void data(void) { MPI_Bcast(x, wrong && rank == 2 ? 3 : 4, MPI_INT, 0, MPI_COMM_WORLD); /* @data */ }

/* The same data, described in two ways. */
static void data_of_other_type(void) {
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  if (rank == 0) {
    MPI_Bcast(x, 4, MPI_INT, 0, MPI_COMM_WORLD); /* @data-of-other-type-other */
  } else {
    MPI_Bcast(x, wrong && rank == 2 ? 1 : 2, pair, 0, MPI_COMM_WORLD); /* @data-of-other-type */
  }
  MPI_Type_free(&pair);
}

/* Rank r sends 1 + r + s elements to rank s. */
static void data_of_alltoallv(void) {
  int counts[3], places[3];
  int received[3];
  for (int r = 0; r < 3; ++r) {
    counts[r] = received[r] = 1 + rank + r;
    places[r] = 8 * r;
  }
  if (wrong && rank == 2) ++received[1];
  int from[32] = {0};
  MPI_Alltoallv(from, counts, places, MPI_INT, y, received, places, MPI_INT, MPI_COMM_WORLD); /* @data-of-alltoallv */
}

static void message_type(void) {
  if (rank == 0) MPI_Send(x, 1, wrong ? MPI_FLOAT : MPI_INT, 1, 0, MPI_COMM_WORLD); /* @message-type-other */
  if (rank == 1) MPI_Recv(y, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  /* @message-type */
}

static void truncation(void) {
  MPI_Request request;
  if (rank == 0) MPI_Send(x, wrong ? 3 : 2, MPI_INT, 1, 0, MPI_COMM_WORLD); /* @truncation-other */
  if (rank != 1) return;
  MPI_Irecv(y, 2, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request); /* @truncation */
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void written_while_sent(void) {
  MPI_Request request;
  MPI_Isend(x, 4, MPI_INT, (rank + 1) % 3, 0, MPI_COMM_WORLD, &request); /* @written-while-sent-other */
  if (wrong) x[3] = 5;
  MPI_Recv(y, 4, MPI_INT, (rank + 2) % 3, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE); /* @written-while-sent */
  x[3] = 5;
}

static void written_while_received(void) {
  MPI_Request request;
  MPI_Irecv(y, 4, MPI_INT, (rank + 2) % 3, 0, MPI_COMM_WORLD, &request); /* @written-while-received-other */
  if (wrong) y[3] = 5;
  MPI_Send(x, 4, MPI_INT, (rank + 1) % 3, 0, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE); /* @written-while-received */
  y[3] = 5;
}

static void overlap(void) {
  MPI_Request requests[2];
  MPI_Irecv(y, 4, MPI_INT, (rank + 2) % 3, 0, MPI_COMM_WORLD, &requests[0]);                   /* @overlap-other */
  MPI_Irecv(y + (wrong ? 3 : 4), 4, MPI_INT, (rank + 1) % 3, 0, MPI_COMM_WORLD, &requests[1]); /* @overlap */
  MPI_Send(x, 4, MPI_INT, (rank + 1) % 3, 0, MPI_COMM_WORLD);
  MPI_Send(x, 4, MPI_INT, (rank + 2) % 3, 0, MPI_COMM_WORLD);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static void missing_epoch(void) {
  MPI_Win win = window_of(x);
  if (!wrong) MPI_Win_lock(MPI_LOCK_SHARED, (rank + 1) % 3, 0, win);
  MPI_Get(y, 1, MPI_INT, (rank + 1) % 3, 0, 1, MPI_INT, win); /* @missing-epoch */
  if (!wrong) MPI_Win_unlock((rank + 1) % 3, win);
  MPI_Win_free(&win);
}

static void double_epoch(void) {
  MPI_Win win = window_of(x);
  MPI_Win_lock_all(0, win); /* @double-epoch-other */
  if (!wrong) MPI_Win_unlock_all(win);
  MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win); /* @double-epoch */
  MPI_Win_unlock(1, win);
  if (wrong) MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
}

static void open_epoch(void) {
  MPI_Win win = window_of(x);
  MPI_Win_fence(0, win); /* @open-epoch-other */
  MPI_Get(y, 1, MPI_INT, (rank + 1) % 3, 0, 1, MPI_INT, win);
  if (!wrong) MPI_Win_fence(0, win);
  MPI_Win_free(&win); /* @open-epoch */
}

static void window_race(void) {
  MPI_Win win = window_of(x);
  MPI_Win_fence(0, win);
  if (rank > 0) MPI_Put(y, 1, MPI_INT, 0, wrong ? 0 : rank, 1, MPI_INT, win); /* @window-race */
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
}

static const struct {
  const char* name;
  void (*run)(void);
} kPrograms[] = {{"null-communicator", null_communicator},
                 {"freed-handle", freed_handle},
                 {"null-datatype", null_datatype},
                 {"uncommitted-type", uncommitted_type},
                 {"count", count},
                 {"destination", destination},
                 {"source", source},
                 {"tag", tag},
                 {"root-out-of-range", root_out_of_range},
                 {"null-buffer", null_buffer},
                 {"null-operation", null_operation},
                 {"operation-for-type", operation_for_type},
                 {"dimensions", dimensions},
                 {"no-mesh", no_mesh},
                 {"aliased-buffers", aliased_buffers},
                 {"window-bounds", window_bounds},
                 {"communicator-leak", communicator_leak},
                 {"group-leak", group_leak},
                 {"type-leak", type_leak},
                 {"operation-leak", operation_leak},
                 {"info-leak", info_leak},
                 {"window-leak", window_leak},
                 {"request-leak", request_leak},
                 {"missing-wait", missing_wait},
                 {"collective", collective},
                 {"root", root},
                 {"operation", operation},
                 {"data", data},
                 {"data-of-other-type", data_of_other_type},
                 {"data-of-alltoallv", data_of_alltoallv},
                 {"message-type", message_type},
                 {"truncation", truncation},
                 {"written-while-sent", written_while_sent},
                 {"written-while-received", written_while_received},
                 {"overlap", overlap},
                 {"missing-epoch", missing_epoch},
                 {"double-epoch", double_epoch},
                 {"open-epoch", open_epoch},
                 {"window-race", window_race}};

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  wrong = strcmp(argv[2], "wrong") == 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (size_t i = 0; i < sizeof kPrograms / sizeof *kPrograms; ++i) {
    if (strcmp(kPrograms[i].name, argv[1]) == 0) kPrograms[i].run();
  }
  if (strcmp(argv[1], "missing-finalize") == 0 && wrong && rank == 1) return 0;
  MPI_Finalize();                                                                   /* @finalize */
  if (strcmp(argv[1], "after-finalize") == 0 && wrong) MPI_Barrier(MPI_COMM_WORLD); /* @after-finalize */
  return 0;
}
