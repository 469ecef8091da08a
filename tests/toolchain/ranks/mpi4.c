// SPDX-License-Identifier: LGPL-2.1-only
/* Functions of MPI 3.1 and 4.0 that SMPI's header lacks, and MPI's constants as initial values. With an argument it
 * calls what the simulated MPI does not have. */
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static MPI_Comm comms[] = {MPI_COMM_WORLD, MPI_COMM_SELF};
static struct {
  MPI_Datatype type;
  MPI_Op op;
  MPI_Group group;
  MPI_Errhandler handler;
} const constants = {MPI_DOUBLE, MPI_SUM, MPI_GROUP_EMPTY, MPI_ERRORS_RETURN};

int main(int argc, char** argv) {
  static MPI_Comm inside = MPI_COMM_WORLD;
  MPI_Init(&argc, &argv);
  int rank = -1, size = -1, one = -1, bad = 0;
  MPI_Comm_rank(inside, &rank);
  MPI_Comm_size(comms[0], &size);
  MPI_Comm_size(comms[1], &one);
  bad += one != 1;
  bad += comms[0] != MPI_COMM_WORLD || inside != MPI_COMM_WORLD || comms[1] != MPI_COMM_SELF;

  double mine = rank + 1, sum = 0;
  MPI_Allreduce_c(&mine, &sum, 1, constants.type, constants.op, comms[0]);
  bad += sum != size * (size + 1) / 2.0;

  MPI_Count counts[16];
  MPI_Aint at[16];
  int ranks[16];
  for (int i = 0; i < size; ++i) {
    counts[i] = 1;
    at[i] = size - 1 - i;
  }
  MPI_Allgatherv_c(&rank, 1, MPI_INT, ranks, counts, at, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < size; ++i) bad += ranks[size - 1 - i] != i;

  /* On other ranks than the root these are not significant. */
  if (rank != 0) counts[0] = (MPI_Count)INT_MAX + 1;
  memset(ranks, 0, sizeof ranks);
  MPI_Gatherv_c(&rank, 1, MPI_INT, ranks, counts, at, MPI_INT, 0, MPI_COMM_WORLD);
  for (int i = 0; rank == 0 && i < size; ++i) bad += ranks[size - 1 - i] != i;
  MPI_Scatterv_c(ranks, counts, at, MPI_INT, &ranks[15], 1, MPI_INT, 0, MPI_COMM_WORLD);
  bad += ranks[15] != rank;

  MPI_Status status;
  MPI_Count elements = -1;
  int got[3] = {0, 0, 0};
  const int sent[3] = {rank, rank + 10, rank + 20};
  MPI_Sendrecv_c(sent, 3, MPI_INT, (rank + 1) % size, 0, got, 3, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
                 &status);
  MPI_Get_count_c(&status, MPI_INT, &elements);
  bad += elements != 3 || got[2] != (rank + size - 1) % size + 20;

  MPI_Datatype strided;
  MPI_Count bytes = -1, begin = -1, extent = -1;
  MPI_Type_vector_c(3, 1, 2, MPI_INT, &strided);
  MPI_Type_commit(&strided);
  MPI_Type_size_c(strided, &bytes);
  MPI_Type_get_extent_c(strided, &begin, &extent);
  bad += bytes != 3 * (MPI_Count)sizeof(int) || begin != 0 || extent != 5 * (MPI_Count)sizeof(int);
  MPI_Type_free(&strided);

  const MPI_Count lengths[2] = {2, 1}, places[2] = {16, 0};
  const MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE};
  MPI_Type_create_struct_c(2, lengths, places, types, &strided);
  MPI_Type_get_extent_c(strided, &begin, &extent);
  bad += begin != 0 || extent != 24;
  MPI_Type_free(&strided);
  MPI_Type_create_hindexed_c(2, lengths, places, MPI_INT, &strided);
  MPI_Type_get_extent_c(strided, &begin, &extent);
  bad += begin != 0 || extent != 24;
  MPI_Type_free(&strided);

  /* The second of two processes has blocks of three, or every second element. */
  int whole[1] = {12}, distribution[1] = {MPI_DISTRIBUTE_CYCLIC}, length_of_blocks[1] = {3}, processes[1] = {2};
  for (int by_default = 0; by_default < 2; ++by_default) {
    MPI_Aint first = -1, span = -1;
    if (by_default) length_of_blocks[0] = MPI_DISTRIBUTE_DFLT_DARG;
    MPI_Type_create_darray(2, 1, 1, whole, distribution, length_of_blocks, processes, MPI_ORDER_C, MPI_INT, &strided);
    MPI_Type_get_true_extent(strided, &first, &span);
    bad += first != (by_default ? 4 : 12) || span != (by_default ? 44 : 36);
    MPI_Type_free(&strided);
  }

  /* A graph without edges: its null pointers are weights, MPI_UNWEIGHTED is not. */
  for (int weighted = 0; weighted < 2; ++weighted) {
    MPI_Comm graph;
    int in = -1, out = -1, has_weights = -1;
    int* const weights = weighted ? NULL : MPI_UNWEIGHTED;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, NULL, weights, 0, NULL, weights, MPI_INFO_NULL, 0, &graph);
    MPI_Dist_graph_neighbors_count(graph, &in, &out, &has_weights);
    bad += in != 0 || out != 0 || has_weights != weighted;
    MPI_Comm_free(&graph);
  }

  MPI_Info info;
  char value[5];
  int length = sizeof value, flag = 0;
  MPI_Info_create(&info);
  MPI_Info_set(info, "key", "a value");
  MPI_Info_get_string(info, "key", &length, value, &flag);
  bad += !flag || length != 8 || strcmp(value, "a va") != 0;
  length = 0;
  MPI_Info_get_string(info, "other", &length, value, &flag);
  bad += flag;

  MPI_Comm copy;
  MPI_Request request;
  int compared = -1;
  if (rank == 0) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Comm_idup_with_info(MPI_COMM_WORLD, info, &copy, &request);
  if (rank != 0) MPI_Barrier(MPI_COMM_WORLD); /* the others do not wait for rank 0 */
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_compare(copy, MPI_COMM_WORLD, &compared);
  bad += compared != MPI_CONGRUENT;
  MPI_Comm_free(&copy);
  MPI_Info_free(&info);

  int provided = -1, variables = -1, index = 0;
  MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
  MPI_T_cvar_get_num(&variables);
  bad += variables != 0 || MPI_T_cvar_get_index("eager_limit", &index) == MPI_SUCCESS;
  MPI_T_finalize();

  printf("rank %d of %d: %d bad\n", rank, size, bad);
  fflush(stdout);
  MPI_Barrier(MPI_COMM_WORLD);
  if (argc > 1 && strcmp(argv[1], "large") == 0 && rank == 1)
    MPI_Send_c(NULL, (MPI_Count)INT_MAX + 1, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
  if (argc > 1 && strcmp(argv[1], "session") == 0 && rank == 1) {
    MPI_Session session;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
  }
  MPI_Finalize();
  return 0;
}
