// SPDX-License-Identifier: LGPL-2.1-only
#include "tests/mpi_ext/supply/graphs.h"

#include <mpi.h>

#include <algorithm>
#include <vector>

#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"

namespace strata::mpix::testing {

Edges uneven_graph(int size) {
  Edges edges;
  for (int r = 0; r < size && (size > 2 || kKeepsOrder); ++r) {
    edges.push_back({r, (r + 1) % size, 10 + r});
    edges.push_back({r, (r + size - 1) % size, 20 + r});
  }
  if (!kKeepsOrder) {
    for (int r = 2; r < size - 1; ++r) edges.push_back({0, r, 2});
    return edges;
  }
  edges.push_back({0, 0, 1});
  for (int r = 1; r < size; ++r) edges.push_back({0, r, 2});
  if (size > 1) edges.push_back({0, 1, 3});
  return edges;
}

Lists lists_of(const Edges& edges, int vertex) {
  Lists l;
  for (const Edge& e : edges) {
    if (e.to == vertex) {
      l.sources.push_back(e.from);
      l.source_weights.push_back(e.weight);
    }
    if (e.from == vertex) {
      l.destinations.push_back(e.to);
      l.destination_weights.push_back(e.weight);
    }
  }
  return l;
}

MPI_Comm adjacent(Checks& t, MPI_Comm comm, const Edges& edges, bool weighted, int reorder) {
  const Lists l = lists_of(edges, rank_in(comm));
  const auto weights = [weighted](const std::vector<int>& w) {
    return !weighted ? MPI_UNWEIGHTED : w.empty() ? MPI_WEIGHTS_EMPTY : w.data();
  };
  MPI_Comm made = MPI_COMM_NULL;
  CHECK_EQ(MPI_SUCCESS, MPI_Dist_graph_create_adjacent(comm, static_cast<int>(l.sources.size()), l.sources.data(),
                                                       weights(l.source_weights),
                                                       static_cast<int>(l.destinations.size()), l.destinations.data(),
                                                       weights(l.destination_weights), MPI_INFO_NULL, reorder, &made));
  return made;
}

Lists lists_from_mpi(Checks& t, MPI_Comm graph, bool weighted) {
  int in = -1, out = -1, flag = -1;
  CHECK_EQ(MPI_SUCCESS, MPI_Dist_graph_neighbors_count(graph, &in, &out, &flag));
  CHECK_EQ(weighted, flag != 0);
  Lists l;
  l.sources.resize(in);
  l.source_weights.resize(in);
  l.destinations.resize(out);
  l.destination_weights.resize(out);
  CHECK_EQ(MPI_SUCCESS, MPI_Dist_graph_neighbors(
                            graph, in, l.sources.data(), weighted ? l.source_weights.data() : MPI_UNWEIGHTED, out,
                            l.destinations.data(), weighted ? l.destination_weights.data() : MPI_UNWEIGHTED));
  return l;
}

void check_kind(Checks& t, int expected, MPI_Comm comm) {
  int kind = -1;
  CHECK_EQ(MPI_SUCCESS, MPI_Topo_test(comm, &kind));
  CHECK_EQ(expected, kind);
}

int complete(Way way, MPI_Request* request) {
  if (way == Way::kWait) return MPI_Wait(request, MPI_STATUS_IGNORE);
  if (way == Way::kWaitall) return MPI_Waitall(1, request, MPI_STATUSES_IGNORE);
  int done = 0;
  while (done == 0) {
    if (const int error = MPI_Test(request, &done, MPI_STATUS_IGNORE)) return error;
  }
  return MPI_SUCCESS;
}

void check_exchanges(Checks& t, MPI_Comm comm, const std::vector<int>& in, const std::vector<int>& out,
                     const std::vector<int>& block_of_source) {
  const int me = rank_in(comm), ins = static_cast<int>(in.size()), outs = static_cast<int>(out.size());
  constexpr int kNobody = -7;
  const auto value = [](int rank, int block) { return 1000 * rank + block; };
  std::vector<int> blocks(outs + 1), gathered_expected(ins, kNobody), all_expected(ins, kNobody);
  for (int k = 0; k < outs; ++k) blocks[k] = value(me, k);
  for (int k = 0; k < ins; ++k) {
    if (in[k] == MPI_PROC_NULL) continue;
    gathered_expected[k] = 3 * in[k];
    all_expected[k] = value(in[k], block_of_source[k]);
  }
  const int mine = 3 * me;
  const std::vector<int> ones(std::max(ins, outs) + 1, 1);
  // The receive buffer in reverse order, in collectives with displacements.
  std::vector<int> at(outs + 1), from_end(ins + 1);
  std::vector<MPI_Aint> at_bytes(outs + 1), from_end_bytes(ins + 1);
  for (int k = 0; k < outs; ++k) at_bytes[k] = static_cast<MPI_Aint>(sizeof(int)) * (at[k] = k);
  for (int k = 0; k < ins; ++k) from_end_bytes[k] = static_cast<MPI_Aint>(sizeof(int)) * (from_end[k] = ins - 1 - k);
  const std::vector<MPI_Datatype> types(std::max(ins, outs) + 1, MPI_INT);
  const auto backwards = [](std::vector<int> list) {
    std::reverse(list.begin(), list.end());
    return list;
  };
  for (Way way : kWays) {
    std::vector<int> got(ins + 1);
    const auto with = [&](auto&& blocking, auto&& nonblocking, const std::vector<int>& expected) {
      std::fill(got.begin(), got.end(), kNobody);
      MPI_Request request = MPI_REQUEST_NULL;
      if (way == Way::kBlocking) {
        CHECK_EQ(MPI_SUCCESS, blocking());
      } else {
        CHECK_EQ(MPI_SUCCESS, nonblocking(&request));
        CHECK_EQ(MPI_SUCCESS, complete(way, &request));
        CHECK_TRUE(request == MPI_REQUEST_NULL);
      }
      CHECK_EQ(expected, std::vector<int>(got.begin(), got.begin() + ins));
    };
    with([&] { return MPI_Neighbor_allgather(&mine, 1, MPI_INT, got.data(), 1, MPI_INT, comm); },
         [&](MPI_Request* r) { return MPI_Ineighbor_allgather(&mine, 1, MPI_INT, got.data(), 1, MPI_INT, comm, r); },
         gathered_expected);
    with(
        [&] {
          return MPI_Neighbor_allgatherv(&mine, 1, MPI_INT, got.data(), ones.data(), from_end.data(), MPI_INT, comm);
        },
        [&](MPI_Request* r) {
          return MPI_Ineighbor_allgatherv(&mine, 1, MPI_INT, got.data(), ones.data(), from_end.data(), MPI_INT, comm,
                                          r);
        },
        backwards(gathered_expected));
    with([&] { return MPI_Neighbor_alltoall(blocks.data(), 1, MPI_INT, got.data(), 1, MPI_INT, comm); },
         [&](MPI_Request* r) {
           return MPI_Ineighbor_alltoall(blocks.data(), 1, MPI_INT, got.data(), 1, MPI_INT, comm, r);
         },
         all_expected);
    with(
        [&] {
          return MPI_Neighbor_alltoallv(blocks.data(), ones.data(), at.data(), MPI_INT, got.data(), ones.data(),
                                        from_end.data(), MPI_INT, comm);
        },
        [&](MPI_Request* r) {
          return MPI_Ineighbor_alltoallv(blocks.data(), ones.data(), at.data(), MPI_INT, got.data(), ones.data(),
                                         from_end.data(), MPI_INT, comm, r);
        },
        backwards(all_expected));
    with(
        [&] {
          return MPI_Neighbor_alltoallw(blocks.data(), ones.data(), at_bytes.data(), types.data(), got.data(),
                                        ones.data(), from_end_bytes.data(), types.data(), comm);
        },
        [&](MPI_Request* r) {
          return MPI_Ineighbor_alltoallw(blocks.data(), ones.data(), at_bytes.data(), types.data(), got.data(),
                                         ones.data(), from_end_bytes.data(), types.data(), comm, r);
        },
        backwards(all_expected));
  }
}

}  // namespace strata::mpix::testing
