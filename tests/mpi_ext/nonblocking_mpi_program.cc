// SPDX-License-Identifier: LGPL-2.1-only
// Tests of the nonblocking collectives in an MPI program, which runs under SMPI, Open MPI and MPICH. Results are
// compared with a slow definition (a fold in the order of the ranks, lists of messages) and with MPI's own blocking
// function.
//
//   placement=P      the placement in the progress threads' info: "none", "bind", ...; default: no info
//   cores=A,B        MPIX_Progress_get must return A communication cores of B
//   sizes=A,B,...    communicators of the first A, B, ... ranks of the application; default: all numbers of ranks
//   brief            a different shape of the tree for each root, and fewer cases; with more than 17 ranks two roots
//   real             features that SMPI lacks: intercommunicators, more datatypes
//   errors           wrong arguments, and requests that are waited for twice
//   mismatch         ranks that start different collectives
//   single           initialises MPI without MPI_THREAD_MULTIPLE
//   refused=CLASS    tests only that progress threads cannot be started, for an "info" or an "other" reason
#include <mpi.h>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "mpi_ext/adapter/charge.h"
#include "mpi_ext/mpix.h"
#include "mpi_ext/nbc/level_tree.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/guarded_buffers.h"
#include "tests/mpi_ext/users_message.h"

namespace {

using namespace strata::mpix::testing;  // NOLINT: checks and payload
using strata::mpix::tree_height;

// The tests of one run of the program.
struct Study {
  bool brief = false, real = false;
  bool threads = true;
  bool errors = false, mismatch = false;
  std::vector<int> sizes = {};  // empty: from 1 to all
  std::vector<int> cores = {};  // communication cores and all cores, if the test knows them
};

// ------------------------------------------------------------------------------------------------------------- shapes

// The steps and the tree of a communicator's collectives.
struct Shape {
  std::string steps = "auto";
  int arity = 2;
  const char* tree = "flat";
  bool checked = true;  // compares what ranks have started: with many ranks more messages than a collective
};

class Info {
 public:
  Info() { MPI_Info_create(&info_); }
  Info(const Info&) = delete;
  Info& operator=(const Info&) = delete;
  ~Info() { MPI_Info_free(&info_); }
  Info& set(const char* key, const std::string& value) {
    MPI_Info_set(info_, key, value.c_str());
    return *this;
  }
  operator MPI_Info() const { return info_; }  // NOLINT: stands for the handle

 private:
  MPI_Info info_ = MPI_INFO_NULL;
};

void set_shape(Checks& t, MPI_Comm comm, const Shape& shape) {
  Info info;
  info.set("mpix_steps", shape.steps).set("mpix_arity", std::to_string(shape.arity)).set("mpix_tree", shape.tree);
  info.set("mpix_check", shape.checked ? "true" : "false");
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_set_progress(comm, info));
}

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

// ---------------------------------------------------------------------------------------------- a started collective

// A started collective, which owns its buffers. `check` compares them with the expected results.
struct Running {
  MPIX_Request request = MPIX_REQUEST_NULL;
  std::function<void()> check;
};

void expect_started(Checks& t, const Running& running, int code) {
  CHECK_EQ(MPI_SUCCESS, code);
  CHECK_TRUE(running.request != MPIX_REQUEST_NULL);
}

void expect_complete(Checks& t, const Running& running) {
  CHECK_TRUE(running.request == MPIX_REQUEST_NULL);
  running.check();
}

void finish(Checks& t, Running running) {
  CHECK_EQ(MPI_SUCCESS, MPIX_Wait(&running.request));
  expect_complete(t, running);
}

enum class Place { kSeparate, kInPlace };

// Frees datatypes while the collective is under way, which MPI allows.
Running start_bcast(Checks& t, MPI_Comm comm, const Layout& layout, int count, int root, int salt) {
  const Type type(layout);
  const auto buffer = std::make_shared<Buffer>(layout, count);
  const std::vector<int> message = contribution_of(root, count, salt);
  if (rank_in(comm) == root) buffer->set(message);
  Running running;
  expect_started(t, running, MPIX_Ibcast(buffer->data(), count, type, root, comm, &running.request));
  running.check = [=, &t] {
    CHECK_EQ(message, buffer->values());
    CHECK_EQ(0, buffer->touched());
  };
  return running;
}

enum class Reduction { kReduce, kAllreduce, kScan };

Running start_reduction(Checks& t, MPI_Comm comm, Reduction kind, const Layout& layout, const Operation& operation,
                        int count, int root, Place place, int salt) {
  const Type type(layout);
  const int rank = rank_in(comm);
  const bool has_result = kind != Reduction::kReduce || rank == root;
  const bool in_place = has_result && place == Place::kInPlace;
  const int last = kind == Reduction::kScan ? rank : size_of(comm) - 1;
  const auto send = std::make_shared<Buffer>(layout, count);
  const auto result = std::make_shared<Buffer>(layout, has_result ? count : 0);
  (in_place ? result : send)->set(contribution_of(rank, count, salt));
  const std::vector<int> kept = send->values();
  const void* from = in_place ? MPI_IN_PLACE : send->data();
  void* to = has_result ? result->data() : nullptr;
  Running running;
  MPIX_Request* request = &running.request;
  expect_started(t, running,
                 kind == Reduction::kReduce ? MPIX_Ireduce(from, to, count, type, operation.op, root, comm, request)
                 : kind == Reduction::kScan ? MPIX_Iscan(from, to, count, type, operation.op, comm, request)
                                            : MPIX_Iallreduce(from, to, count, type, operation.op, comm, request));
  running.check = [=, &t, &operation] {
    if (has_result) CHECK_EQ(fold(operation, last + 1, count, salt), result->values());
    CHECK_EQ(0, result->touched());
    CHECK_EQ(kept, send->values());
    CHECK_EQ(0, send->touched());
  };
  return running;
}

// MPI uses the receive arguments only on the root, and ignores the send arguments there if the call is in place.
Running start_gather(Checks& t, MPI_Comm comm, const Exchange& e, int root, Place place, int salt) {
  const Type sendtype(e.sent.layout), recvtype(e.received.layout);
  const int rank = rank_in(comm), size = size_of(comm), count = e.sent.count;
  const bool is_root = rank == root, in_place = is_root && place == Place::kInPlace;
  const std::vector<int> mine = contribution_of(rank, count, salt);
  const auto send = std::make_shared<Buffer>(e.sent.layout, count);
  const auto all = std::make_shared<Buffer>(e.received.layout, is_root ? size * count : 0);
  send->set(mine);
  if (in_place) all->set(mine, root * count);
  Running running;
  expect_started(
      t, running,
      MPIX_Igather(in_place ? MPI_IN_PLACE : send->data(), in_place ? -1 : count, sendtype,
                   is_root ? all->data() : nullptr, is_root ? count : -1, recvtype, root, comm, &running.request));
  running.check = [=, &t] {
    if (is_root) CHECK_EQ(all_contributions(size, count, salt), all->values());
    CHECK_EQ(0, all->touched());
    CHECK_EQ(mine, send->values());
    CHECK_EQ(0, send->touched());
  };
  return running;
}

Running start_scatter(Checks& t, MPI_Comm comm, const Exchange& e, int root, Place place, int salt) {
  const Type sendtype(e.sent.layout), recvtype(e.received.layout);
  const int rank = rank_in(comm), size = size_of(comm), count = e.sent.count;
  const bool is_root = rank == root, in_place = is_root && place == Place::kInPlace;
  const auto all = std::make_shared<Buffer>(e.sent.layout, is_root ? size * count : 0);
  const auto got = std::make_shared<Buffer>(e.received.layout, count);
  const std::vector<int> blocks = is_root ? all_contributions(size, count, salt) : std::vector<int>();
  if (is_root) all->set(blocks);
  Running running;
  expect_started(t, running,
                 MPIX_Iscatter(is_root ? all->data() : nullptr, is_root ? count : -1, sendtype,
                               in_place ? MPI_IN_PLACE : got->data(), in_place ? -1 : count, recvtype, root, comm,
                               &running.request));
  running.check = [=, &t] {
    CHECK_EQ(in_place ? std::vector<int>(2 * count, kUntouched) : contribution_of(rank, count, salt), got->values());
    CHECK_EQ(0, got->touched());
    if (is_root) CHECK_EQ(blocks, all->values());
    CHECK_EQ(0, all->touched());
  };
  return running;
}

Running start_barrier(Checks& t, MPI_Comm comm) {
  Running running;
  expect_started(t, running, MPIX_Ibarrier(comm, &running.request));
  running.check = [] {};
  return running;
}

// ------------------------------------------------------------------------------------------------- one after another

// Number of pairs that is above the eager limit of the described machines (4 KiB).
constexpr int kLong = 600;

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

// The operations, which must outlive started collectives.
struct Operations {
  Operation affine{compose, compose_all, false}, sum{add, add_all, true};
  std::array<const Operation*, 2> all() const { return {&affine, &sum}; }
};

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

// --------------------------------------------------------------------------------------------------------- in flight

// Two of each collective, with different lengths, on all of the communicators.
std::vector<Running> start_many(Checks& t, const Operations& operations, const std::vector<MPI_Comm>& comms) {
  std::vector<Running> all;
  int salt = 0;
  for (const int count : {5, kLong}) {
    for (const MPI_Comm comm : comms) {
      const int root = ++salt % size_of(comm);
      const Exchange blocks = {{kPair, count}, {kPair, count}};
      const auto reduction = [&](Reduction kind, const Operation& operation, Place place) {
        return start_reduction(t, comm, kind, kPair, operation, count, root, place, salt);
      };
      all.push_back(start_bcast(t, comm, kGaps, count, root, salt));
      all.push_back(reduction(Reduction::kReduce, operations.affine, Place::kSeparate));
      all.push_back(start_scatter(t, comm, blocks, root, Place::kSeparate, salt));
      all.push_back(reduction(Reduction::kAllreduce, operations.sum, Place::kInPlace));
      all.push_back(start_gather(t, comm, blocks, root, Place::kInPlace, salt));
      all.push_back(reduction(Reduction::kScan, operations.affine, Place::kSeparate));
      all.push_back(start_barrier(t, comm));
    }
  }
  return all;
}

// Each rank waits in a different order, alternately with MPIX_Wait and MPIX_Test, and for half of them after a
// computation.
void test_in_flight(Checks& t, const Operations& operations, const std::vector<MPI_Comm>& comms, unsigned seed) {
  std::vector<Running> all = start_many(t, operations, comms);
  std::mt19937 random(seed + rank_in(comms.front()));  // defined by the standard; its distributions are not
  for (size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[random() % i]);
  for (size_t i = 0; i < all.size(); ++i) {
    if (i == all.size() / 2) strata::mpix::charge_seconds(1e-4);
    if (i % 3 != 0) {
      finish(t, std::move(all[i]));
      continue;
    }
    int flag = 0;
    while (flag == 0) {
      const MPIX_Request before = all[i].request;
      if (MPIX_Test(&all[i].request, &flag) != MPI_SUCCESS) break;
      if (flag == 0 && all[i].request != before) break;
    }
    CHECK_EQ(1, flag);
    expect_complete(t, all[i]);
  }
  // All at once.
  all = start_many(t, operations, comms);
  std::vector<MPIX_Request> requests;
  for (const Running& running : all) requests.push_back(running.request);
  std::reverse(requests.begin(), requests.end());
  CHECK_EQ(MPI_SUCCESS, MPIX_Waitall(static_cast<int>(requests.size()), requests.data()));
  CHECK_EQ(std::vector<MPIX_Request>(requests.size(), MPIX_REQUEST_NULL), requests);
  for (const Running& running : all) running.check();
  CHECK_EQ(MPI_SUCCESS, MPIX_Waitall(0, nullptr));
}

// On several communicators of the same ranks, and on halves of them.
void test_communicators(Checks& t, const Operations& operations, MPI_Comm comm) {
  const int rank = rank_in(comm), size = size_of(comm);
  MPI_Comm reversed, half, copy;
  MPI_Comm_split(comm, 0, -rank, &reversed);
  MPI_Comm_split(comm, rank % 2, rank, &half);
  MPI_Comm_dup(comm, &copy);
  set_shape(t, reversed, {std::to_string(std::min(1, tree_height(size, 3))), 3});
  set_shape(t, half, {"0", 2, "nodes"});
  set_shape(t, copy, {std::to_string(tree_height(size, 2))});
  test_in_flight(t, operations, {comm, reversed, half, copy}, static_cast<unsigned>(size));
  for (MPI_Comm* c : {&reversed, &half, &copy}) MPI_Comm_free(c);
}

// ------------------------------------------------------------------------------------------------ waiting for other
// ranks

constexpr int kGoTag = 4711;

void tell(MPI_Comm comm, int rank) { MPI_Send(nullptr, 0, MPI_INT, rank, kGoTag, comm); }
void hear(MPI_Comm comm, int rank) { MPI_Recv(nullptr, 0, MPI_INT, rank, kGoTag, comm, MPI_STATUS_IGNORE); }

// One rank is late: before it comes, the barrier is not complete on any rank. It comes when it gets a message from
// another rank, which has tested the barrier several times.
void test_barrier(Checks& t, MPI_Comm comm) {
  const int rank = rank_in(comm), size = size_of(comm);
  for (const int late : {0, size / 2, size - 1}) {
    if (size == 1) break;
    const int watcher = (late + 1) % size;
    if (rank == late) hear(comm, watcher);
    Running running = start_barrier(t, comm);
    for (int looks = 0; rank == watcher && looks < 5; ++looks) {
      int flag = -1;
      CHECK_EQ(MPI_SUCCESS, MPIX_Test(&running.request, &flag));
      CHECK_EQ(0, flag);
      strata::mpix::charge_seconds(2e-5);
    }
    if (rank == watcher) tell(comm, late);
    finish(t, std::move(running));
  }
}

// Progress threads complete collectives without the application: no rank waits before it gets a message from another
// rank whose collective is complete.
void test_background(Checks& t, const Operations& operations, MPI_Comm comm) {
  const int rank = rank_in(comm), size = size_of(comm);
  set_shape(t, comm, {"0"});
  for (const int count : {3, kLong}) {
    // The last rank needs the data that the root and inner ranks pass on.
    Running bcast = start_bcast(t, comm, kPair, count, 0, count);
    if (rank < size - 1) hear(comm, size - 1);
    finish(t, std::move(bcast));
    for (int r = 0; rank == size - 1 && r < size - 1; ++r) tell(comm, r);
    // The root needs the combined data of the others.
    Running reduce =
        start_reduction(t, comm, Reduction::kReduce, kPair, operations.affine, count, 0, Place::kSeparate, count);
    if (rank > 0) hear(comm, 0);
    finish(t, std::move(reduce));
    for (int r = 1; rank == 0 && r < size; ++r) tell(comm, r);
  }
}

// ------------------------------------------------------------------------------------------------------------- errors

void test_arguments(Checks& t, MPI_Comm application, const Study& study) {
  MPI_Comm comm;
  MPI_Comm_dup(application, &comm);
  const int rank = rank_in(comm), size = size_of(comm);
  CountedErrors errors(t);
  errors.handle(comm);
  std::array<int, 128> many{}, more{};
  int *a = many.data(), *b = more.data();
  const MPI_Datatype none = MPI_DATATYPE_NULL;
  MPIX_Request request = MPIX_REQUEST_NULL;
  MPIX_Request* r = &request;

  CHECK_ERROR(MPI_ERR_COUNT, MPIX_Ibcast(a, -1, MPI_INT, 0, comm, r));
  CHECK_ERROR(MPI_ERR_TYPE, MPIX_Ibcast(a, 1, none, 0, comm, r));
  CHECK_ERROR(MPI_ERR_BUFFER, MPIX_Ibcast(nullptr, 1, MPI_INT, 0, comm, r));
  CHECK_ERROR(MPI_ERR_BUFFER, MPIX_Ibcast(MPI_IN_PLACE, 1, MPI_INT, 0, comm, r));
  for (const int bad : {-1, size}) {
    CHECK_ERROR(MPI_ERR_ROOT, MPIX_Ibcast(a, 1, MPI_INT, bad, comm, r));
    CHECK_ERROR(MPI_ERR_ROOT, MPIX_Ireduce(a, b, 1, MPI_INT, MPI_SUM, bad, comm, r));
    CHECK_ERROR(MPI_ERR_ROOT, MPIX_Igather(a, 1, MPI_INT, b, 1, MPI_INT, bad, comm, r));
    CHECK_ERROR(MPI_ERR_ROOT, MPIX_Iscatter(a, 1, MPI_INT, b, 1, MPI_INT, bad, comm, r));
  }
  const auto reductions = [&](int error_class, const void* send, void* receive, int count, MPI_Datatype type,
                              MPI_Op op) {
    CHECK_ERROR(error_class, MPIX_Ireduce(send, receive, count, type, op, rank, comm, r));
    CHECK_ERROR(error_class, MPIX_Iallreduce(send, receive, count, type, op, comm, r));
    CHECK_ERROR(error_class, MPIX_Iscan(send, receive, count, type, op, comm, r));
  };
  reductions(MPI_ERR_COUNT, a, b, -1, MPI_INT, MPI_SUM);
  reductions(MPI_ERR_TYPE, a, b, 1, none, MPI_SUM);
  reductions(MPI_ERR_OP, a, b, 1, MPI_INT, MPI_OP_NULL);
  reductions(MPI_ERR_BUFFER, nullptr, b, 1, MPI_INT, MPI_SUM);
  reductions(MPI_ERR_BUFFER, a, nullptr, 1, MPI_INT, MPI_SUM);
  reductions(MPI_ERR_BUFFER, a, a, 1, MPI_INT, MPI_SUM);
  reductions(MPI_ERR_BUFFER, a, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM);
  if (size > 1) {
    const int other = (rank + 1) % size;
    CHECK_ERROR(MPI_ERR_BUFFER, MPIX_Ireduce(MPI_IN_PLACE, b, 1, MPI_INT, MPI_SUM, other, comm, r));
    CHECK_ERROR(MPI_ERR_BUFFER, MPIX_Igather(MPI_IN_PLACE, 1, MPI_INT, b, 1, MPI_INT, other, comm, r));
    CHECK_ERROR(MPI_ERR_BUFFER, MPIX_Iscatter(a, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, other, comm, r));
  }
  CHECK_ERROR(MPI_ERR_COUNT, MPIX_Igather(a, -1, MPI_INT, b, 1, MPI_INT, 0, comm, r));
  CHECK_ERROR(MPI_ERR_TYPE, MPIX_Igather(a, 1, none, b, 1, MPI_INT, 0, comm, r));
  CHECK_ERROR(MPI_ERR_BUFFER, MPIX_Igather(nullptr, 1, MPI_INT, b, 1, MPI_INT, 0, comm, r));
  CHECK_ERROR(MPI_ERR_COUNT, MPIX_Igather(a, 1, MPI_INT, b, -1, MPI_INT, rank, comm, r));
  CHECK_ERROR(MPI_ERR_BUFFER, MPIX_Igather(a, 1, MPI_INT, a, 1, MPI_INT, rank, comm, r));
  CHECK_ERROR(MPI_ERR_COUNT, MPIX_Iscatter(a, 1, MPI_INT, b, -1, MPI_INT, 0, comm, r));
  CHECK_ERROR(MPI_ERR_TYPE, MPIX_Iscatter(a, 1, MPI_INT, b, 1, none, 0, comm, r));
  CHECK_ERROR(MPI_ERR_BUFFER, MPIX_Iscatter(a, 1, MPI_INT, nullptr, 1, MPI_INT, 0, comm, r));
  CHECK_ERROR(MPI_ERR_COUNT, MPIX_Iscatter(a, -1, MPI_INT, b, 1, MPI_INT, rank, comm, r));
  CHECK_ERROR(MPI_ERR_BUFFER, MPIX_Iscatter(a, 1, MPI_INT, a, 1, MPI_INT, rank, comm, r));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Ibcast(a, 1, MPI_INT, 0, comm, nullptr));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Ibarrier(comm, nullptr));
  CHECK_TRUE(request == MPIX_REQUEST_NULL);

  const auto set = [&](const char* key, const char* value) {
    return MPIX_Comm_set_progress(comm, Info().set(key, value));
  };
  for (const char* bad : {"-1", "some", "1x", "99"}) CHECK_ERROR(MPI_ERR_INFO, set("mpix_steps", bad));
  for (const char* bad : {"1", "0", "-2", "two"}) CHECK_ERROR(MPI_ERR_INFO, set("mpix_arity", bad));
  CHECK_ERROR(MPI_ERR_INFO, set("mpix_tree", "tall"));
  CHECK_ERROR(MPI_ERR_INFO, set("mpix_check", "maybe"));
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_set_progress(comm, MPI_INFO_NULL));
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_set_progress(comm, Info().set("unknown", "1")));

  // A null communicator, and one with processes that do not belong to the application.
  errors.handle(MPI_COMM_WORLD);
  CHECK_ERROR(MPI_ERR_COMM, MPIX_Ibcast(a, 1, MPI_INT, 0, MPI_COMM_NULL, r));
  CHECK_ERROR(MPI_ERR_COMM, MPIX_Ibarrier(MPI_COMM_NULL, r));
  CHECK_ERROR(MPI_ERR_COMM, MPIX_Comm_set_progress(MPI_COMM_NULL, MPI_INFO_NULL));
  if (size_of(MPI_COMM_WORLD) > size_of(application)) CHECK_ERROR(MPI_ERR_COMM, MPIX_Ibarrier(MPI_COMM_WORLD, r));
  if (study.real && size > 1) {
    MPI_Comm half, inter;
    MPI_Comm_split(comm, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, comm, 1 - rank % 2, 5, &inter);
    errors.handle(inter);
    CHECK_ERROR(MPI_ERR_COMM, MPIX_Ibarrier(inter, r));
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
  }

  // A request can be waited for once, even if another collective is under way.
  int flag = 0;
  CHECK_ERROR(MPI_ERR_REQUEST, MPIX_Wait(r));
  CHECK_ERROR(MPI_ERR_REQUEST, MPIX_Test(r, &flag));
  Running first = start_barrier(t, comm);
  MPIX_Request stale = first.request;
  finish(t, std::move(first));
  Running second = start_barrier(t, comm);
  CHECK_TRUE(second.request != stale);
  CHECK_ERROR(MPI_ERR_REQUEST, MPIX_Wait(&stale));
  CHECK_ERROR(MPI_ERR_REQUEST, MPIX_Test(&stale, &flag));
  finish(t, std::move(second));
  MPIX_Request unknown = stale + 1'000'000;
  CHECK_ERROR(MPI_ERR_REQUEST, MPIX_Wait(&unknown));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Wait(nullptr));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Waitall(1, nullptr));

  // Threads are already running; and they keep running until every request has been waited for.
  MPI_Comm again = MPI_COMM_NULL;
  if (study.real) CHECK_ERROR(MPI_ERR_OTHER, MPIX_Progress_start(MPI_COMM_WORLD, MPI_INFO_NULL, &again));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Progress_start(MPI_COMM_WORLD, MPI_INFO_NULL, nullptr));
  CHECK_ERROR(MPI_ERR_COMM, MPIX_Progress_start(MPI_COMM_NULL, MPI_INFO_NULL, &again));
  MPI_Comm_free(&comm);
}

void test_pending(Checks& t, MPI_Comm* application) {
  CountedErrors errors(t);
  errors.handle(*application);
  errors.handle(MPI_COMM_WORLD);
  Running running = start_barrier(t, *application);
  CHECK_ERROR(MPI_ERR_PENDING, MPIX_Progress_stop(application));
  CHECK_TRUE(*application != MPI_COMM_NULL);
  finish(t, std::move(running));
  finish(t, start_barrier(t, *application));
}

// Rank 0 starts a different collective than the others. All ranks get an error, at the latest in the wait, and the
// communicator still works.
void test_mismatch(Checks& t, const Operations& operations, MPI_Comm application) {
  MPI_Comm comm;
  MPI_Comm_dup(application, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  const bool odd_one = rank_in(comm) == 0;
  std::array<double, 4096> a{}, b{};
  using Start = std::function<int(MPIX_Request*)>;
  const auto bcast = [&](int count, MPI_Datatype type, int root) {
    return [&, count, type, root](MPIX_Request* r) { return MPIX_Ibcast(a.data(), count, type, root, comm, r); };
  };
  const auto allreduce = [&](int count, MPI_Datatype type, MPI_Op op) {
    return
        [&, count, type, op](MPIX_Request* r) { return MPIX_Iallreduce(a.data(), b.data(), count, type, op, comm, r); };
  };
  const auto scan = [&](MPIX_Request* r) { return MPIX_Iscan(a.data(), b.data(), 4, MPI_INT, MPI_SUM, comm, r); };
  const auto barrier = [&](MPIX_Request* r) { return MPIX_Ibarrier(comm, r); };
  const std::vector<std::pair<Start, Start>> pairs = {
      {bcast(4, MPI_INT, 0), barrier},
      {scan, allreduce(4, MPI_INT, MPI_SUM)},
      {bcast(4, MPI_INT, 0), bcast(4, MPI_INT, 1)},
      {bcast(4, MPI_INT, 0), bcast(5, MPI_INT, 0)},
      {bcast(4, MPI_INT, 0), bcast(4, MPI_DOUBLE, 0)},
      {bcast(4, MPI_INT, 0), bcast(4096, MPI_DOUBLE, 0)},
      {allreduce(4, MPI_INT, MPI_SUM), allreduce(4, MPI_INT, MPI_MAX)},
      {allreduce(0, MPI_INT, MPI_SUM), allreduce(1, MPI_INT, MPI_SUM)},
  };
  for (const auto& [of_rank_0, of_others] : pairs) {
    MPIX_Request request = MPIX_REQUEST_NULL;
    int code = (odd_one ? of_rank_0 : of_others)(&request);
    if (code == MPI_SUCCESS) code = MPIX_Wait(&request);
    CHECK_EQ(static_cast<int>(MPI_ERR_ARG), class_of(code));
    CHECK_TRUE(request == MPIX_REQUEST_NULL);
    finish(t, start_reduction(t, comm, Reduction::kAllreduce, kPair, operations.sum, 3, 0, Place::kSeparate, 5));
  }
  MPI_Comm_free(&comm);
}

// All ranks get the error that progress threads cannot be started; collectives work without them.
void test_refused(Checks& t, MPI_Info info, const std::string& why) {
  MPI_Comm application = MPI_COMM_WORLD;
  CountedErrors errors(t);
  errors.handle(MPI_COMM_WORLD);
  CHECK_ERROR(why == "info" ? MPI_ERR_INFO : MPI_ERR_OTHER, MPIX_Progress_start(MPI_COMM_WORLD, info, &application));
  CHECK_TRUE(application == MPI_COMM_NULL);
  finish(t, start_barrier(t, MPI_COMM_WORLD));
  CHECK_EQ(MPI_SUCCESS, MPIX_Progress_stop(&application));
}

// ---------------------------------------------------------------------------------------------------------------- all

// All collectives with all shapes of the tree and all roots; or each root with a different shape.
void test_everything(Checks& t, const Study& study, MPI_Comm comm) {
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
  if (!study.brief || size == study.sizes.back()) test_communicators(t, operations, comm);
  test_barrier(t, comm);
  if (study.threads) test_background(t, operations, comm);
}

void test_get(Checks& t, const Study& study) {
  int communication = -1, cores = -1;
  const char* cpuset = nullptr;
  CHECK_EQ(MPI_SUCCESS, MPIX_Progress_get(&communication, &cores, &cpuset));
  CHECK_EQ(MPI_SUCCESS, MPIX_Progress_get(nullptr, nullptr, nullptr));
  CHECK_TRUE(cpuset != nullptr);
  if (!study.cores.empty()) CHECK_EQ(study.cores, (std::vector{communication, cores}));
  if (cpuset != nullptr) CHECK_EQ(study.threads, !std::string(cpuset).empty());
}

// The tests between start and stop. Returns main's value.
int test_application(Checks& t, Study study, MPI_Info info) {
  MPI_Comm application = MPI_COMM_NULL;
  CHECK_EQ(MPI_SUCCESS, MPIX_Progress_start(MPI_COMM_WORLD, info, &application));
  const bool is_application = application != MPI_COMM_NULL;  // else this rank was a progress thread
  if (is_application) {
    if (study.sizes.empty()) {
      study.sizes.resize(size_of(application));
      std::iota(study.sizes.begin(), study.sizes.end(), 1);
    }
    for (const int size : study.sizes) {
      on_first(size, application, [&](MPI_Comm comm) { test_everything(t, study, comm); });
    }
    test_get(t, study);
    if (study.errors) test_arguments(t, application, study);
    if (study.mismatch) test_mismatch(t, Operations(), application);
    if (study.errors) test_pending(t, &application);
  }
  CHECK_EQ(MPI_SUCCESS, MPIX_Progress_stop(&application));
  CHECK_TRUE(application == MPI_COMM_NULL);
  MPI_Comm counted = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, is_application ? 0 : MPI_UNDEFINED, rank_in(MPI_COMM_WORLD), &counted);
  if (!is_application) return 0;
  const int result = t.finish(counted);
  MPI_Comm_free(&counted);
  return result;
}

// Returns main's value.
int run(const std::vector<std::string>& words) {
  Checks t(rank_in(MPI_COMM_WORLD));
  Study study;
  Info info;
  std::string refused;
  for (const std::string& w : words) {
    const std::string value = w.substr(w.find('=') + 1);
    if (w == "brief") study.brief = true;
    if (w == "real") study.real = true;
    if (w == "errors") study.errors = true;
    if (w == "mismatch") study.mismatch = true;
    if (w == "placement=none") study.threads = false;
    if (w.rfind("placement=", 0) == 0) info.set("mpix_placement", value);
    if (w.rfind("refused=", 0) == 0) refused = value;
    if (w.rfind("cores=", 0) == 0) study.cores = numbers_in(w);
    if (w.rfind("sizes=", 0) == 0) study.sizes = numbers_in(w);
  }
  if (refused.empty()) return test_application(t, study, info);
  test_refused(t, info, refused);
  return t.finish();
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const bool single = std::count(words.begin(), words.end(), "single") > 0;
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, single ? MPI_THREAD_SINGLE : MPI_THREAD_MULTIPLE, &provided);
  const int result = run(words);
  MPI_Finalize();
  return result;
}
