// SPDX-License-Identifier: LGPL-2.1-only
// Tests of the MPI layer in an MPI program, which runs under SMPI, Open MPI and MPICH. Expected results come from the
// pure core and the placement file, or from hwloc if there is no such file.
//
//   (none)           everything, compared with STRATA_PLACEMENT
//   real             the same, and features that SMPI lacks: intercommunicators, MPI_BOTTOM
//   threads          threads that use the library for the first time at the same moment
//   cycles=N         only creates and frees, N times
//   leak             with cycles: each cycle keeps a communicator, to test the test
//   live             without a placement: this machine as hwloc sees it
//   short            STRATA_PLACEMENT binds fewer ranks than there are
//   mixed-trees      without a placement: hwloc shows different trees to the ranks
//   private          with `(none)`: globals are privatised; checks this
#include <hwloc.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "mpi_ext/hierarchy/split.h"
#include "mpi_ext/mpix.h"
#include "records/exchange/placement_file.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/expected.h"

int g_my_rank = -1;  // mutable: each rank has its own if globals are privatised

thread_local std::chrono::milliseconds g_before_sending{0};

// Called through the profiling interface, under a real MPI, for all messages of the library.
extern "C" int MPI_Isend(const void* buffer, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                         MPI_Request* request) {
  if (g_before_sending.count() > 0) std::this_thread::sleep_for(g_before_sending);
  return PMPI_Isend(buffer, count, datatype, dest, tag, comm, request);
}

namespace {

using namespace strata::mpix;           // NOLINT: the library under test
using namespace strata::mpix::testing;  // NOLINT: its checks

// ------------------------------------------------------------------------------------------------------ the hierarchy

void test_levels(Checks& t, const Expected& e) {
  const int me = rank_in(MPI_COMM_WORLD);
  const std::vector<int>& levels = e.all.levels[me];
  MPI_Comm parent = MPI_COMM_WORLD;
  for (size_t level = 0;; ++level) {
    MPI_Comm comm = MPI_COMM_WORLD, roots = MPI_COMM_WORLD, other = MPI_COMM_WORLD;
    CHECK_EQ(MPI_SUCCESS, MPIX_Comm_hsplit_with_roots(parent, MPI_INFO_NULL, &comm, &roots));
    CHECK_EQ(MPI_SUCCESS,
             MPIX_Comm_split_type(parent, MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY, rank_in(parent), MPI_INFO_NULL, &other));
    const bool expected = level < levels.size();
    CHECK_EQ(expected, comm != MPI_COMM_NULL);
    CHECK_EQ(expected, other != MPI_COMM_NULL);
    if (expected && comm != MPI_COMM_NULL && other != MPI_COMM_NULL) {
      const Communicator& c = e.all.comms[levels[level]];
      CHECK_EQ(c.members, members_of(comm));
      CHECK_EQ(c.members, members_of(other));
      check_info(t, comm, e.all.num_comms(c), c.index, e.topology->name(c.cover));
      check_info(t, other, e.all.num_comms(c), c.index, e.topology->name(c.cover));
      CHECK_EQ(c.members.front() == me ? e.all.roots(c) : Ranks{}, members_of(roots));
      int relation = MPI_IDENT;
      MPI_Comm_compare(parent, comm, &relation);
      CHECK_EQ(static_cast<int>(MPI_UNEQUAL), relation);
      MPI_Comm_compare(comm, other, &relation);
      CHECK_EQ(static_cast<int>(MPI_CONGRUENT), relation);
      // A dup works the same even after the original communicator is freed; null pointers are skipped.
      MPI_Comm dup;
      MPI_Comm_dup(other, &dup);
      MPI_Comm_free(&other);
      check_info(t, dup, e.all.num_comms(c), c.index, e.topology->name(c.cover));
      CHECK_EQ(MPI_SUCCESS, MPIX_Comm_get_hlevel_info(dup, nullptr, nullptr, nullptr));
      MPI_Comm_free(&dup);
    } else {
      CHECK_EQ(Ranks{}, members_of(roots));
    }
    release(roots);
    release(other);
    if (parent != MPI_COMM_WORLD) MPI_Comm_free(&parent);
    parent = comm;
    if (parent == MPI_COMM_NULL) break;
  }
  MPIX_Hierarchy h = MPIX_HIERARCHY_NULL;
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_create(MPI_COMM_WORLD, MPI_INFO_NULL, &h));
  int depth = -1;
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_depth(h, &depth));
  CHECK_EQ(static_cast<int>(levels.size()), depth);
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_free(&h));
  CHECK_TRUE(h == MPIX_HIERARCHY_NULL);
}

// The expected communicators of a split in which only the ranks take part for which `asks` is true.
struct Siblings {
  int num_comms = 0, index = -1;
  Ranks members;
};

template <class Asks>
Siblings siblings_of(const std::vector<int>& group_of, int me, Asks asks) {
  std::set<int> groups;
  Siblings s;
  for (int r = 0; r < static_cast<int>(group_of.size()); ++r) {
    if (group_of[r] >= 0 && asks(r)) groups.insert(group_of[r]);
  }
  s.num_comms = static_cast<int>(groups.size());
  if (group_of[me] < 0 || !asks(me)) return s;
  s.index = static_cast<int>(std::distance(groups.begin(), groups.find(group_of[me])));
  for (int r = 0; r < static_cast<int>(group_of.size()); ++r) {
    if (group_of[r] == group_of[me] && asks(r)) s.members.push_back(r);
  }
  return s;
}

void test_split_type(Checks& t, const Expected& e) {
  const int me = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  std::vector<int> node(size);
  for (int r = 0; r < size; ++r) node[r] = e.node_of(r);
  const std::vector<int> child = split(e.topology->parents(), e.vertices).index;

  const auto everybody = [](int) { return true; };
  const auto even = [](int r) { return r % 2 == 0; };
  const auto split_and_check = [&](int type, const std::vector<int>& group_of, bool all, int key) {
    const Siblings expected = all ? siblings_of(group_of, me, everybody) : siblings_of(group_of, me, even);
    MPI_Comm comm = MPI_COMM_WORLD;
    CHECK_EQ(MPI_SUCCESS, MPIX_Comm_split_type(MPI_COMM_WORLD, all || even(me) ? type : static_cast<int>(MPI_UNDEFINED),
                                               key, MPI_INFO_NULL, &comm));
    Ranks members = expected.members;
    if (key < 0) std::reverse(members.begin(), members.end());
    CHECK_EQ(members, members_of(comm));
    if (comm == MPI_COMM_NULL || members.empty()) return release(comm);
    check_info(t, comm, expected.num_comms, expected.index, e.name_of(expected.members));
    // The communicator works, with exactly the expected members.
    int sum = 0;
    MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, comm);
    CHECK_EQ(std::accumulate(members.begin(), members.end(), 0), sum);
    release(comm);
  };
  for (int key : {0, me, -me - 1}) {
    split_and_check(MPI_COMM_TYPE_SHARED, node, true, key);
    split_and_check(MPI_COMM_TYPE_SHARED, node, false, key);
    split_and_check(MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY, child, true, key);
    split_and_check(MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY, child, false, key);
  }
  MPI_Comm comm = MPI_COMM_WORLD;
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_split_type(MPI_COMM_WORLD, MPI_UNDEFINED, 0, MPI_INFO_NULL, &comm));
  CHECK_TRUE(comm == MPI_COMM_NULL);
  release(comm);

  // Keys in the child of a communicator: the child of a reordered parent has the parent's order.
  MPI_Comm reversed, below;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -me, &reversed);
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_split_type(reversed, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &below));
  Ranks members = siblings_of(node, me, everybody).members;
  std::reverse(members.begin(), members.end());
  CHECK_EQ(members, members_of(below));
  release(below);
  release(reversed);

  if (size > 1) {
    MPI_Comm quiet = quiet_world();
    comm = MPI_COMM_WORLD;
    const int type = me == 0 ? MPI_COMM_TYPE_SHARED : MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY;
    CHECK_EQ(static_cast<int>(MPI_ERR_ARG), class_of(MPIX_Comm_split_type(quiet, type, 0, MPI_INFO_NULL, &comm)));
    CHECK_TRUE(comm == MPI_COMM_NULL);
    MPI_Comm_free(&quiet);
  }
}

std::string min_hlevel(Checks& t, MPI_Comm comm, const Ranks& ranks) {
  char* type = nullptr;
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_get_min_hlevel(comm, static_cast<int>(ranks.size()), ranks.data(), &type));
  return type == nullptr ? "(null)" : type;
}

void test_min_hlevel(Checks& t, const Expected& e) {
  const int me = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  for (int i = 0; i < size; ++i) {
    const int partner = (me + i) % size;  // each rank may ask about another pair
    CHECK_EQ(e.name_of({me, partner}), min_hlevel(t, MPI_COMM_WORLD, {me, partner}));
  }
  Ranks all(size);
  std::iota(all.begin(), all.end(), 0);
  CHECK_EQ(e.name_of(all), min_hlevel(t, MPI_COMM_WORLD, all));
  CHECK_EQ(e.name_of({me}), min_hlevel(t, MPI_COMM_WORLD, {me}));
  CHECK_EQ(std::string("Unknown"), min_hlevel(t, MPI_COMM_WORLD, {}));
  CHECK_EQ(me == 0 ? e.name_of({0}) : std::string("Unknown"), min_hlevel(t, MPI_COMM_WORLD, {0}));
  // Ranks are those of the communicator, not of the world.
  MPI_Comm reversed;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -me, &reversed);
  CHECK_EQ(e.name_of({me, 0}), min_hlevel(t, reversed, {size - 1, size - 1 - me}));
  MPI_Comm_free(&reversed);

  MPI_Comm quiet = quiet_world();
  for (int bad : {-1, size}) {
    const Ranks ranks = {me == size - 1 ? bad : me};  // wrong on one rank; the others get their answer
    char* type = nullptr;
    const int error = class_of(MPIX_Comm_get_min_hlevel(quiet, 1, ranks.data(), &type));
    CHECK_EQ(me == size - 1 ? static_cast<int>(MPI_ERR_RANK) : MPI_SUCCESS, error);
    if (me != size - 1) CHECK_EQ(e.name_of({me}), std::string(type == nullptr ? "(null)" : type));
  }
  char* type = nullptr;
  CHECK_EQ(static_cast<int>(MPI_ERR_ARG), class_of(MPIX_Comm_get_min_hlevel(quiet, -1, nullptr, &type)));
  CHECK_EQ(static_cast<int>(MPI_ERR_ARG), class_of(MPIX_Comm_get_min_hlevel(quiet, 1, nullptr, &type)));
  CHECK_EQ(static_cast<int>(MPI_ERR_ARG), class_of(MPIX_Comm_get_min_hlevel(quiet, 0, nullptr, nullptr)));
  MPI_Comm_free(&quiet);
}

// ---------------------------------------------------------------------------------------------------------- broadcast

// Buffers are filled with kUntouched, and have kGuard more ints at both ends, which a broadcast must not write.
constexpr int kGuard = 8, kUntouched = -77;

int payload(int root, int count, int i) { return root * 1'000'003 + count * 101 + i; }

// The call under test: a broadcast on a communicator, or over its hierarchy.
struct Broadcast {
  MPI_Comm comm;
  MPIX_Hierarchy hierarchy;
  int algorithm;

  int operator()(void* buffer, int count, MPI_Datatype type, int root) const {
    return hierarchy == MPIX_HIERARCHY_NULL ? MPIX_Bcast(buffer, count, type, root, comm, algorithm, 0)
                                            : MPIX_Hierarchy_bcast(buffer, count, type, root, hierarchy, algorithm, 0);
  }
};

void check_contiguous(Checks& t, const Broadcast& broadcast, int count, int root) {
  const bool is_root = rank_in(broadcast.comm) == root;
  std::vector<int> buffer(count + 2 * kGuard, kUntouched);
  if (is_root) {
    for (int i = 0; i < count; ++i) buffer[kGuard + i] = payload(root, count, i);
  }
  CHECK_EQ(MPI_SUCCESS, broadcast(buffer.data() + kGuard, count, MPI_INT, root));
  int wrong = 0, touched = 0;
  for (int i = 0; i < count; ++i) wrong += buffer[kGuard + i] != payload(root, count, i);
  for (int i = 0; i < kGuard; ++i) touched += (buffer[i] != kUntouched) + (buffer[kGuard + count + i] != kUntouched);
  CHECK_EQ(0, wrong);
  CHECK_EQ(0, touched);
}

// Pairs of ints with a gap after each: MPI_Type_vector(count, 2, 3). The root's layout may differ from the others'.
void check_vector(Checks& t, const Broadcast& broadcast, int count, int root, bool root_contiguous) {
  const bool is_root = rank_in(broadcast.comm) == root;
  MPI_Datatype vector;
  MPI_Type_vector(count, 2, 3, MPI_INT, &vector);
  MPI_Type_commit(&vector);
  std::vector<int> buffer(3 * count + kGuard, kUntouched);
  const bool contiguous = is_root && root_contiguous;
  const auto at = [&](int i) -> int& { return contiguous ? buffer[i] : buffer[i / 2 * 3 + i % 2]; };
  if (is_root) {
    for (int i = 0; i < 2 * count; ++i) at(i) = payload(root, count, i);
  }
  CHECK_EQ(MPI_SUCCESS,
           contiguous ? broadcast(buffer.data(), 2 * count, MPI_INT, root) : broadcast(buffer.data(), 1, vector, root));
  int wrong = 0;
  for (int i = 0; i < 2 * count; ++i) wrong += at(i) != payload(root, count, i);
  CHECK_EQ(0, wrong);
  CHECK_EQ(static_cast<long>(buffer.size()) - 2 * count, std::count(buffer.begin(), buffer.end(), kUntouched));
  MPI_Type_free(&vector);
}

// A datatype of absolute addresses, used with MPI_BOTTOM.
void check_absolute(Checks& t, const Broadcast& broadcast, int root) {
  std::array<int, 3> first{}, second{};
  if (rank_in(broadcast.comm) == root) {
    for (int i = 0; i < 3; ++i) {
      first[i] = payload(root, 6, i);
      second[i] = payload(root, 6, 3 + i);
    }
  }
  int lengths[2] = {3, 3};
  MPI_Aint displacements[2];
  MPI_Get_address(first.data(), &displacements[0]);
  MPI_Get_address(second.data(), &displacements[1]);
  MPI_Datatype absolute;
  MPI_Type_create_hindexed(2, lengths, displacements, MPI_INT, &absolute);
  MPI_Type_commit(&absolute);
  CHECK_EQ(MPI_SUCCESS, broadcast(MPI_BOTTOM, 1, absolute, root));
  for (int i = 0; i < 3; ++i) {
    CHECK_EQ(payload(root, 6, i), first[i]);
    CHECK_EQ(payload(root, 6, 3 + i), second[i]);
  }
  MPI_Type_free(&absolute);
}

void check_broadcasts(Checks& t, const Broadcast& broadcast, bool real) {
  const int size = size_of(broadcast.comm);
  for (int root = 0; root < size; ++root) {
    for (int count : {0, 1, 7, 5000}) {  // 20 kB: rendezvous on the test's machines and in Open MPI
      check_contiguous(t, broadcast, count, root);
    }
    check_vector(t, broadcast, 7, root, false);
    check_vector(t, broadcast, 2500, root, true);
    if (real) check_absolute(t, broadcast, root);  // SMPI's point-to-point messages lack MPI_BOTTOM
  }
  if (real) check_contiguous(t, broadcast, 1'000'000, size - 1);  // rendezvous in MPICH too
  // An empty message, described in two ways that match: the root's count is 0, the others' datatype is empty.
  MPI_Datatype empty;
  MPI_Type_contiguous(0, MPI_INT, &empty);
  MPI_Type_commit(&empty);
  const bool is_root = rank_in(broadcast.comm) == 0;
  int untouched = kUntouched;
  CHECK_EQ(MPI_SUCCESS, is_root ? broadcast(&untouched, 0, MPI_INT, 0) : broadcast(&untouched, 3, empty, 0));
  CHECK_EQ(kUntouched, untouched);
  MPI_Type_free(&empty);
}

void test_broadcast(Checks& t, MPI_Comm comm, bool real) {
  MPIX_Hierarchy h = MPIX_HIERARCHY_NULL;
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_create(comm, MPI_INFO_NULL, &h));
  for (int algorithm : {MPIX_ALGORITHM_LINEAR, MPIX_ALGORITHM_BINOMIAL}) {
    check_broadcasts(t, {comm, MPIX_HIERARCHY_NULL, algorithm}, real);
    check_broadcasts(t, {comm, h, algorithm}, real);
  }
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_free(&h));
}

// User messages with the same tag as the library's, on the same communicator: a message waits for its receive while
// broadcasts run, or a receive from any source waits for its message.
void test_user_messages(Checks& t, MPI_Comm comm) {
  constexpr int kSameTag = 1;
  const int me = rank_in(comm), size = size_of(comm);
  const int right = (me + 1) % size, left = (me + size - 1) % size;
  for (bool hierarchical : {false, true}) {
    MPIX_Hierarchy h = MPIX_HIERARCHY_NULL;
    if (hierarchical) CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_create(comm, MPI_INFO_NULL, &h));
    for (int algorithm : {MPIX_ALGORITHM_LINEAR, MPIX_ALGORITHM_BINOMIAL}) {
      const Broadcast broadcast{comm, h, algorithm};
      int early = 1000 + me, got_early = -1;
      MPI_Request sent;
      MPI_Isend(&early, 1, MPI_INT, right, kSameTag, comm, &sent);
      check_contiguous(t, broadcast, 1, size - 1);
      MPI_Status status;
      MPI_Recv(&got_early, 1, MPI_INT, left, kSameTag, comm, &status);
      MPI_Wait(&sent, MPI_STATUS_IGNORE);
      CHECK_EQ(1000 + left, got_early);

      std::array<int, 2> late{-1, -1};
      MPI_Request received;
      MPI_Irecv(late.data(), 2, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &received);
      check_contiguous(t, broadcast, 1, 0);
      check_contiguous(t, broadcast, 7, size - 1);
      const std::array<int, 2> words{2000 + me, 3000 + me};
      MPI_Send(words.data(), 2, MPI_INT, right, kSameTag, comm);
      MPI_Wait(&received, &status);
      CHECK_EQ(2000 + left, late[0]);
      CHECK_EQ(3000 + left, late[1]);
      CHECK_EQ(left, status.MPI_SOURCE);
      CHECK_EQ(kSameTag, status.MPI_TAG);
    }
    if (hierarchical) CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_free(&h));
  }
}

// ------------------------------------------------------------------------------------------------------------- errors

void test_errors(Checks& t, bool real) {
  const int me = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  MPI_Comm quiet = quiet_world();
  CountedErrors errors(t);
  errors.handle(quiet);
  MPI_Comm comm = MPI_COMM_WORLD;
  int n = 0;
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Comm_get_hlevel_info(quiet, &n, &n, nullptr));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Comm_split_type(quiet, MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY, 0, MPI_INFO_NULL, nullptr));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Comm_hsplit_with_roots(quiet, MPI_INFO_NULL, &comm, nullptr));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Hierarchy_create(quiet, MPI_INFO_NULL, nullptr));
  MPIX_Hierarchy h = MPIX_HIERARCHY_NULL;
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_create(quiet, MPI_INFO_NULL, &h));
  for (const Broadcast& b :
       {Broadcast{quiet, MPIX_HIERARCHY_NULL, MPIX_ALGORITHM_LINEAR},
        Broadcast{quiet, MPIX_HIERARCHY_NULL, MPIX_ALGORITHM_BINOMIAL}, Broadcast{quiet, h, MPIX_ALGORITHM_LINEAR},
        Broadcast{quiet, h, MPIX_ALGORITHM_BINOMIAL}}) {
    CHECK_ERROR(MPI_ERR_COUNT, b(&n, -1, MPI_INT, 0));
    CHECK_ERROR(MPI_ERR_ROOT, b(&n, 1, MPI_INT, -1));
    CHECK_ERROR(MPI_ERR_ROOT, b(&n, 1, MPI_INT, size));
    CHECK_ERROR(MPI_ERR_TYPE, b(&n, 1, MPI_DATATYPE_NULL, 0));
    CHECK_ERROR(MPI_ERR_BUFFER, b(nullptr, 1, MPI_INT, 0));
    CHECK_EQ(MPI_SUCCESS, b(nullptr, 0, MPI_INT, 0));
    Broadcast unknown = b;
    unknown.algorithm = 17;
    CHECK_ERROR(MPI_ERR_ARG, unknown(&n, 1, MPI_INT, 0));
  }
  if (real && size > 1) {
    // An error during the collective: the members' buffers are smaller than the root's message. In a linear broadcast
    // all leaves get the error once, although the message is sent on one of the library's own communicators.
    std::array<int, 4> room{};
    for (MPIX_Hierarchy over : {MPIX_HIERARCHY_NULL, h}) {
      const Broadcast b{quiet, over, MPIX_ALGORITHM_LINEAR};
      if (over != MPIX_HIERARCHY_NULL && size > 2) continue;  // inner ranks that fail would leave others waiting
      if (me == 0) {
        CHECK_EQ(MPI_SUCCESS, b(room.data(), 4, MPI_INT, 0));
      } else {
        CHECK_ERROR(MPI_ERR_TRUNCATE, b(room.data(), 2, MPI_INT, 0));
      }
    }
  }
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_free(&h));
  if (real && size > 1) {
    MPI_Comm half, inter;
    MPI_Comm_split(quiet, me % 2, me, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - me % 2, 5, &inter);
    errors.handle(inter);
    CHECK_ERROR(MPI_ERR_COMM, MPIX_Comm_split_type(inter, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comm));
    CHECK_ERROR(MPI_ERR_COMM, MPIX_Comm_split_type(inter, MPIX_COMM_TYPE_HW_GUIDED, 0, MPI_INFO_NULL, &comm));
    CHECK_ERROR(MPI_ERR_COMM, MPIX_Comm_hsplit_with_roots(inter, MPI_INFO_NULL, &comm, &comm));
    CHECK_ERROR(MPI_ERR_COMM, MPIX_Comm_hsplit_all(inter, MPI_INFO_NULL, 0, nullptr, nullptr, &n));
    CHECK_ERROR(MPI_ERR_COMM, MPIX_Hierarchy_create_groups(inter, 1, &size, &h));
    char* type = nullptr;
    CHECK_ERROR(MPI_ERR_COMM, MPIX_Comm_get_min_hlevel(inter, 1, &n, &type));
    CHECK_ERROR(MPI_ERR_COMM, MPIX_Bcast(&n, 1, MPI_INT, 0, inter, MPIX_ALGORITHM_LINEAR, 0));
    CHECK_ERROR(MPI_ERR_COMM, MPIX_Hierarchy_create(inter, MPI_INFO_NULL, &h));
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
  }
  // A null communicator has no handler, so MPI_COMM_WORLD's is called.
  errors.handle(MPI_COMM_WORLD);
  char* type = nullptr;
  CHECK_ERROR(MPI_ERR_COMM, MPIX_Comm_split_type(MPI_COMM_NULL, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comm));
  CHECK_ERROR(MPI_ERR_COMM, MPIX_Comm_hsplit_with_roots(MPI_COMM_NULL, MPI_INFO_NULL, &comm, &comm));
  CHECK_ERROR(MPI_ERR_COMM, MPIX_Comm_get_hlevel_info(MPI_COMM_NULL, &n, &n, &type));
  CHECK_ERROR(MPI_ERR_COMM, MPIX_Comm_get_min_hlevel(MPI_COMM_NULL, 1, &n, &type));
  CHECK_ERROR(MPI_ERR_COMM, MPIX_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_NULL, MPIX_ALGORITHM_LINEAR, 0));
  CHECK_ERROR(MPI_ERR_COMM, MPIX_Hierarchy_create(MPI_COMM_NULL, MPI_INFO_NULL, &h));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Hierarchy_free(&h));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Hierarchy_depth(MPIX_HIERARCHY_NULL, &n));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Hierarchy_bcast(&n, 1, MPI_INT, 0, MPIX_HIERARCHY_NULL, MPIX_ALGORITHM_LINEAR, 0));
  MPI_Comm_free(&quiet);
}

// A user's attribute copy function, which only MPI_Comm_dup may call. The attribute's value counts the calls.
int count_copy(MPI_Comm, int, void*, void* value, void*, int* flag) {
  ++*static_cast<int*>(value);
  *flag = 0;
  return MPI_SUCCESS;
}

void test_user_attributes(Checks& t) {
  int copies = 0, key = MPI_KEYVAL_INVALID;
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_create_keyval(count_copy, MPI_COMM_NULL_DELETE_FN, &key, nullptr);
  MPI_Comm_set_attr(comm, key, &copies);
  MPIX_Hierarchy h = MPIX_HIERARCHY_NULL;
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_create(comm, MPI_INFO_NULL, &h));
  check_contiguous(t, {comm, MPIX_HIERARCHY_NULL, MPIX_ALGORITHM_LINEAR}, 1, 0);
  check_contiguous(t, {comm, h, MPIX_ALGORITHM_LINEAR}, 1, 0);
  CHECK_EQ(0, copies);
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_free(&h));
  MPI_Comm_free(&comm);
  MPI_Comm_free_keyval(&key);
}

// ------------------------------------------------------------------------------------------------- cycles and threads

// Creates all kinds of communicators and frees them, on a dup, so that its context is freed too.
void create_and_free(Checks& t, MPI_Comm world) {
  MPI_Comm dup, comm = MPI_COMM_NULL, roots = MPI_COMM_NULL, node = MPI_COMM_NULL;
  MPI_Comm_dup(world, &dup);
  check_contiguous(t, {dup, MPIX_HIERARCHY_NULL, MPIX_ALGORITHM_BINOMIAL}, 3, size_of(dup) - 1);
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_hsplit_with_roots(dup, MPI_INFO_NULL, &comm, &roots));
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_split_type(dup, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
  check_contiguous(t, {node, MPIX_HIERARCHY_NULL, MPIX_ALGORITHM_LINEAR}, 1, 0);
  MPIX_Hierarchy h = MPIX_HIERARCHY_NULL;
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_create(dup, MPI_INFO_NULL, &h));
  check_contiguous(t, {dup, h, MPIX_ALGORITHM_LINEAR}, 3, size_of(dup) - 1);
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_free(&h));
  const std::array<int, 2> groups = {1, size_of(dup)};
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_create_groups(dup, 2, groups.data(), &h));
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_free(&h));
  // The other way: with keys, and one rank that does not take part.
  MPI_Comm package = MPI_COMM_NULL;
  MPI_Info info, resources;
  MPI_Info_create(&info);
  MPI_Info_set(info, const_cast<char*>("mpi_hw_resource_type"), const_cast<char*>("Package"));
  const int type = rank_in(dup) == 0 ? static_cast<int>(MPI_UNDEFINED) : MPIX_COMM_TYPE_HW_GUIDED;
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_split_type(dup, type, -rank_in(dup), info, &package));
  release(package);
  MPI_Info_free(&info);
  CHECK_EQ(MPI_SUCCESS, MPIX_Get_hw_resource_info(&resources));
  MPI_Info_free(&resources);
  std::array<MPI_Comm, 8> levels, level_roots;
  int depth = 0;
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_hsplit_all(dup, MPI_INFO_NULL, 8, levels.data(), level_roots.data(), &depth));
  for (int i = 0; i < 8; ++i) {
    release(levels[i]);
    release(level_roots[i]);
  }
  release(node);
  release(roots);
  release(comm);
  MPI_Comm_free(&dup);
}

// An allgather from MPI_BOTTOM, in which the library sends the caller's block to itself. Its word differs between
// threads and rounds, and threads wait for different times before they send: a thread that received another thread's
// message would get its word.
void check_own_word(Checks& t, MPI_Comm comm, int thread, int round) {
  const auto word_of = [&](int rank) { return rank + 100 * thread + 1000 * round; };
  int mine = word_of(rank_in(comm)), one = 1;
  MPI_Aint place = 0;
  MPI_Get_address(&mine, &place);
  MPI_Datatype absolute;
  MPI_Type_create_hindexed(1, &one, &place, MPI_INT, &absolute);
  MPI_Type_commit(&absolute);
  std::vector<int> got(size_of(comm), -1), expected(got.size());
  for (size_t r = 0; r < expected.size(); ++r) expected[r] = word_of(static_cast<int>(r));
  g_before_sending = std::chrono::milliseconds((thread + round) % 3);
  CHECK_EQ(MPI_SUCCESS, MPIX_Allgather(MPI_BOTTOM, 1, absolute, got.data(), 1, MPI_INT, comm, MPIX_ALGORITHM_LINEAR));
  g_before_sending = std::chrono::milliseconds(0);
  CHECK_EQ(expected, got);
  MPI_Type_free(&absolute);
}

// Threads that use the library for the first time at the same moment, each on its own communicator.
void test_threads(Checks& t) {
  constexpr int kThreads = 4;
  std::array<MPI_Comm, kThreads> comms;
  for (MPI_Comm& c : comms) MPI_Comm_dup(MPI_COMM_WORLD, &c);
  std::vector<Checks> counted(kThreads, Checks(rank_in(MPI_COMM_WORLD)));
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < 50; ++round) {
        check_own_word(counted[i], comms[i], i, round);
        create_and_free(counted[i], comms[i]);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Checks& c : counted) t.add(c);
  for (MPI_Comm& c : comms) MPI_Comm_free(&c);
}

// ------------------------------------------------------------------------------------------------------ this machine

// The expected names from hwloc's own tree: of the deepest object that covers a set, regardless of its type.
std::set<std::string> names_covering(hwloc_topology_t topology, hwloc_const_bitmap_t set) {
  std::set<std::string> names;
  hwloc_obj_t object = hwloc_get_obj_covering_cpuset(topology, set);
  const auto add = [&](hwloc_obj_t o) {
    std::array<char, 64> text{};
    hwloc_obj_type_snprintf(text.data(), text.size(), o, 0);
    names.insert(text.data());
  };
  if (object == nullptr) return names;
  add(object);
  // A core with one PU has both names, and so does an object with a NUMA node of the same extent, which is a level
  // below it.
  if (object->type == HWLOC_OBJ_PU) add(object->parent);
  for (hwloc_obj_t m = object->memory_first_child; m != nullptr; m = m->next_sibling) add(m);
  return names;
}

void test_live(Checks& t) {
  const int me = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  hwloc_topology_t topology;
  hwloc_topology_init(&topology);
  hwloc_topology_load(topology);
  // The binding of each rank, as hwloc reports it.
  hwloc_bitmap_t mine = hwloc_bitmap_alloc();
  CHECK_EQ(0, hwloc_get_cpubind(topology, mine, HWLOC_CPUBIND_PROCESS));
  hwloc_bitmap_and(mine, mine, hwloc_topology_get_topology_cpuset(topology));
  std::array<char, 256> text{};
  hwloc_bitmap_list_snprintf(text.data(), text.size(), mine);
  std::vector<char> texts(256 * size);
  MPI_Allgather(text.data(), 256, MPI_CHAR, texts.data(), 256, MPI_CHAR, MPI_COMM_WORLD);
  std::vector<hwloc_bitmap_t> bindings;
  hwloc_bitmap_t all = hwloc_bitmap_alloc();
  for (int r = 0; r < size; ++r) {
    bindings.push_back(hwloc_bitmap_alloc());
    hwloc_bitmap_list_sscanf(bindings[r], texts.data() + 256 * r);
    hwloc_bitmap_or(all, all, bindings[r]);
  }
  const auto union_of = [&](const Ranks& ranks) {
    hwloc_bitmap_t set = hwloc_bitmap_alloc();
    for (int r : ranks) hwloc_bitmap_or(set, set, bindings[r]);
    std::set<std::string> names = names_covering(topology, set);
    hwloc_bitmap_free(set);
    return names;
  };
  if (me == 0) std::printf("bindings: %s ... %s\n", texts.data(), texts.data() + 256 * (size - 1));

  Ranks everybody(size);
  std::iota(everybody.begin(), everybody.end(), 0);
  MPI_Comm node = MPI_COMM_NULL;
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, me, MPI_INFO_NULL, &node));
  CHECK_EQ(everybody, members_of(node));
  int num = 0, index = -1;
  char* type = nullptr;
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_get_hlevel_info(node, &num, &index, &type));
  CHECK_EQ(1, num);
  CHECK_EQ(0, index);
  CHECK_TRUE(union_of(everybody).count(type) == 1);
  release(node);
  for (int i = 0; i < size; ++i) {
    const int partner = (me + i) % size;
    CHECK_TRUE(union_of({me, partner}).count(min_hlevel(t, MPI_COMM_WORLD, {me, partner})) == 1);
  }
  CHECK_TRUE(union_of(everybody).count(min_hlevel(t, MPI_COMM_WORLD, everybody)) == 1);

  // Guided: ranks within the same object of a type.
  for (hwloc_obj_type_t type :
       {HWLOC_OBJ_MACHINE, HWLOC_OBJ_PACKAGE, HWLOC_OBJ_NUMANODE, HWLOC_OBJ_CORE, HWLOC_OBJ_PU}) {
    std::vector<int> object(size, -1);
    for (int r = 0; r < size; ++r) {
      for (hwloc_obj_t o = nullptr; (o = hwloc_get_next_obj_by_type(topology, type, o)) != nullptr;) {
        if (hwloc_bitmap_isincluded(bindings[r], o->cpuset)) object[r] = static_cast<int>(o->logical_index);
      }
    }
    const Siblings wanted = siblings_of(object, me, [](int) { return true; });
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, const_cast<char*>("mpi_hw_resource_type"), const_cast<char*>(hwloc_obj_type_string(type)));
    MPI_Comm guided = MPI_COMM_WORLD;
    CHECK_EQ(MPI_SUCCESS, MPIX_Comm_split_type(MPI_COMM_WORLD, MPIX_COMM_TYPE_HW_GUIDED, me, info, &guided));
    CHECK_EQ(wanted.members, members_of(guided));
    MPI_Info_free(&info);
    int got_num = 0, got_index = -1;
    if (guided != MPI_COMM_NULL) {
      CHECK_EQ(MPI_SUCCESS, MPIX_Comm_get_hlevel_info(guided, &got_num, &got_index, nullptr));
      CHECK_EQ(wanted.num_comms, got_num);
      CHECK_EQ(wanted.index, got_index);
    }
    release(guided);
    // The info also says whether the process is within such an object.
    MPI_Info resources;
    CHECK_EQ(MPI_SUCCESS, MPIX_Get_hw_resource_info(&resources));
    const std::string uri = std::string("hwloc://") + hwloc_obj_type_string(type);
    std::array<char, 8> value{};
    int found = 0;
    MPI_Info_get(resources, const_cast<char*>(uri.c_str()), 7, value.data(), &found);
    CHECK_EQ(1, found);
    CHECK_EQ(std::string(object[me] >= 0 ? "true" : "false"), std::string(value.data()));
    MPI_Info_free(&resources);
  }

  // One split: by the child of the object that covers all bindings.
  MPI_Comm comm = MPI_COMM_NULL, roots = MPI_COMM_NULL;
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_hsplit_with_roots(MPI_COMM_WORLD, MPI_INFO_NULL, &comm, &roots));
  const hwloc_obj_t object = hwloc_get_obj_covering_cpuset(topology, all);
  Ranks expected;
  for (hwloc_obj_t child = object->first_child; child != nullptr; child = child->next_sibling) {
    if (!hwloc_bitmap_isincluded(mine, child->cpuset)) continue;
    for (int r = 0; r < size; ++r) {
      if (hwloc_bitmap_isincluded(bindings[r], child->cpuset)) expected.push_back(r);
    }
  }
  if (expected.size() == static_cast<size_t>(size)) expected.clear();  // all on one core, which has a single PU
  CHECK_EQ(expected, members_of(comm));
  if (me == 0) std::printf("rank 0: %zu members one level below\n", members_of(comm).size());
  release(comm);
  release(roots);
  for (hwloc_bitmap_t b : bindings) hwloc_bitmap_free(b);
  hwloc_bitmap_free(all);
  hwloc_bitmap_free(mine);
  hwloc_topology_destroy(topology);
}

// Ranks of one node to which hwloc shows different trees: it is only known that they share the node.
void test_mixed_trees(Checks& t) {
  const int me = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  Ranks everybody(size);
  std::iota(everybody.begin(), everybody.end(), 0);
  MPI_Comm comm = MPI_COMM_NULL, roots = MPI_COMM_NULL;
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, me, MPI_INFO_NULL, &comm));
  CHECK_EQ(everybody, members_of(comm));
  check_info(t, comm, 1, 0, "Machine");
  release(comm);
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_hsplit_with_roots(MPI_COMM_WORLD, MPI_INFO_NULL, &comm, &roots));
  CHECK_TRUE(comm == MPI_COMM_NULL);
  CHECK_TRUE(roots == MPI_COMM_NULL);
  CHECK_EQ(std::string("Machine"), min_hlevel(t, MPI_COMM_WORLD, everybody));
  test_broadcast(t, MPI_COMM_WORLD, true);
}

// A rank without a binding fails, and the other ranks get an error instead of waiting.
void test_short(Checks& t) {
  MPI_Comm quiet = quiet_world(), comm = MPI_COMM_WORLD, roots = MPI_COMM_WORLD;
  const int other = MPI_ERR_OTHER, me = rank_in(quiet);
  CHECK_EQ(other, class_of(MPIX_Comm_hsplit_with_roots(quiet, MPI_INFO_NULL, &comm, &roots)));
  CHECK_TRUE(comm == MPI_COMM_NULL);
  CHECK_TRUE(roots == MPI_COMM_NULL);
  MPI_Info package;
  MPI_Info_create(&package);
  MPI_Info_set(package, const_cast<char*>("mpi_hw_resource_type"), const_cast<char*>("Package"));
  for (int type : {static_cast<int>(MPI_COMM_TYPE_SHARED), MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY, MPIX_COMM_TYPE_HW_UNGUIDED,
                   MPIX_COMM_TYPE_HW_GUIDED, MPIX_COMM_TYPE_RESOURCE_GUIDED}) {
    comm = MPI_COMM_WORLD;
    CHECK_EQ(other, class_of(MPIX_Comm_split_type(quiet, type, 0, package, &comm)));
    CHECK_TRUE(comm == MPI_COMM_NULL);
  }
  MPI_Info_free(&package);
  int depth = -1;
  CHECK_EQ(other, class_of(MPIX_Comm_hsplit_all(quiet, MPI_INFO_NULL, 1, &comm, &roots, &depth)));
  CHECK_TRUE(comm == MPI_COMM_NULL);
  CHECK_TRUE(roots == MPI_COMM_NULL);
  char* type = nullptr;
  CHECK_EQ(other, class_of(MPIX_Comm_get_min_hlevel(quiet, 1, &me, &type)));
  // Failed calls leave no communicator behind; this is repeated more often than MPICH has context ids.
  for (int i = 0; i < 2100; ++i) {
    MPIX_Hierarchy h = MPIX_HIERARCHY_NULL;
    CHECK_EQ(other, class_of(MPIX_Hierarchy_create(quiet, MPI_INFO_NULL, &h)));
    CHECK_TRUE(h == MPIX_HIERARCHY_NULL);
  }
  // A broadcast does not need places.
  check_contiguous(t, {quiet, MPIX_HIERARCHY_NULL, MPIX_ALGORITHM_BINOMIAL}, 7, 0);
  MPI_Comm_free(&quiet);
}

void test_everything(Checks& t, bool real) {
  const int me = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  const Expected e(std::getenv("STRATA_PLACEMENT"));
  t.run("levels", [&] { test_levels(t, e); });
  t.run("split type", [&] { test_split_type(t, e); });
  t.run("lowest level", [&] { test_min_hlevel(t, e); });
  t.run("errors", [&] { test_errors(t, real); });
  t.run("user attributes", [&] { test_user_attributes(t); });
  t.run("broadcast", [&] { test_broadcast(t, MPI_COMM_WORLD, real); });
  t.run("broadcast, one rank", [&] { test_broadcast(t, MPI_COMM_SELF, real); });
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, me % 2, size - me, &half);  // every second rank, in reverse order
  t.run("broadcast, every second rank", [&] { test_broadcast(t, half, real); });
  t.run("user messages, every second rank", [&] { test_user_messages(t, half); });
  MPI_Comm_free(&half);
  t.run("user messages", [&] { test_user_messages(t, MPI_COMM_WORLD); });
}

}  // namespace

int main(int argc, char** argv) {
  const std::set<std::string> words(argv + 1, argv + argc);
  const bool real = words.count("real") != 0, threads = words.count("threads") != 0;
  int provided = MPI_THREAD_SINGLE;
  if (threads) {
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  } else {
    MPI_Init(&argc, &argv);
  }
  Checks t(rank_in(MPI_COMM_WORLD));
  g_my_rank = rank_in(MPI_COMM_WORLD);
  int cycles = 0;
  for (const std::string& w : words) {
    if (w.rfind("cycles=", 0) == 0) cycles = std::atoi(w.c_str() + 7);
  }
  if (cycles > 0) {
    for (int i = 0; i < cycles; ++i) {
      t.run("cycles", [&] { create_and_free(t, MPI_COMM_WORLD); });
      MPI_Comm kept = MPI_COMM_NULL;
      if (words.count("leak") != 0) MPIX_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &kept);
    }
  } else if (words.count("live") != 0) {
    t.run("this machine", [&] { test_live(t); });
  } else if (words.count("mixed-trees") != 0) {
    t.run("mixed trees", [&] { test_mixed_trees(t); });
  } else if (words.count("short") != 0) {
    t.run("a rank without a binding", [&] { test_short(t); });
  } else if (threads) {
    CHECK_EQ(static_cast<int>(MPI_THREAD_MULTIPLE), provided);
    if (provided == MPI_THREAD_MULTIPLE) t.run("threads", [&] { test_threads(t); });
  } else {
    test_everything(t, real);
  }
  if (words.count("private") != 0) {
    CHECK_EQ(rank_in(MPI_COMM_WORLD), g_my_rank);
  }
  const int result = t.finish();
  MPI_Finalize();
  return result;
}
