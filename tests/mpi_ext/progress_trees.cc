// SPDX-License-Identifier: LGPL-2.1-only
#include "tests/mpi_ext/progress_trees.h"

#include <array>
#include <atomic>
#include <cstdio>
#include <set>

#include "mpi_ext/mpix.h"
#include "mpi_ext/nbc/level_tree.h"
#include "tests/mpi_ext/communicators.h"

namespace strata::mpix::testing {
namespace {

// Number of MPI_Isend's messages by sender and receiver, ranks of MPI_COMM_WORLD. Under SMPI all ranks share it.
constexpr int kMostRanks = 128;
std::array<std::array<std::atomic<long>, kMostRanks>, kMostRanks> g_sent;

// Messages of the calling rank and its thread. Under SMPI the thread of rank r is rank r + size of the application.
long sent_between_nodes(MPI_Comm application, const std::vector<int>& node_of_rank) {
  const int size = size_of(application);
  long sent = 0;
  for (int from = rank_in(application); from < size_of(MPI_COMM_WORLD); from += size) {
    for (int to = 0; to < size_of(MPI_COMM_WORLD); ++to) {
      if (node_of_rank[from % size] != node_of_rank[to % size]) sent += g_sent.at(from).at(to);
    }
  }
  return sent;
}

// Starts a collective with one int per rank.
int start_small(const std::string& name, std::vector<int>& send, std::vector<int>& receive, int root, MPI_Comm comm,
                MPIX_Request* request) {
  int *from = send.data(), *to = receive.data();
  if (name == "ibcast") return MPIX_Ibcast(from, 1, MPI_INT, root, comm, request);
  if (name == "ireduce") return MPIX_Ireduce(from, to, 1, MPI_INT, MPI_SUM, root, comm, request);
  if (name == "iallreduce") return MPIX_Iallreduce(from, to, 1, MPI_INT, MPI_SUM, comm, request);
  if (name == "iscatter") return MPIX_Iscatter(from, 1, MPI_INT, to, 1, MPI_INT, root, comm, request);
  if (name == "igather") return MPIX_Igather(from, 1, MPI_INT, to, 1, MPI_INT, root, comm, request);
  return name == "ibarrier" ? MPIX_Ibarrier(comm, request) : MPI_ERR_OTHER;
}

// Runs a collective, and returns its number of steps.
int run_small(Checks& t, const std::string& name, int root, MPI_Comm comm) {
  std::vector<int> send(size_of(comm)), receive(size_of(comm));
  MPIX_Request request = MPIX_REQUEST_NULL;
  int steps = -1;
  CHECK_EQ(MPI_SUCCESS, start_small(name, send, receive, root, comm, &request));
  CHECK_EQ(MPI_SUCCESS, MPIX_Request_get_steps(request, &steps));
  CHECK_EQ(MPI_SUCCESS, MPIX_Wait(&request));
  return steps;
}

// The number of edges of the flat tree that are between nodes.
int edges_between(const std::vector<int>& node_of_rank, int root, int arity) {
  const int size = static_cast<int>(node_of_rank.size());
  int edges = 0;
  for (int rank = 0; rank < size; ++rank) {
    for (const auto& child : level_tree(rank, size, root, arity).children) {
      edges += node_of_rank[rank] != node_of_rank[child.rank] ? 1 : 0;
    }
  }
  return edges;
}

void count_messages(Checks& t, MPI_Comm application, const std::vector<int>& node_of_rank, int root, int edges) {
  const auto sent_by = [&](const char* name) {
    const long before = sent_between_nodes(application, node_of_rank);
    run_small(t, name, root, application);
    long mine = sent_between_nodes(application, node_of_rank) - before, all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_LONG, MPI_SUM, application);
    return all;
  };
  for (const char* one_way : {"ibcast", "ireduce"}) CHECK_EQ(edges, sent_by(one_way));
  if (root > 0) return;
  for (const char* both_ways : {"iallreduce", "ibarrier"}) CHECK_EQ(2 * edges, sent_by(both_ways));
}

}  // namespace

void set_progress(Checks& t, MPI_Comm comm, const char* key, const char* value) {
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, key, value);
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_set_progress(comm, info));
  MPI_Info_free(&info);
}

void choose_steps(Checks& t, MPI_Comm application, const std::string& what) {
  std::array<char, 16> name{}, tree{};
  int expected = -1;
  CHECK_EQ(3, std::sscanf(what.c_str(), "%15[^,],%15[^,],%d", name.data(), tree.data(), &expected));
  set_progress(t, application, "mpix_steps", "auto");
  set_progress(t, application, "mpix_tree", tree.data());
  CHECK_EQ(what, std::string(name.data()) + "," + tree.data() + "," +
                     std::to_string(run_small(t, name.data(), 0, application)));
}

void count_messages_between_nodes(Checks& t, MPI_Comm application, const std::vector<int>& node_of_rank) {
  const int other_nodes = static_cast<int>(std::set<int>(node_of_rank.begin(), node_of_rank.end()).size()) - 1;
  set_progress(t, application, "mpix_check", "false");
  for (const int arity : {2, 3}) {
    set_progress(t, application, "mpix_arity", std::to_string(arity).c_str());
    for (const char* steps : {"0", "all"}) {
      set_progress(t, application, "mpix_steps", steps);
      for (int root = 0; root < size_of(application); ++root) {
        set_progress(t, application, "mpix_tree", "flat");
        count_messages(t, application, node_of_rank, root, edges_between(node_of_rank, root, arity));
        set_progress(t, application, "mpix_tree", "nodes");
        count_messages(t, application, node_of_rank, root, other_nodes);
      }
    }
  }
}

}  // namespace strata::mpix::testing

extern "C" int MPI_Isend(const void* buffer, int count, MPI_Datatype datatype, int destination, int tag, MPI_Comm comm,
                         MPI_Request* request) {
  using namespace strata::mpix::testing;  // NOLINT: the test itself
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  ++g_sent.at(rank).at(members_of(comm).at(destination));
  return PMPI_Isend(buffer, count, datatype, destination, tag, comm, request);
}
