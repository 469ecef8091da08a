// SPDX-License-Identifier: LGPL-2.1-only
// An MPI program that says how its library sees the job, and ends as its argument says:
//
//   rank 4 of 8 node: first 3 rank 1 of 4 sum 28 env 4/8/1/4 pus 8
//
// of a node with the ranks 3 to 6, whose topology has 8 PUs. Rank 1 ends by "abort", "crash", "kill", "bus", "exit",
// "leave" (without MPI_Finalize) or "early" (before MPI_Init); "absent": rank 2 never calls MPI_Init; "hang": no rank
// ends.
#include <hwloc.h>
#include <mpi.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

const char* variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "-" : value;
}

int pus_of_node() {
  hwloc_topology_t topology = nullptr;
  hwloc_topology_init(&topology);
  hwloc_topology_load(topology);
  const int pus = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU);
  hwloc_topology_destroy(topology);
  return pus;
}

void say(int rank, int size) {
  MPI_Comm node;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  int node_rank = -1, node_size = -1, sum = -1;
  MPI_Comm_rank(node, &node_rank);
  MPI_Comm_size(node, &node_size);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  // By its least rank, so that the test can tell nodes apart.
  int first = rank;
  MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, node);
  std::printf("rank %d of %d node: first %d rank %d of %d sum %d env %s/%s/%s/%s pus %d\n", rank, size, first,
              node_rank, node_size, sum, variable("OMPI_COMM_WORLD_RANK"), variable("PMI_SIZE"),
              variable("MPI_LOCALRANKID"), variable("OMPI_COMM_WORLD_LOCAL_SIZE"), pus_of_node());
  std::fflush(stdout);
  MPI_Comm_free(&node);
}

#ifdef OPEN_MPI
// Numbers of ranks that share each level of the node, as Open MPI sees it.
void say_levels(int rank) {
  std::printf("rank %d levels:", rank);
  const int types[] = {OMPI_COMM_TYPE_NUMA, OMPI_COMM_TYPE_SOCKET, OMPI_COMM_TYPE_L2CACHE, OMPI_COMM_TYPE_CORE};
  for (const int type : types) {
    MPI_Comm level;
    int size = 0;
    MPI_Comm_split_type(MPI_COMM_WORLD, type, 0, MPI_INFO_NULL, &level);
    MPI_Comm_size(level, &size);
    std::printf(" %d", size);
    MPI_Comm_free(&level);
  }
  std::printf("\n");
  std::fflush(stdout);
}
#else
void say_levels(int) {}
#endif

}  // namespace

int main(int argc, char** argv) {
  const std::string end = argc > 1 ? argv[1] : "";
  if (end == "absent" && std::string(variable("PMI_RANK")) == "2") return 0;
  if (end == "early") return std::string(variable("PMI_RANK")) == "1" ? 9 : (::sleep(60), 0);
  MPI_Init(&argc, &argv);
  int rank = -1, size = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (end.empty()) say(rank, size);
  if (end == "levels") say_levels(rank);
  if (end == "hang") ::sleep(1000);
  // The others are past MPI_Init, and so report nothing, when rank 1 ends.
  if (end != "init") MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) {
    if (end == "abort") MPI_Abort(MPI_COMM_WORLD, 7);
    if (end == "crash") ::raise(SIGSEGV);
    if (end == "kill") ::raise(SIGKILL);
    if (end == "bus") ::raise(SIGBUS);
    if (end == "exit") ::_exit(5);
    if (end == "leave") ::_exit(0);
  }
  // The others wait for rank 1.
  if (end != "init") MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
