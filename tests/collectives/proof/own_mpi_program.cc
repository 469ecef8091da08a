// SPDX-License-Identifier: LGPL-2.1-only
// Calls one of Strata's own collectives of doubles with each of several counts, from each of several roots, and, where
// it may be, in place:
//
//   own hierarchical bcast binomial:0,linear:0 1,100 0,3    on each level a binomial tree, without segments; linear
//   own split reduce nodes:3 1,100 0                        the tree over nodes, with m = 3
//
// Each rank sends itself a message before and after the calls of each variant. The call before the first one makes the
// communicators.
#include <mpi.h>

#include <cstdio>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "mpi_ext/mpix.h"

namespace {

int ranks, rank;
MPIX_Hierarchy hierarchy;

std::vector<int> numbers(const char* text) {
  std::vector<int> result;
  std::istringstream in(text);
  for (std::string word; std::getline(in, word, ',');) result.push_back(std::stoi(word));
  return result;
}

struct Call {
  int count, root;
  bool in_place;
  std::vector<double> input = std::vector<double>(static_cast<std::size_t>(ranks) * count, 1);
  std::vector<double> output = std::vector<double>(static_cast<std::size_t>(ranks) * count, 1);

  const void* in() const { return in_place ? MPI_IN_PLACE : input.data(); }
  const void* in_at_root() const { return in_place && rank == root ? MPI_IN_PLACE : input.data(); }
  double* out() { return output.data(); }
  void* out_at_root() { return in_place && rank == root ? MPI_IN_PLACE : output.data(); }
};

const std::map<std::string, int> kAlgorithms = {{"linear", MPIX_ALGORITHM_LINEAR},
                                                {"chain", MPIX_ALGORITHM_CHAIN},
                                                {"pipeline", MPIX_ALGORITHM_PIPELINE},
                                                {"split_binary", MPIX_ALGORITHM_SPLIT_BINARY},
                                                {"binary", MPIX_ALGORITHM_BINARY},
                                                {"binomial", MPIX_ALGORITHM_BINOMIAL},
                                                {"in_order_binary", MPIX_ALGORITHM_IN_ORDER_BINARY}};

void hierarchical(const std::string& operation, int algorithm, int segment, Call& c) {
  const MPI_Datatype type = MPI_DOUBLE;
  if (operation == "bcast") MPIX_Hierarchy_bcast(c.out(), c.count, type, c.root, hierarchy, algorithm, segment);
  if (operation == "reduce") {
    MPIX_Hierarchy_reduce(c.in_at_root(), c.out(), c.count, type, MPI_SUM, c.root, hierarchy, algorithm, segment);
  }
  if (operation == "allreduce") {
    MPIX_Hierarchy_allreduce(c.in(), c.out(), c.count, type, MPI_SUM, hierarchy, algorithm, segment);
  }
  if (operation == "gather") {
    MPIX_Hierarchy_gather(c.in_at_root(), c.count, type, c.out(), c.count, type, c.root, hierarchy, algorithm);
  }
  if (operation == "scatter") {
    MPIX_Hierarchy_scatter(c.input.data(), c.count, type, c.out_at_root(), c.count, type, c.root, hierarchy, algorithm);
  }
  if (operation == "allgather") {
    MPIX_Hierarchy_allgather(c.in(), c.count, type, c.out(), c.count, type, hierarchy, algorithm);
  }
  if (operation == "barrier") MPIX_Hierarchy_barrier(hierarchy, algorithm);
}

void split(const std::string& operation, Call& c) {
  const MPI_Datatype type = MPI_DOUBLE;
  const MPI_Comm comm = MPI_COMM_WORLD;
  MPIX_Request request = MPIX_REQUEST_NULL;
  if (operation == "bcast") MPIX_Ibcast(c.out(), c.count, type, c.root, comm, &request);
  if (operation == "reduce") {
    MPIX_Ireduce(c.in_at_root(), c.out(), c.count, type, MPI_SUM, c.root, comm, &request);
  }
  if (operation == "allreduce") MPIX_Iallreduce(c.in(), c.out(), c.count, type, MPI_SUM, comm, &request);
  if (operation == "gather") {
    MPIX_Igather(c.in_at_root(), c.count, type, c.out(), c.count, type, c.root, comm, &request);
  }
  if (operation == "scatter") {
    MPIX_Iscatter(c.input.data(), c.count, type, c.out_at_root(), c.count, type, c.root, comm, &request);
  }
  if (operation == "barrier") MPIX_Ibarrier(comm, &request);
  MPIX_Wait(&request);
}

// SMPI copies what MPI_Sendrecv sends to the same rank, without a message.
void mark() {
  char sent = 0, got = 0;
  MPI_Request requests[2];
  MPI_Irecv(&got, 1, MPI_CHAR, rank, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(&sent, 1, MPI_CHAR, rank, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

void shape_tree(const std::string& tree, const std::string& arity) {
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "mpix_arity", arity.c_str());
  MPI_Info_set(info, "mpix_tree", tree.c_str());
  MPI_Info_set(info, "mpix_check", "false");
  MPIX_Comm_set_progress(MPI_COMM_WORLD, info);
  MPI_Info_free(&info);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc != 6) {
    std::fprintf(stderr, "usage: own hierarchical|split OPERATION ALGORITHM:SEGMENT|TREE:M,... COUNTS ROOTS\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  const std::string operation = argv[2];
  const bool is_split = std::string(argv[1]) == "split";
  const bool may_be_in_place = operation != "bcast" && operation != "barrier";
  if (!is_split) MPIX_Hierarchy_create(MPI_COMM_WORLD, MPI_INFO_NULL, &hierarchy);
  std::istringstream variants(argv[3]);
  for (std::string variant; std::getline(variants, variant, ',');) {
    const std::string algorithm = variant.substr(0, variant.find(':')), number = variant.substr(variant.find(':') + 1);
    const auto call = [&](Call& c) {
      if (is_split) return split(operation, c);
      hierarchical(operation, kAlgorithms.at(algorithm), std::stoi(number), c);
    };
    if (is_split) shape_tree(algorithm, number);
    Call first{1, ranks - 1, false};
    call(first);
    MPI_Barrier(MPI_COMM_WORLD);
    mark();
    for (const int count : numbers(argv[4])) {
      for (const int root : numbers(argv[5])) {
        for (const bool in_place : {false, true}) {
          if (in_place && !may_be_in_place) continue;
          Call next{count, root, in_place};
          call(next);
        }
      }
    }
    mark();
  }
  if (!is_split) MPIX_Hierarchy_free(&hierarchy);
  MPI_Finalize();
  return 0;
}
