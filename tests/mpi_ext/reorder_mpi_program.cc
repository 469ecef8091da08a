// SPDX-License-Identifier: LGPL-2.1-only
// Tests of reordered communicators in an MPI program, which runs under SMPI, Open MPI and MPICH. The permutation must
// be the pure core's for the placement file, and data must move as the permutation says.
//
//   (none)        everything
//   strangers     each rank knows only its own node: 0 and 1 are on one node, 2 and 3 on another
//   unplaced      the place of a rank is unknown
//   environment   MPIX_REORDER_ALGORITHM names no algorithm
//   named         it names "identity"
//   cycles=N      only creates and frees, N times
//   large         a ring that is distributed over the machine, given by rows
#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "mpi_ext/mpix.h"
#include "mpi_ext/reorder/mapping.h"
#include "mpi_ext/reorder/place_tree.h"
#include "records/exchange/placement_file.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/users_message.h"

namespace {

using namespace strata::mpix;           // NOLINT: the library under test
using namespace strata::mpix::testing;  // NOLINT: its checks

using Matrix = std::vector<unsigned long>;

// A third of all pairs, with different sizes; the same matrix on all ranks. Bytes from a rank to itself do not count.
Matrix random_matrix(int size, unsigned seed) {
  std::mt19937 random(seed);
  Matrix matrix(static_cast<size_t>(size) * size, 0);
  for (unsigned long& bytes : matrix) {
    if (random() % 3 == 0) bytes = 1ul << random() % 40;
  }
  return matrix;
}

strata::Pattern pattern_of(const Matrix& matrix, int size) {
  std::vector<strata::Flow> flows;
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < size; ++j)
      flows.push_back({i, j, static_cast<double>(matrix[static_cast<size_t>(i) * size + j])});
  }
  return strata::Pattern(size, flows);
}

// The places of the ranks of a communicator, from the placement file.
PlaceTree tree_in_file(MPI_Comm comm) {
  const strata::PlacementFile file = strata::read_placement_file(std::getenv("STRATA_PLACEMENT"));
  std::vector<int> vertices;
  for (int r : members_of(comm)) vertices.push_back(file.vertex[r]);
  return place_tree(*file.topology, vertices);
}

// A rank's row. Entries are divided into halves if possible, because a peer may be named twice.
struct Row {
  std::vector<int> peers;
  std::vector<unsigned long> bytes;
};

Row row_of(const Matrix& matrix, int rank, int size) {
  Row row;
  for (int j = 0; j < size; ++j) {
    const unsigned long bytes = matrix[static_cast<size_t>(rank) * size + j];
    for (unsigned long part : {bytes / 2, bytes - bytes / 2}) {
      if (part == 0) continue;
      row.peers.push_back(j);
      row.bytes.push_back(part);
    }
  }
  return row;
}

MPI_Info info_with(const std::vector<std::pair<std::string, std::string>>& entries) {
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  for (const auto& [key, value] : entries) {
    MPI_Info_set(info, const_cast<char*>(key.c_str()), const_cast<char*>(value.c_str()));
  }
  return info;
}

std::vector<int> reordering(Checks& t, MPI_Comm comm) {
  std::vector<int> k(size_of(comm), -1);
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_get_reordering(comm, k.data()));
  return k;
}

// Requirements for every reordered communicator: it is `comm` in the order k, and data follows.
void test_follows(Checks& t, MPI_Comm comm, MPI_Comm newcomm, const std::vector<int>& k) {
  const int size = size_of(comm), before = rank_in(comm), now = rank_in(newcomm);
  CHECK_EQ(size, size_of(newcomm));
  CHECK_EQ(k[before], now);
  const Ranks old_members = members_of(comm), members = members_of(newcomm);
  for (int r = 0; r < size; ++r) CHECK_EQ(old_members[r], members[k[r]]);

  // Rank i gets the data of the old rank i: contiguous elements, strided elements, and no elements.
  UsersMessage message(newcomm, now % 2 == 0 ? UsersMessage::First::kReceive : UsersMessage::First::kSend);
  const int had[3] = {before, 1000 + before, -7};
  int has[3] = {-1, -1, -1};
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_redistribute(had, has, 2, MPI_INT, newcomm));
  CHECK_EQ(now, has[0]);
  CHECK_EQ(1000 + now, has[1]);
  CHECK_EQ(-1, has[2]);
  MPI_Datatype every_second = MPI_DATATYPE_NULL;
  MPI_Type_vector(2, 1, 2, MPI_INT, &every_second);
  MPI_Type_commit(&every_second);
  has[0] = has[1] = -1;
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_redistribute(had, has, 1, every_second, newcomm));
  CHECK_EQ(now, has[0]);
  CHECK_EQ(-1, has[1]);
  CHECK_EQ(-7, has[2]);
  MPI_Type_free(&every_second);
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_redistribute(nullptr, nullptr, 0, MPI_INT, newcomm));
  // Larger than any eager message.
  std::vector<int> much(100'000, before), got(much.size(), -1);
  CHECK_EQ(MPI_SUCCESS,
           MPIX_Comm_redistribute(much.data(), got.data(), static_cast<int>(much.size()), MPI_INT, newcomm));
  CHECK_EQ(std::vector<int>(much.size(), now), got);
  message.arrives(t);
}

// With its matrix and with its rows, every algorithm gives the pure core's permutation.
void test_reorder(Checks& t, MPI_Comm comm) {
  const int size = size_of(comm), rank = rank_in(comm);
  const PlaceTree tree = tree_in_file(comm);
  bool others_inverse = size < 3;  // true if a permutation was not its own inverse
  for (unsigned seed = 1; seed <= 3; ++seed) {
    const Matrix matrix = random_matrix(size, seed);
    const strata::Pattern pattern = pattern_of(matrix, size);
    const Row row = row_of(matrix, rank, size);
    MPI_Comm newcomm = MPI_COMM_NULL;
    CHECK_EQ(MPI_SUCCESS, MPIX_Comm_reorder(comm, rank == 0 ? matrix.data() : nullptr, &newcomm));
    const std::vector<int> by_default = map_ranks(pattern, tree, MapMethod::kTreeMatch);
    CHECK_EQ(by_default, reordering(t, newcomm));
    CHECK_TRUE(hop_bytes(pattern, tree, by_default) <=
               hop_bytes(pattern, tree, map_ranks(pattern, tree, MapMethod::kIdentity)));
    test_follows(t, comm, newcomm, by_default);
    MPI_Comm_free(&newcomm);
    for (const char* name : {"treematch", "scotch", "roundrobin", "random", "identity"}) {
      MPI_Info info = info_with({{"mpix_reorder_algorithm", name}, {"mpix_reorder_seed", std::to_string(seed)}});
      CHECK_EQ(MPI_SUCCESS, MPIX_Comm_reorder_rows(comm, static_cast<int>(row.peers.size()), row.peers.data(),
                                                   row.bytes.data(), info, &newcomm));
      MPI_Info_free(&info);
      const std::vector<int> k = map_ranks(pattern, tree, *map_method(name), seed);
      CHECK_EQ(k, reordering(t, newcomm));
      others_inverse = others_inverse || k != inverse(k);
      test_follows(t, comm, newcomm, k);
      MPI_Comm_free(&newcomm);
    }
  }
  CHECK_TRUE(others_inverse);
}

// Without rows, with the ranks of the world reversed, and reordered twice.
void test_more(Checks& t) {
  const int size = size_of(MPI_COMM_WORLD), rank = rank_in(MPI_COMM_WORLD);
  MPI_Comm newcomm = MPI_COMM_NULL, dup = MPI_COMM_NULL, part = MPI_COMM_NULL, again = MPI_COMM_NULL;
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_reorder_rows(MPI_COMM_WORLD, 0, nullptr, nullptr, MPI_INFO_NULL, &newcomm));
  test_follows(t, MPI_COMM_WORLD, newcomm, reordering(t, newcomm));
  MPI_Comm_free(&newcomm);

  MPI_Comm reverse = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, 0, size - rank, &reverse);
  test_reorder(t, reverse);

  // A dup knows the original's permutation, and keeps it; a communicator split from it does not.
  MPI_Info info = info_with({{"mpix_reorder_algorithm", "random"}, {"mpix_reorder_seed", "18446744073709551615"}});
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_reorder_rows(reverse, 0, nullptr, nullptr, info, &newcomm));
  MPI_Comm_dup(newcomm, &dup);
  const std::vector<int> k = reordering(t, newcomm);
  MPI_Comm_split(newcomm, 0, 0, &part);
  // Reordering a reordered communicator starts from its current order.
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_reorder_rows(newcomm, 0, nullptr, nullptr, info, &again));
  test_follows(t, newcomm, again, reordering(t, again));
  MPI_Comm_free(&newcomm);
  CHECK_EQ(k, reordering(t, dup));
  test_follows(t, reverse, dup, k);
  MPI_Info_free(&info);
  CountedErrors errors(t);
  errors.handle(part);
  std::vector<int> none(size);
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Comm_get_reordering(part, none.data()));
  for (MPI_Comm* c : {&dup, &part, &again, &reverse}) MPI_Comm_free(c);
}

// Arguments that are wrong on all processes, or only on the last one: all processes get the error.
void test_errors(Checks& t) {
  CountedErrors errors(t);
  MPI_Comm comm = MPI_COMM_NULL, newcomm = MPI_COMM_WORLD;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  errors.handle(comm);
  errors.handle(MPI_COMM_WORLD);
  const int size = size_of(comm), last = size - 1;
  const unsigned long bytes[2] = {1, 2};
  const int good[2] = {0, 0}, beyond[2] = {0, size}, negative[2] = {-1, 0};
  for (const bool everybody : {true, false}) {
    const bool wrong = everybody || rank_in(comm) == last;
    CHECK_ERROR(MPI_ERR_COUNT, MPIX_Comm_reorder_rows(comm, wrong ? -1 : 2, good, bytes, MPI_INFO_NULL, &newcomm));
    CHECK_TRUE(newcomm == MPI_COMM_NULL);
    CHECK_ERROR(MPI_ERR_RANK, MPIX_Comm_reorder_rows(comm, 2, wrong ? beyond : good, bytes, MPI_INFO_NULL, &newcomm));
    CHECK_ERROR(MPI_ERR_RANK, MPIX_Comm_reorder_rows(comm, 2, wrong ? negative : good, bytes, MPI_INFO_NULL, &newcomm));
    CHECK_ERROR(MPI_ERR_ARG, MPIX_Comm_reorder_rows(comm, 2, wrong ? nullptr : good, bytes, MPI_INFO_NULL, &newcomm));
    CHECK_ERROR(MPI_ERR_ARG, MPIX_Comm_reorder_rows(comm, 2, good, wrong ? nullptr : bytes, MPI_INFO_NULL, &newcomm));
    CHECK_ERROR(MPI_ERR_ARG, MPIX_Comm_reorder_rows(comm, 2, good, bytes, MPI_INFO_NULL, wrong ? nullptr : &newcomm));
    const Matrix matrix = random_matrix(size, 1);
    CHECK_ERROR(MPI_ERR_ARG, MPIX_Comm_reorder(comm, matrix.data(), wrong ? nullptr : &newcomm));
    for (const auto& entry :
         {std::pair("mpix_reorder_algorithm", "tidy"), std::pair("mpix_reorder_seed", "1x"),
          std::pair("mpix_reorder_seed", "-1"), std::pair("mpix_reorder_seed", "18446744073709551616")}) {
      MPI_Info info = info_with({entry});
      CHECK_ERROR(MPI_ERR_INFO, MPIX_Comm_reorder_rows(comm, 2, good, bytes, wrong ? info : MPI_INFO_NULL, &newcomm));
      MPI_Info_free(&info);
    }
  }
  // Arguments that must be the same on all processes.
  if (size > 1) {
    for (const auto& entry : {std::pair("mpix_reorder_algorithm", "random"), std::pair("mpix_reorder_seed", "2")}) {
      MPI_Info info = info_with({entry});
      CHECK_ERROR(MPI_ERR_INFO,
                  MPIX_Comm_reorder_rows(comm, 2, good, bytes, rank_in(comm) == last ? info : MPI_INFO_NULL, &newcomm));
      MPI_Info_free(&info);
    }
  }
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Comm_reorder(comm, nullptr, &newcomm));
  CHECK_ERROR(MPI_ERR_COMM, MPIX_Comm_reorder(MPI_COMM_NULL, nullptr, &newcomm));
  CHECK_ERROR(MPI_ERR_COMM, MPIX_Comm_reorder_rows(MPI_COMM_NULL, 0, nullptr, nullptr, MPI_INFO_NULL, &newcomm));
  CHECK_ERROR(MPI_ERR_COMM, MPIX_Comm_get_reordering(MPI_COMM_NULL, nullptr));
  int in[2] = {0, 0}, out[2] = {0, 0};
  CHECK_ERROR(MPI_ERR_COMM, MPIX_Comm_redistribute(in, out, 1, MPI_INT, MPI_COMM_NULL));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Comm_redistribute(in, out, 1, MPI_INT, comm));
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_reorder_rows(comm, 2, good, bytes, MPI_INFO_NULL, &newcomm));
  // The result has the handler of its original.
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Comm_get_reordering(newcomm, nullptr));
  CHECK_ERROR(MPI_ERR_COUNT, MPIX_Comm_redistribute(in, out, -1, MPI_INT, newcomm));
  CHECK_ERROR(MPI_ERR_TYPE, MPIX_Comm_redistribute(in, out, 1, MPI_DATATYPE_NULL, newcomm));
  CHECK_ERROR(MPI_ERR_BUFFER, MPIX_Comm_redistribute(nullptr, out, 1, MPI_INT, newcomm));
  CHECK_ERROR(MPI_ERR_BUFFER, MPIX_Comm_redistribute(in, in, 1, MPI_INT, newcomm));
  CHECK_ERROR(MPI_ERR_BUFFER, MPIX_Comm_redistribute(MPI_IN_PLACE, out, 1, MPI_INT, newcomm));
  MPI_Comm_free(&newcomm);
  MPI_Comm_free(&comm);
}

// 0 and 2 communicate, and 1 and 3: each pair gets a node.
void test_strangers(Checks& t) {
  const int partner = rank_in(MPI_COMM_WORLD) ^ 2;
  const unsigned long bytes = 1000;
  MPI_Comm newcomm = MPI_COMM_NULL;
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_reorder_rows(MPI_COMM_WORLD, 1, &partner, &bytes, MPI_INFO_NULL, &newcomm));
  const std::vector<int> k = reordering(t, newcomm);
  test_follows(t, MPI_COMM_WORLD, newcomm, k);
  CHECK_EQ(k[0] ^ 2, k[1]);
  CHECK_EQ(k[2] ^ 2, k[3]);
  MPI_Comm_free(&newcomm);
}

// Both functions fail on all ranks.
void test_failing(Checks& t) {
  CountedErrors errors(t);
  MPI_Comm comm = MPI_COMM_NULL, newcomm = MPI_COMM_WORLD;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  errors.handle(comm);
  const Matrix matrix = random_matrix(size_of(comm), 1);
  CHECK_ERROR(MPI_ERR_OTHER, MPIX_Comm_reorder(comm, matrix.data(), &newcomm));
  CHECK_TRUE(newcomm == MPI_COMM_NULL);
  CHECK_ERROR(MPI_ERR_OTHER, MPIX_Comm_reorder_rows(comm, 0, nullptr, nullptr, MPI_INFO_NULL, &newcomm));
  MPI_Comm_free(&comm);
}

void test_named(Checks& t) {
  const int size = size_of(MPI_COMM_WORLD);
  const Matrix matrix = random_matrix(size, 1);
  std::vector<int> identity(size);
  std::iota(identity.begin(), identity.end(), 0);
  MPI_Comm newcomm = MPI_COMM_NULL;
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_reorder(MPI_COMM_WORLD, matrix.data(), &newcomm));
  CHECK_EQ(identity, reordering(t, newcomm));
  MPI_Comm_free(&newcomm);
}

void test_cycles(Checks& t, int cycles) {
  const int partner = size_of(MPI_COMM_WORLD) - 1 - rank_in(MPI_COMM_WORLD);
  const unsigned long bytes = 1;
  for (int i = 0; i < cycles; ++i) {
    MPI_Comm newcomm = MPI_COMM_NULL;
    CHECK_EQ(MPI_SUCCESS, MPIX_Comm_reorder_rows(MPI_COMM_WORLD, 1, &partner, &bytes, MPI_INFO_NULL, &newcomm));
    MPI_Comm_free(&newcomm);
  }
}

// A ring in which neighbours are on different halves of the machine. Only its ends are checked, because all pairs would
// take O(P^2).
void test_large(Checks& t) {
  const int size = size_of(MPI_COMM_WORLD), rank = rank_in(MPI_COMM_WORLD), half = size / 2;
  const auto next = [&](int r) { return r < half ? r + half : (r - half + 1) % half; };
  const int peer = next(rank);
  const unsigned long bytes = 1000;
  MPI_Comm newcomm = MPI_COMM_NULL;
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_reorder_rows(MPI_COMM_WORLD, 1, &peer, &bytes, MPI_INFO_NULL, &newcomm));
  const int now = rank_in(newcomm);
  int has = -1;
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_redistribute(&rank, &has, 1, MPI_INT, newcomm));
  CHECK_EQ(now, has);
  if (rank == 0) {
    const std::vector<int> k = reordering(t, newcomm);
    const PlaceTree tree = tree_in_file(MPI_COMM_WORLD);
    std::vector<strata::Flow> flows;
    for (int r = 0; r < size; ++r) flows.push_back({r, next(r), 1000.});
    const strata::Pattern ring(size, flows);
    std::vector<int> identity(size);
    std::iota(identity.begin(), identity.end(), 0);
    CHECK_EQ(k[0], now);
    CHECK_TRUE(hop_bytes(ring, tree, k) < hop_bytes(ring, tree, identity));
  }
  MPI_Comm_free(&newcomm);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Checks t(rank_in(MPI_COMM_WORLD));
  const std::string word = argc > 1 ? argv[1] : "";
  if (word.empty()) {
    t.run("reorder", [&] { test_reorder(t, MPI_COMM_WORLD); });
    t.run("other settings", [&] { test_more(t); });
    t.run("errors", [&] { test_errors(t); });
  } else if (word == "strangers") {
    t.run("strangers", [&] { test_strangers(t); });
  } else if (word == "unplaced" || word == "environment") {
    t.run("no reordering", [&] { test_failing(t); });
  } else if (word == "named") {
    t.run("named", [&] { test_named(t); });
  } else if (word == "large") {
    t.run("large", [&] { test_large(t); });
  } else {
    t.run("cycles", [&] { test_cycles(t, numbers_in(word).front()); });
  }
  const int status = t.finish();
  MPI_Finalize();
  return status;
}
