// SPDX-License-Identifier: LGPL-2.1-only
// Each collective by itself, with every shape of the tree; and with MPI's own datatypes and operations, compared with
// MPI's own blocking functions.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "mpi_ext/mpix.h"
#include "mpi_ext/nbc/level_tree.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/guarded_buffers.h"
#include "tests/mpi_ext/nonblocking/started.h"
#include "tests/mpi_ext/nonblocking/study.h"
#include "tests/mpi_ext/nonblocking/tests.h"
#include "tests/mpi_ext/users_message.h"

namespace strata::mpix::testing {
namespace {

// Every number of split steps of the binomial tree; the smallest and the largest number of other trees. A tree over
// nodes is at least as high as the flat one.
std::vector<Shape> shapes_for(int size) {
  std::vector<Shape> all = {{"auto"}, {"auto", 4, "nodes"}};
  for (int steps = 0; steps <= tree_height(size, 2); ++steps) all.push_back({std::to_string(steps)});
  for (const int arity : {3, 5}) {
    const int height = tree_height(size, arity);
    all.push_back({"0", arity});
    if (height > 0) all.push_back({std::to_string(height), arity});
  }
  for (int steps = 0; steps <= tree_height(size, 2); ++steps) all.push_back({std::to_string(steps), 2, "nodes"});
  for (size_t i = 0; i < all.size(); i += 2) all[i].checked = false;
  return all;
}

std::vector<int> roots_for(const Study& study, int size) {
  if (study.brief && size > 17) return size % 2 == 0 ? std::vector{size - 1, size / 2} : std::vector{1, 0};
  std::vector<int> all(size);
  std::iota(all.rbegin(), all.rend(), 0);
  return all;
}

std::vector<int> counts(const Study& study) {
  return study.brief ? std::vector{7, kLong} : std::vector{0, 1, 7, kLong};
}

// Both of two variants; in a brief study alternately one of them.
template <class T>
std::vector<T> both_or_one(const Study& study, T first, T second, int turn) {
  return study.brief ? std::vector{turn % 2 == 0 ? first : second} : std::vector{first, second};
}

// Layouts other than kPair; collectives_mpi_program.cc says why SMPI gets only one.
std::vector<Layout> layouts(const Study& study) {
  return study.real ? std::vector{kGaps, kSwapped, kNegative, kBackwards} : std::vector{kGaps};
}

std::vector<Exchange> exchanges(const Study& study) {
  std::vector<Exchange> all = {{{kPair, 4}, {kGaps, 4}}, {{kPair, kLong}, {kPair, kLong}}};
  if (study.brief) return all;
  all.insert(all.end(), {{{kPair, 1}, {kPair, 1}}, {{kPair, 0}, {kPair, 0}}, {{kGaps, 2}, {kPair, 2}}});
  if (study.real) {
    all.insert(all.end(),
               {{{kSwapped, 3}, {kNegative, 3}}, {{kBackwards, 5}, {kSwapped, 5}}, {{kNegative, 2}, {kBackwards, 2}}});
  }
  return all;
}

void test_rooted(Checks& t, const Study& study, const Operations& operations, MPI_Comm comm, int root) {
  int salt = root;
  const auto places = [&] { return both_or_one(study, Place::kSeparate, Place::kInPlace, ++salt); };
  for (const int count : counts(study)) finish(t, start_bcast(t, comm, kPair, count, root, ++salt));
  for (const Layout& layout : layouts(study)) finish(t, start_bcast(t, comm, layout, 3, root, ++salt));
  for (const Operation* operation : operations.all()) {
    const auto reduce = [&](const Layout& layout, int count) {
      for (const Place place : places()) {
        finish(t, start_reduction(t, comm, Reduction::kReduce, layout, *operation, count, root, place, salt));
      }
    };
    for (const int count : counts(study)) reduce(kPair, count);
    for (const Layout& layout : layouts(study)) reduce(layout, 3);
  }
  for (const Exchange& e : exchanges(study)) {
    for (const Place place : places()) finish(t, start_gather(t, comm, e, root, place, salt));
    for (const Place place : places()) finish(t, start_scatter(t, comm, e, root, place, salt));
  }
}

void test_rootless(Checks& t, const Study& study, const Operations& operations, MPI_Comm comm) {
  int salt = size_of(comm);
  for (const Reduction kind : {Reduction::kAllreduce, Reduction::kScan}) {
    for (const Operation* operation : operations.all()) {
      for (const Place place : both_or_one(study, Place::kSeparate, Place::kInPlace, ++salt)) {
        const auto reduce = [&](const Layout& layout, int count) {
          finish(t, start_reduction(t, comm, kind, layout, *operation, count, 0, place, ++salt));
        };
        for (const int count : counts(study)) reduce(kPair, count);
        for (const Layout& layout : layouts(study)) reduce(layout, 3);
      }
    }
  }
  finish(t, start_barrier(t, comm));
}

// MPI's own datatypes and operations, compared with MPI's own functions; all collectives are under way at once.
void test_against_mpi(Checks& t, MPI_Comm comm, int root) {
  constexpr int kCount = 11;
  const int rank = rank_in(comm), size = size_of(comm);
  std::vector<double> send(kCount);
  for (int i = 0; i < kCount; ++i) send[i] = (rank * 31 + i * 17) % 101;  // sums are exact
  std::vector<int> blocks(3 * size);
  std::iota(blocks.begin(), blocks.end(), 1000 * rank);
  struct Results {
    std::vector<double> bcast, reduced = std::vector<double>(kCount, -1), largest = reduced, prefix = reduced;
    std::vector<int> gathered, part = std::vector<int>(3, -1);
  };
  Results mine, theirs;
  std::array<MPIX_Request, 6> requests;
  for (Results* r : {&mine, &theirs}) {
    r->bcast = send;
    r->gathered.assign(3 * size, -1);
  }
  const MPI_Datatype real = MPI_DOUBLE, whole = MPI_INT;
  CHECK_EQ(MPI_SUCCESS, MPIX_Ibcast(mine.bcast.data(), kCount, real, root, comm, &requests[0]));
  CHECK_EQ(MPI_SUCCESS,
           MPIX_Ireduce(send.data(), mine.reduced.data(), kCount, real, MPI_SUM, root, comm, &requests[1]));
  CHECK_EQ(MPI_SUCCESS, MPIX_Iallreduce(send.data(), mine.largest.data(), kCount, real, MPI_MAX, comm, &requests[2]));
  CHECK_EQ(MPI_SUCCESS, MPIX_Iscan(send.data(), mine.prefix.data(), kCount, real, MPI_SUM, comm, &requests[3]));
  CHECK_EQ(MPI_SUCCESS,
           MPIX_Igather(blocks.data(), 3, whole, mine.gathered.data(), 3, whole, root, comm, &requests[4]));
  CHECK_EQ(MPI_SUCCESS, MPIX_Iscatter(blocks.data(), 3, whole, mine.part.data(), 3, whole, root, comm, &requests[5]));
  CHECK_EQ(MPI_SUCCESS, MPIX_Waitall(static_cast<int>(requests.size()), requests.data()));
  CHECK_EQ(6, std::count(requests.begin(), requests.end(), MPIX_REQUEST_NULL));
  MPI_Bcast(theirs.bcast.data(), kCount, real, root, comm);
  MPI_Reduce(send.data(), theirs.reduced.data(), kCount, real, MPI_SUM, root, comm);
  MPI_Allreduce(send.data(), theirs.largest.data(), kCount, real, MPI_MAX, comm);
  MPI_Scan(send.data(), theirs.prefix.data(), kCount, real, MPI_SUM, comm);
  MPI_Gather(blocks.data(), 3, whole, theirs.gathered.data(), 3, whole, root, comm);
  MPI_Scatter(blocks.data(), 3, whole, theirs.part.data(), 3, whole, root, comm);
  CHECK_EQ(theirs.bcast, mine.bcast);
  CHECK_EQ(theirs.reduced, mine.reduced);
  CHECK_EQ(theirs.largest, mine.largest);
  CHECK_EQ(theirs.prefix, mine.prefix);
  CHECK_EQ(theirs.gathered, mine.gathered);
  CHECK_EQ(theirs.part, mine.part);
}

}  // namespace

void test_one_after_another(Checks& t, const Study& study, MPI_Comm comm) {
  const Operations operations;
  const int size = size_of(comm);
  std::vector<Shape> shapes = shapes_for(size);
  const std::vector<int> roots = roots_for(study, size);
  UsersMessage message(comm, size % 2 == 0 ? UsersMessage::First::kReceive : UsersMessage::First::kSend);
  // The first shape depends on the size too.
  if (study.brief) std::rotate(shapes.begin(), shapes.begin() + size % shapes.size(), shapes.end());
  const size_t runs = study.brief ? roots.size() : shapes.size();
  for (size_t i = 0; i < runs; ++i) {
    set_shape(t, comm, shapes[i % shapes.size()]);
    for (const int root : study.brief ? std::vector{roots[i]} : roots) test_rooted(t, study, operations, comm, root);
    if (i == 0 || !study.brief) test_rootless(t, study, operations, comm);
  }
  test_against_mpi(t, comm, size - 1);
  message.arrives(t);
}

}  // namespace strata::mpix::testing
