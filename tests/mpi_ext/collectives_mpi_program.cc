// SPDX-License-Identifier: LGPL-2.1-only
// Tests of the collectives in an MPI program, which runs under SMPI, Open MPI and MPICH. Results are compared with a
// slow definition (a fold in the order of the ranks, lists of messages) and with MPI's own function.
//
//   sizes=A,B,...    communicators of the first A, B, ... ranks of the world; default: all numbers of ranks
//   groups=AxBx...   the hierarchy that divides the first A B ... ranks into A blocks, these into B blocks each, ...
//   brief            fewer roots (but every root over given groups), counts and segment sizes
//   real             features that SMPI lacks: intercommunicators, MPI_BOTTOM, truncated messages
//   errors           wrong arguments
//   charge=B         the time charged for a combination; B: the host's copy bandwidth (B/s), or 0 if it has none
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "mpi_ext/adapter/charge.h"
#include "mpi_ext/coll/tree.h"
#include "mpi_ext/context/context.h"
#include "mpi_ext/mpix.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/guarded_buffers.h"
#include "tests/mpi_ext/users_message.h"

namespace {

using namespace strata::mpix::testing;  // NOLINT: checks and payload

// ---------------------------------------------------------------------------------------------------------- messages

struct Sent {
  int to;  // rank in the communicator of the message
  long bytes;
  bool operator==(const Sent&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const Sent& s) { return out << s.bytes << "B to " << s.to; }
};

// The messages of each rank of MPI_COMM_WORLD, in order. By rank, because ranks may share globals.
std::array<std::vector<Sent>, 64> g_sent;

std::vector<Sent>& my_sent() {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return g_sent[rank];
}

}  // namespace

// Called through the profiling interface for all messages of the library.
extern "C" int MPI_Isend(const void* buffer, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                         MPI_Request* request) {
  int size = 0;
  PMPI_Type_size(datatype, &size);
  my_sent().push_back({dest, static_cast<long>(count) * size});
  return PMPI_Isend(buffer, count, datatype, dest, tag, comm, request);
}

namespace {

struct Traffic {
  long messages, bytes;
  bool operator==(const Traffic&) const = default;
  Traffic operator+(const Traffic& more) const { return {messages + more.messages, bytes + more.bytes}; }
  friend std::ostream& operator<<(std::ostream& out, const Traffic& t) {
    return out << t.messages << " messages of " << t.bytes << " B";
  }
};

// Messages of all members since `my_sent` was cleared.
Traffic traffic_of(MPI_Comm comm) {
  std::array<long, 2> mine{static_cast<long>(my_sent().size()), 0}, all{};
  for (const Sent& s : my_sent()) mine[1] += s.bytes;
  MPI_Allreduce(mine.data(), all.data(), 2, MPI_LONG, MPI_SUM, comm);
  return {all[0], all[1]};
}

// ------------------------------------------------------------------------------------------------------ communicators

// Communicators of one shape: their number, members of each, and ranks below each member.
struct Alike {
  long number;
  int members, below;
};

// A communicator and its hierarchy.
struct Over {
  MPI_Comm comm;
  MPIX_Hierarchy hierarchy;  // the variant under test; null for the native one
  bool brief, real;
  std::vector<int> groups = {};  // the hierarchy's groups; empty for one of the topology
  int size() const { return size_of(comm); }
  int rank() const { return rank_in(comm); }
  bool hierarchical() const { return hierarchy != MPIX_HIERARCHY_NULL; }

  // True if the communicators on which an algorithm runs are known. Those of a topology are not: one communicator of
  // all ranks represents them. It has as many messages if each rank sends or receives one, and as many bytes if all
  // messages have the same size.
  bool are_known() const { return !hierarchical() || !groups.empty(); }
  std::vector<Alike> communicators() const {
    if (groups.empty()) return {{1, size(), 1}};
    std::vector<Alike> all;
    long number = 1;
    int below = size();
    for (const int n : groups) {
      below /= n;
      if (n > 1) all.push_back({number, n, below});
      number *= n;
    }
    return all;
  }
  std::vector<int> roots() const {
    std::set<int> some;
    for (int r = 0; r < size(); ++r) {
      if (!brief || !groups.empty() || r == 0 || r == 1 || r == size() / 2 || r == size() - 1) some.insert(r);
    }
    return {some.rbegin(), some.rend()};  // begins with a root other than 0, when contexts are created
  }
  int bcast(void* buffer, int count, MPI_Datatype type, int root, int algorithm, int segment) const {
    return hierarchical() ? MPIX_Hierarchy_bcast(buffer, count, type, root, hierarchy, algorithm, segment)
                          : MPIX_Bcast(buffer, count, type, root, comm, algorithm, segment);
  }
  int allreduce(const void* send, void* recv, int count, MPI_Datatype type, MPI_Op op, int algorithm,
                int segment) const {
    return hierarchical() ? MPIX_Hierarchy_allreduce(send, recv, count, type, op, hierarchy, algorithm, segment)
                          : MPIX_Allreduce(send, recv, count, type, op, comm, algorithm, segment);
  }
  int gather(const void* send, int sendcount, MPI_Datatype sendtype, void* recv, int recvcount, MPI_Datatype recvtype,
             int root, int algorithm) const {
    return hierarchical()
               ? MPIX_Hierarchy_gather(send, sendcount, sendtype, recv, recvcount, recvtype, root, hierarchy, algorithm)
               : MPIX_Gather(send, sendcount, sendtype, recv, recvcount, recvtype, root, comm, algorithm);
  }
  int scatter(const void* send, int sendcount, MPI_Datatype sendtype, void* recv, int recvcount, MPI_Datatype recvtype,
              int root, int algorithm) const {
    return hierarchical() ? MPIX_Hierarchy_scatter(send, sendcount, sendtype, recv, recvcount, recvtype, root,
                                                   hierarchy, algorithm)
                          : MPIX_Scatter(send, sendcount, sendtype, recv, recvcount, recvtype, root, comm, algorithm);
  }
  int allgather(const void* send, int sendcount, MPI_Datatype sendtype, void* recv, int recvcount,
                MPI_Datatype recvtype, int algorithm) const {
    return hierarchical()
               ? MPIX_Hierarchy_allgather(send, sendcount, sendtype, recv, recvcount, recvtype, hierarchy, algorithm)
               : MPIX_Allgather(send, sendcount, sendtype, recv, recvcount, recvtype, comm, algorithm);
  }
  int barrier(int algorithm) const {
    return hierarchical() ? MPIX_Hierarchy_barrier(hierarchy, algorithm) : MPIX_Barrier(comm, algorithm);
  }
  int reduce(const void* send, void* recv, int count, MPI_Datatype type, MPI_Op op, int root, int algorithm,
             int segment) const {
    return hierarchical() ? MPIX_Hierarchy_reduce(send, recv, count, type, op, root, hierarchy, algorithm, segment)
                          : MPIX_Reduce(send, recv, count, type, op, root, comm, algorithm, segment);
  }
};

// The sum of the traffic of all communicators.
template <class Function>
Traffic sum(const Over& over, Function traffic) {
  Traffic all{0, 0};
  for (const Alike& a : over.communicators()) {
    const Traffic one = traffic(a);
    all = all + Traffic{a.number * one.messages, a.number * one.bytes};
  }
  return all;
}

// In a hierarchy there is one message between rank 0 and any other root.
Traffic between_roots(const Over& over, int root, long bytes) {
  return over.hierarchical() && root != 0 && bytes > 0 ? Traffic{1, bytes} : Traffic{0, 0};
}

// The largest power of two up to `size`, the remainder, and the power's logarithm.
struct PowerOfTwo {
  long power = 1, rest = 0, logarithm = 0;
  explicit PowerOfTwo(int size) {
    for (; 2 * power <= size; power *= 2) ++logarithm;
    rest = size - power;
  }
};

// Layouts other than kPair. SMPI 3.32 sends several elements of most of them wrongly: it places an element at the end
// of the last block of the previous element, and ignores the extent.
std::vector<Layout> layouts(const Over& over) {
  return over.real ? std::vector{kGaps, kSwapped, kNegative, kBackwards} : std::vector{kGaps};
}

// How a message is divided into segments. Elements have 8 bytes.
struct Cut {
  int count, segment_bytes;
  // By the definition in mpix.h, segment by segment.
  static std::vector<long> segments(int count, int segment_bytes) {
    std::vector<long> bytes;
    const int whole = segment_bytes == 0 ? count : std::max(segment_bytes / 8, 1);
    for (int left = count; left > 0; left -= whole) bytes.push_back(8L * std::min(left, whole));
    return bytes;
  }
  std::vector<long> segments() const { return segments(count, segment_bytes); }
};

std::vector<Cut> cuts(bool brief) {
  if (brief) return {{0, 0}, {1, 0}, {7, 20}, {520, 0}};
  return {{0, 0}, {0, 8},  {1, 0},  {1, 1},  {2, 0},   {2, 8},     {3, 16},
          {5, 1}, {7, 20}, {7, 24}, {7, 57}, {600, 0}, {600, 1000}};
}

constexpr std::array kBcasts = {MPIX_ALGORITHM_LINEAR,       MPIX_ALGORITHM_CHAIN,  MPIX_ALGORITHM_PIPELINE,
                                MPIX_ALGORITHM_SPLIT_BINARY, MPIX_ALGORITHM_BINARY, MPIX_ALGORITHM_BINOMIAL};
constexpr std::array kReduces = {MPIX_ALGORITHM_LINEAR, MPIX_ALGORITHM_CHAIN,    MPIX_ALGORITHM_PIPELINE,
                                 MPIX_ALGORITHM_BINARY, MPIX_ALGORITHM_BINOMIAL, MPIX_ALGORITHM_IN_ORDER_BINARY};

long bytes_of(const std::vector<long>& segments) { return std::accumulate(segments.begin(), segments.end(), 0L); }

// -------------------------------------------------------------------------------------------------------- broadcast

// By the shape of the tree: every rank except the root gets every segment once. Split binary: a rank gets the segments
// of its half, and then the other half.
Traffic bcast_traffic(int size, int algorithm, const Cut& cut) {
  const long others = size - 1;
  const std::vector<long> whole = cut.segments();
  if (algorithm == MPIX_ALGORITHM_LINEAR) return {whole.empty() ? 0 : others, others * bytes_of(whole)};
  const int right = cut.count / 2, left = cut.count - right;
  const int segment = cut.segment_bytes == 0 ? 0 : std::max(cut.segment_bytes, 8);
  if (algorithm != MPIX_ALGORITHM_SPLIT_BINARY || right == 0 || segment > 8 * right) {
    return {others * static_cast<long>(whole.size()), others * bytes_of(whole)};
  }
  const long odd = size / 2, even = others - odd;
  return {odd * static_cast<long>(Cut::segments(left, segment).size() + 1) +
              even * static_cast<long>(Cut::segments(right, segment).size() + 1),
          others * bytes_of(whole)};
}

void check_bcast(Checks& t, const Over& over, const Layout& layout, int algorithm, const Cut& cut, int root) {
  const Type type(layout);
  const std::vector<int> message = contribution_of(root, cut.count, algorithm);
  Buffer buffer(layout, cut.count);
  if (over.rank() == root) buffer.set(message);
  my_sent().clear();
  CHECK_EQ(MPI_SUCCESS, over.bcast(buffer.data(), cut.count, type, root, algorithm, cut.segment_bytes));
  const std::vector<Sent> sent = my_sent();
  CHECK_EQ(message, buffer.values());
  CHECK_EQ(0, buffer.touched());
  if (!over.are_known() && algorithm == MPIX_ALGORITHM_SPLIT_BINARY) return;  // depends on the communicators' sizes
  CHECK_EQ(sum(over, [&](const Alike& a) { return bcast_traffic(a.members, algorithm, cut); }) +
               between_roots(over, root, 8L * cut.count),
           traffic_of(over.comm));
  if (over.hierarchical()) return;
  // Receivers, and their order.
  using namespace strata::mpix;  // NOLINT: the trees
  const int rank = over.rank(), size = over.size();
  const std::map<int, Tree> trees = {{MPIX_ALGORITHM_CHAIN, chain_tree(rank, size, root, 4)},
                                     {MPIX_ALGORITHM_PIPELINE, chain_tree(rank, size, root, 1)},
                                     {MPIX_ALGORITHM_BINARY, binary_tree(rank, size, root)},
                                     {MPIX_ALGORITHM_BINOMIAL, binomial_tree(rank, size, root)}};
  const auto tree = trees.find(algorithm);
  if (tree == trees.end()) return;
  std::vector<Sent> in_order;
  for (const long bytes : cut.segments()) {
    for (const int child : tree->second.children) in_order.push_back({child, bytes});
  }
  CHECK_EQ(in_order, sent);
}

void test_bcast(Checks& t, const Over& over) {
  for (const int root : over.roots()) {
    for (const int algorithm : kBcasts) {
      for (const Cut& cut : cuts(over.brief)) check_bcast(t, over, kPair, algorithm, cut, root);
      for (const Layout& layout : layouts(over)) {
        check_bcast(t, over, layout, algorithm, {7, 20}, root);
        if (!over.brief) check_bcast(t, over, layout, algorithm, {3, 0}, root);
      }
    }
  }
}

// ------------------------------------------------------------------------------------------------------------ reduce

enum class Place { kSeparate, kInPlace };

Traffic reduce_traffic(int size, int algorithm, const Operation& operation, const Cut& cut, int root) {
  const long others = size - 1;
  const std::vector<long> whole = cut.segments();
  if (algorithm == MPIX_ALGORITHM_LINEAR) return {whole.empty() ? 0 : others, others * bytes_of(whole)};
  Traffic traffic{others * static_cast<long>(whole.size()), others * bytes_of(whole)};
  const bool in_order = algorithm == MPIX_ALGORITHM_IN_ORDER_BINARY || !operation.commutes;
  if (in_order && root != size - 1 && !whole.empty()) {
    traffic.messages += 1;
    traffic.bytes += bytes_of(whole);
  }
  return traffic;
}

void check_reduce(Checks& t, const Over& over, const Layout& layout, const Operation& operation, int algorithm,
                  const Cut& cut, int root, Place place) {
  const Type type(layout);
  const int rank = over.rank(), size = over.size();
  const std::vector<int> mine = contribution_of(rank, cut.count, algorithm);
  Buffer send(layout, cut.count), result(layout, rank == root ? cut.count : 0);
  const bool in_place = rank == root && place == Place::kInPlace;
  (in_place ? result : send).set(mine);
  my_sent().clear();
  CHECK_EQ(MPI_SUCCESS, over.reduce(in_place ? MPI_IN_PLACE : send.data(), rank == root ? result.data() : nullptr,
                                    cut.count, type, operation.op, root, algorithm, cut.segment_bytes));
  const std::vector<Sent> sent = my_sent();
  if (rank == root) {
    CHECK_EQ(fold(operation, size, cut.count, algorithm), result.values());
    CHECK_EQ(0, result.touched());
  }
  if (!in_place) CHECK_EQ(mine, send.values());
  CHECK_EQ(0, send.touched());
  // Each communicator's in-order tree has its own root.
  if (!over.are_known() && (algorithm == MPIX_ALGORITHM_IN_ORDER_BINARY || !operation.commutes)) return;
  const int to = over.hierarchical() ? 0 : root;
  CHECK_EQ(sum(over, [&](const Alike& a) { return reduce_traffic(a.members, algorithm, operation, cut, to); }) +
               between_roots(over, root, 8L * cut.count),
           traffic_of(over.comm));
  if (over.hierarchical()) return;
  // Receivers.
  using namespace strata::mpix;  // NOLINT: the trees
  int parent = rank == root ? -1 : root;
  std::vector<Sent> in_order;
  if (algorithm == MPIX_ALGORITHM_IN_ORDER_BINARY || (!operation.commutes && algorithm != MPIX_ALGORITHM_LINEAR)) {
    parent = in_order_binary_tree(rank, size).parent;
  } else if (algorithm == MPIX_ALGORITHM_CHAIN || algorithm == MPIX_ALGORITHM_PIPELINE) {
    parent = chain_tree(rank, size, root, algorithm == MPIX_ALGORITHM_CHAIN ? 4 : 1).parent;
  } else if (algorithm == MPIX_ALGORITHM_BINARY) {
    parent = binary_tree(rank, size, root).parent;
  } else if (algorithm == MPIX_ALGORITHM_BINOMIAL) {
    parent = in_order_binomial_tree(rank, size, root).parent;
  }
  if (parent < 0 && (rank == root || cut.count == 0)) CHECK_EQ(in_order, sent);
  if (parent < 0) return;
  for (const long bytes : algorithm == MPIX_ALGORITHM_LINEAR ? Cut{cut.count, 0}.segments() : cut.segments()) {
    in_order.push_back({parent, bytes});
  }
  CHECK_EQ(in_order, sent);
}

// MPI's own operations, compared with MPI's own function.
void check_against_mpi(Checks& t, const Over& over, int algorithm, int root) {
  constexpr int kCount = 11;
  const int rank = over.rank();
  std::vector<double> send(kCount);
  for (int i = 0; i < kCount; ++i) send[i] = (rank * 31 + i * 17) % 101;  // sums are exact
  for (const MPI_Op op : {MPI_SUM, MPI_MAX, MPI_PROD}) {
    if (op == MPI_PROD) {
      for (double& x : send) x = 1 << (static_cast<int>(x) % 3);
    }
    std::vector<double> expected(kCount, -1), got(kCount, -1);
    MPI_Reduce(send.data(), expected.data(), kCount, MPI_DOUBLE, op, root, over.comm);
    CHECK_EQ(MPI_SUCCESS, over.reduce(send.data(), got.data(), kCount, MPI_DOUBLE, op, root, algorithm, 24));
    CHECK_EQ(expected, got);
  }
}

void test_reduce(Checks& t, const Over& over) {
  const Operation affine(compose, compose_all, false), sum(add, add_all, true);
  for (const int root : over.roots()) {
    for (const int algorithm : kReduces) {
      for (const Operation* operation : {&affine, &sum}) {
        for (const Cut& cut : cuts(over.brief)) {
          check_reduce(t, over, kPair, *operation, algorithm, cut, root, Place::kSeparate);
        }
        check_reduce(t, over, kPair, *operation, algorithm, {7, 20}, root, Place::kInPlace);
        for (const Layout& layout : layouts(over)) {
          check_reduce(t, over, layout, *operation, algorithm, {7, 20}, root, Place::kSeparate);
          check_reduce(t, over, layout, *operation, algorithm, {3, 0}, root, Place::kInPlace);
        }
      }
      check_against_mpi(t, over, algorithm, root);
    }
  }
}

// --------------------------------------------------------------------------------------------------------- allreduce

constexpr std::array kAllreduces = {MPIX_ALGORITHM_LINEAR, MPIX_ALGORITHM_CHAIN,    MPIX_ALGORITHM_PIPELINE,
                                    MPIX_ALGORITHM_BINARY, MPIX_ALGORITHM_BINOMIAL, MPIX_ALGORITHM_RECURSIVE_DOUBLING};

void check_allreduce(Checks& t, const Over& over, const Layout& layout, const Operation& operation, int algorithm,
                     const Cut& cut, Place place) {
  const Type type(layout);
  const int size = over.size();
  const std::vector<int> mine = contribution_of(over.rank(), cut.count, algorithm);
  Buffer send(layout, cut.count), result(layout, cut.count);
  const bool in_place = place == Place::kInPlace;
  (in_place ? result : send).set(mine);
  my_sent().clear();
  CHECK_EQ(MPI_SUCCESS, over.allreduce(in_place ? MPI_IN_PLACE : send.data(), result.data(), cut.count, type,
                                       operation.op, algorithm, cut.segment_bytes));
  CHECK_EQ(fold(operation, size, cut.count, algorithm), result.values());
  CHECK_EQ(0, result.touched());
  if (!in_place) CHECK_EQ(mine, send.values());
  CHECK_EQ(0, send.touched());
  Traffic expected{0, 0};
  if (algorithm == MPIX_ALGORITHM_RECURSIVE_DOUBLING) {
    const PowerOfTwo p(size);
    expected.messages = cut.count == 0 ? 0 : 2 * p.rest + p.power * p.logarithm;
    expected.bytes = expected.messages * 8 * cut.count;
  } else {
    if (!over.are_known() && !operation.commutes) return;  // in-order trees have their own roots
    expected = sum(over, [&](const Alike& a) {
      return reduce_traffic(a.members, algorithm, operation, cut, 0) + bcast_traffic(a.members, algorithm, cut);
    });
  }
  CHECK_EQ(expected, traffic_of(over.comm));
}

void test_allreduce(Checks& t, const Over& over) {
  const Operation affine(compose, compose_all, false), sum(add, add_all, true);
  for (const int algorithm : kAllreduces) {
    if (over.hierarchical() && algorithm == MPIX_ALGORITHM_RECURSIVE_DOUBLING) continue;
    for (const Operation* operation : {&affine, &sum}) {
      for (const Cut& cut : cuts(over.brief)) {
        check_allreduce(t, over, kPair, *operation, algorithm, cut, Place::kSeparate);
        check_allreduce(t, over, kPair, *operation, algorithm, cut, Place::kInPlace);
      }
      for (const Layout& layout : layouts(over)) {
        check_allreduce(t, over, layout, *operation, algorithm, {7, 20}, Place::kSeparate);
        check_allreduce(t, over, layout, *operation, algorithm, {3, 0}, Place::kInPlace);
      }
    }
    std::array<long, 3> mine{over.rank() + 1L, -over.rank(), 7}, expected{}, got{};
    MPI_Allreduce(mine.data(), expected.data(), 3, MPI_LONG, MPI_SUM, over.comm);
    CHECK_EQ(MPI_SUCCESS, over.allreduce(mine.data(), got.data(), 3, MPI_LONG, MPI_SUM, algorithm, 8));
    CHECK_TRUE(expected == got);
  }
}

// ----------------------------------------------------------------------------------------- gather, scatter, allgather

std::vector<Exchange> exchanges(const Over& over) {
  std::vector<Exchange> all = {{{kPair, 1}, {kPair, 1}}, {{kPair, 3}, {kPair, 3}}, {{kPair, 0}, {kPair, 0}},
                               {{kPair, 4}, {kGaps, 4}}, {{kGaps, 2}, {kPair, 2}}, {{kPair, 700}, {kPair, 700}}};
  if (over.real) {
    all.insert(all.end(),
               {{{kSwapped, 3}, {kNegative, 3}}, {{kBackwards, 5}, {kSwapped, 5}}, {{kNegative, 2}, {kBackwards, 2}}});
  }
  return all;
}

// One message per rank. Linear: its block of `count` elements. Binomial: the blocks of its subtree, counted through the
// parents, which result from clearing the lowest bit.
Traffic gather_traffic(int size, int algorithm, long count) {
  long blocks = 0;
  for (int v = 1; v < size; ++v) {
    for (int w = v; w > 0; w = algorithm == MPIX_ALGORITHM_LINEAR ? 0 : w & (w - 1)) ++blocks;
  }
  return {count == 0 ? 0L : size - 1, 8 * blocks * count};
}

// The first gather or scatter over a hierarchy is not counted: it exchanges messages about the sizes and the order of
// subtrees.
enum class Counted { kNo, kYes };

// `besides`: messages other than those of a gather to, or a scatter from, the roots of the communicators.
void check_gather_traffic(Checks& t, const Over& over, int algorithm, int count, const Traffic& besides) {
  const Traffic expected = besides + sum(over, [&](const Alike& a) {
                             return gather_traffic(a.members, algorithm, static_cast<long>(a.below) * count);
                           });
  const Traffic got = traffic_of(over.comm);
  CHECK_EQ(expected.messages, got.messages);
  if (over.are_known()) CHECK_EQ(expected.bytes, got.bytes);
}

void check_gather(Checks& t, const Over& over, const Exchange& e, int algorithm, int root, Place place,
                  Counted counted = Counted::kYes) {
  const Type sendtype(e.sent.layout), recvtype(e.received.layout);
  const int rank = over.rank(), size = over.size(), count = e.sent.count;
  const bool in_place = rank == root && place == Place::kInPlace;
  const std::vector<int> mine = contribution_of(rank, count, algorithm);
  Buffer send(e.sent.layout, count), all(e.received.layout, rank == root ? size * count : 0);
  send.set(mine);
  if (in_place) all.set(mine, root * count);
  my_sent().clear();
  CHECK_EQ(MPI_SUCCESS,
           over.gather(in_place ? MPI_IN_PLACE : send.data(), in_place ? -1 : count, sendtype,
                       rank == root ? all.data() : nullptr, rank == root ? count : -1, recvtype, root, algorithm));
  if (rank == root) CHECK_EQ(all_contributions(size, count, algorithm), all.values());
  CHECK_EQ(0, all.touched());
  CHECK_EQ(0, send.touched());
  CHECK_EQ(mine, send.values());
  if (counted == Counted::kNo) return;
  check_gather_traffic(t, over, algorithm, count, between_roots(over, root, 8L * size * count));
}

void check_scatter(Checks& t, const Over& over, const Exchange& e, int algorithm, int root, Place place,
                   Counted counted = Counted::kYes) {
  const Type sendtype(e.sent.layout), recvtype(e.received.layout);
  const int rank = over.rank(), size = over.size(), count = e.sent.count;
  const bool in_place = rank == root && place == Place::kInPlace;
  Buffer all(e.sent.layout, rank == root ? size * count : 0), got(e.received.layout, count);
  const std::vector<int> blocks = all_contributions(size, count, algorithm);
  if (rank == root) all.set(blocks);
  my_sent().clear();
  CHECK_EQ(MPI_SUCCESS,
           over.scatter(rank == root ? all.data() : nullptr, rank == root ? count : -1, sendtype,
                        in_place ? MPI_IN_PLACE : got.data(), in_place ? -1 : count, recvtype, root, algorithm));
  CHECK_EQ(in_place ? std::vector<int>(2 * count, kUntouched) : contribution_of(rank, count, algorithm), got.values());
  CHECK_EQ(0, got.touched());
  if (rank == root) CHECK_EQ(blocks, all.values());
  CHECK_EQ(0, all.touched());
  if (counted == Counted::kNo) return;
  check_gather_traffic(t, over, algorithm, count, between_roots(over, root, 8L * size * count));
}

void check_allgather(Checks& t, const Over& over, const Exchange& e, int algorithm, Place place,
                     Counted counted = Counted::kYes) {
  const Type sendtype(e.sent.layout), recvtype(e.received.layout);
  const int rank = over.rank(), size = over.size(), count = e.sent.count;
  const bool in_place = place == Place::kInPlace;
  const std::vector<int> mine = contribution_of(rank, count, algorithm);
  Buffer send(e.sent.layout, count), all(e.received.layout, size * count);
  send.set(mine);
  if (in_place) all.set(mine, rank * count);
  my_sent().clear();
  CHECK_EQ(MPI_SUCCESS, over.allgather(in_place ? MPI_IN_PLACE : send.data(), in_place ? -1 : count, sendtype,
                                       all.data(), count, recvtype, algorithm));
  CHECK_EQ(all_contributions(size, count, algorithm), all.values());
  CHECK_EQ(0, all.touched());
  CHECK_EQ(mine, send.values());
  if (counted == Counted::kNo) return;
  const long others = size - 1;
  if (algorithm == MPIX_ALGORITHM_RING) {
    CHECK_EQ((Traffic{count == 0 ? 0 : others * size, others * size * 8 * count}), traffic_of(over.comm));
  } else {
    check_gather_traffic(t, over, algorithm, count, {count == 0 ? 0 : others, others * size * 8 * count});
  }
}

void test_gather(Checks& t, const Over& over) {
  const Exchange one{{kPair, 1}, {kPair, 1}};
  check_gather(t, over, one, MPIX_ALGORITHM_BINOMIAL, over.size() - 1, Place::kSeparate, Counted::kNo);
  for (const int root : over.roots()) {
    for (const int algorithm : {MPIX_ALGORITHM_LINEAR, MPIX_ALGORITHM_BINOMIAL}) {
      for (const Exchange& e : exchanges(over)) {
        check_gather(t, over, e, algorithm, root, Place::kSeparate);
        check_gather(t, over, e, algorithm, root, Place::kInPlace);
      }
    }
  }
}

void test_scatter(Checks& t, const Over& over) {
  const Exchange one{{kPair, 1}, {kPair, 1}};
  check_scatter(t, over, one, MPIX_ALGORITHM_BINOMIAL, over.size() - 1, Place::kSeparate, Counted::kNo);
  for (const int root : over.roots()) {
    for (const int algorithm : {MPIX_ALGORITHM_LINEAR, MPIX_ALGORITHM_BINOMIAL}) {
      for (const Exchange& e : exchanges(over)) {
        check_scatter(t, over, e, algorithm, root, Place::kSeparate);
        check_scatter(t, over, e, algorithm, root, Place::kInPlace);
      }
    }
  }
}

void test_allgather(Checks& t, const Over& over) {
  const Exchange one{{kPair, 1}, {kPair, 1}};
  check_allgather(t, over, one, MPIX_ALGORITHM_BINOMIAL, Place::kSeparate, Counted::kNo);
  for (const int algorithm : {MPIX_ALGORITHM_LINEAR, MPIX_ALGORITHM_BINOMIAL, MPIX_ALGORITHM_RING}) {
    if (over.hierarchical() && algorithm == MPIX_ALGORITHM_RING) continue;
    for (const Exchange& e : exchanges(over)) {
      check_allgather(t, over, e, algorithm, Place::kSeparate);
      check_allgather(t, over, e, algorithm, Place::kInPlace);
    }
    // Counts and datatypes that differ between sender and receiver: a block is one element here, and pairs there.
    MPI_Datatype three;
    MPI_Type_contiguous(6, MPI_INT, &three);
    MPI_Type_commit(&three);
    const int size = over.size();
    const std::vector<int> mine = contribution_of(over.rank(), 3);
    std::vector<int> got(6 * size + 1, kUntouched), expected = all_contributions(size, 3, 0);
    expected.push_back(kUntouched);
    CHECK_EQ(MPI_SUCCESS, over.allgather(mine.data(), 1, three, got.data(), 6, MPI_INT, algorithm));
    CHECK_EQ(expected, got);
    std::vector<int> by_mpi(6 * size + 1, kUntouched);
    MPI_Allgather(mine.data(), 6, MPI_INT, by_mpi.data(), 6, MPI_INT, over.comm);  // SMPI fails if the two sides differ
    CHECK_EQ(by_mpi, got);
    MPI_Type_free(&three);
  }
}

// ----------------------------------------------------------------------------------------------------------- barrier

// Number of ranks of MPI_COMM_WORLD that have reached the barrier. Only used if ranks share globals.
int g_arrived;

void test_barrier(Checks& t, const Over& over) {
  const bool shared_globals = !over.real;
  const int size = over.size();
  for (const int algorithm : {MPIX_ALGORITHM_LINEAR, MPIX_ALGORITHM_BINOMIAL, MPIX_ALGORITHM_RECURSIVE_DOUBLING}) {
    const bool doubling = algorithm == MPIX_ALGORITHM_RECURSIVE_DOUBLING;
    if (over.hierarchical() && doubling) continue;
    my_sent().clear();
    CHECK_EQ(MPI_SUCCESS, over.barrier(algorithm));
    const PowerOfTwo p(size);
    CHECK_EQ((Traffic{doubling ? 2 * p.rest + p.power * p.logarithm : 2L * (size - 1), 0}), traffic_of(over.comm));
    // Each rank is late once: no rank leaves the barrier before it.
    for (int late = 0; shared_globals && late < size; ++late) {
      g_arrived = 0;
      MPI_Barrier(over.comm);
      strata::mpix::charge_combine(over.rank() == late ? 100'000'000 : 0);
      ++g_arrived;
      CHECK_EQ(MPI_SUCCESS, over.barrier(algorithm));
      CHECK_EQ(size, g_arrived);
      MPI_Barrier(over.comm);
    }
  }
}

// ------------------------------------------------------------------------------------------------------------ errors

// Errors in a rank's own arguments are found before it sends a message. They call the communicator's handler once.
void test_errors(Checks& t, MPI_Comm world, bool real) {
  MPI_Comm comm;
  MPI_Comm_dup(world, &comm);
  const int rank = rank_in(comm), size = size_of(comm);
  CountedErrors errors(t);
  errors.handle(comm);
  MPIX_Hierarchy h = MPIX_HIERARCHY_NULL;
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_create(comm, MPI_INFO_NULL, &h));
  const Operation sum(add, add_all, true);
  MPI_Datatype uncommitted, empty;
  MPI_Type_contiguous(2, MPI_INT, &uncommitted);
  MPI_Type_contiguous(0, MPI_INT, &empty);
  MPI_Type_commit(&empty);
  std::array<int, 128> many{}, more{};
  int *a = many.data(), *b = more.data();
  for (const Over& o : {Over{comm, MPIX_HIERARCHY_NULL, true, real}, Over{comm, h, true, real}}) {
    constexpr int kLinear = MPIX_ALGORITHM_LINEAR;
    for (const int bad : {-1, 7, 9, 1000}) CHECK_ERROR(MPI_ERR_ARG, o.bcast(a, 1, MPI_INT, 0, bad, 0));
    CHECK_ERROR(MPI_ERR_ARG, o.bcast(a, 1, MPI_INT, 0, MPIX_ALGORITHM_IN_ORDER_BINARY, 0));
    CHECK_ERROR(MPI_ERR_ARG, o.bcast(a, 1, MPI_INT, 0, kLinear, -1));
    CHECK_ERROR(MPI_ERR_COUNT, o.bcast(a, -1, MPI_INT, 0, kLinear, 0));
    CHECK_ERROR(MPI_ERR_TYPE, o.bcast(a, 1, MPI_DATATYPE_NULL, 0, kLinear, 0));
    for (const int bad : {-1, size}) CHECK_ERROR(MPI_ERR_ROOT, o.bcast(a, 1, MPI_INT, bad, kLinear, 0));
    CHECK_ERROR(MPI_ERR_BUFFER, o.bcast(nullptr, 1, MPI_INT, 0, kLinear, 0));
    CHECK_ERROR(MPI_ERR_BUFFER, o.bcast(MPI_IN_PLACE, 1, MPI_INT, 0, kLinear, 0));
    CHECK_EQ(MPI_SUCCESS, o.bcast(nullptr, 0, MPI_INT, 0, kLinear, 0));
    CHECK_EQ(MPI_SUCCESS, o.bcast(nullptr, 5, empty, 0, MPIX_ALGORITHM_SPLIT_BINARY, 1));

    for (const int bad : {-1, 7, 8, 1000}) CHECK_ERROR(MPI_ERR_ARG, o.reduce(a, b, 1, MPI_INT, MPI_SUM, 0, bad, 0));
    CHECK_ERROR(MPI_ERR_ARG, o.reduce(a, b, 1, MPI_INT, MPI_SUM, 0, MPIX_ALGORITHM_SPLIT_BINARY, 0));
    CHECK_ERROR(MPI_ERR_ARG, o.reduce(a, b, 1, MPI_INT, MPI_SUM, 0, kLinear, -1));
    CHECK_ERROR(MPI_ERR_COUNT, o.reduce(a, b, -1, MPI_INT, MPI_SUM, 0, kLinear, 0));
    CHECK_ERROR(MPI_ERR_TYPE, o.reduce(a, b, 1, MPI_DATATYPE_NULL, MPI_SUM, 0, kLinear, 0));
    CHECK_ERROR(MPI_ERR_OP, o.reduce(a, b, 1, MPI_INT, MPI_OP_NULL, 0, kLinear, 0));
    CHECK_ERROR(MPI_ERR_OP, o.reduce(a, b, 1, MPI_DOUBLE, MPI_BAND, 0, kLinear, 0));
    for (const int bad : {-1, size}) {
      CHECK_ERROR(MPI_ERR_ROOT, o.reduce(a, b, 1, MPI_INT, MPI_SUM, bad, kLinear, 0));
    }
    CHECK_ERROR(MPI_ERR_BUFFER, o.reduce(nullptr, b, 1, MPI_INT, MPI_SUM, 0, kLinear, 0));
    CHECK_ERROR(MPI_ERR_BUFFER, o.reduce(a, nullptr, 1, MPI_INT, MPI_SUM, rank, kLinear, 0));
    CHECK_ERROR(MPI_ERR_BUFFER, o.reduce(a, a, 1, MPI_INT, MPI_SUM, rank, kLinear, 0));
    CHECK_ERROR(MPI_ERR_BUFFER, o.reduce(a, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, rank, kLinear, 0));
    if (size > 1) {
      CHECK_ERROR(MPI_ERR_BUFFER, o.reduce(MPI_IN_PLACE, b, 1, MPI_INT, MPI_SUM, (rank + 1) % size, kLinear, 0));
    }
    CHECK_EQ(MPI_SUCCESS, o.reduce(nullptr, nullptr, 0, MPI_INT, MPI_SUM, 0, MPIX_ALGORITHM_CHAIN, 0));
    CHECK_EQ(MPI_SUCCESS, o.reduce(nullptr, nullptr, 3, empty, sum.op, 0, MPIX_ALGORITHM_CHAIN, 0));

    for (const int bad : {-1, 6, 7, 1000}) CHECK_ERROR(MPI_ERR_ARG, o.allreduce(a, b, 1, MPI_INT, MPI_SUM, bad, 0));
    CHECK_ERROR(MPI_ERR_ARG, o.allreduce(a, b, 1, MPI_INT, MPI_SUM, MPIX_ALGORITHM_SPLIT_BINARY, 0));
    if (o.hierarchical()) {
      CHECK_ERROR(MPI_ERR_ARG, o.allreduce(a, b, 1, MPI_INT, MPI_SUM, MPIX_ALGORITHM_RECURSIVE_DOUBLING, 0));
    }
    CHECK_ERROR(MPI_ERR_ARG, o.allreduce(a, b, 1, MPI_INT, MPI_SUM, kLinear, -1));
    CHECK_ERROR(MPI_ERR_COUNT, o.allreduce(a, b, -1, MPI_INT, MPI_SUM, kLinear, 0));
    CHECK_ERROR(MPI_ERR_TYPE, o.allreduce(a, b, 1, MPI_DATATYPE_NULL, MPI_SUM, kLinear, 0));
    CHECK_ERROR(MPI_ERR_OP, o.allreduce(a, b, 1, MPI_INT, MPI_OP_NULL, kLinear, 0));
    CHECK_ERROR(MPI_ERR_BUFFER, o.allreduce(nullptr, b, 1, MPI_INT, MPI_SUM, kLinear, 0));
    CHECK_ERROR(MPI_ERR_BUFFER, o.allreduce(a, nullptr, 1, MPI_INT, MPI_SUM, kLinear, 0));
    CHECK_ERROR(MPI_ERR_BUFFER, o.allreduce(a, a, 1, MPI_INT, MPI_SUM, kLinear, 0));
    CHECK_ERROR(MPI_ERR_BUFFER, o.allreduce(a, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, kLinear, 0));

    for (const int bad : {-1, 1, 7, 8}) {
      CHECK_ERROR(MPI_ERR_ARG, o.gather(a, 1, MPI_INT, b, 1, MPI_INT, 0, bad));
      CHECK_ERROR(MPI_ERR_ARG, o.scatter(a, 1, MPI_INT, b, 1, MPI_INT, 0, bad));
    }
    for (const int bad : {-1, size}) {
      CHECK_ERROR(MPI_ERR_ROOT, o.gather(a, 1, MPI_INT, b, 1, MPI_INT, bad, kLinear));
      CHECK_ERROR(MPI_ERR_ROOT, o.scatter(a, 1, MPI_INT, b, 1, MPI_INT, bad, kLinear));
    }
    CHECK_ERROR(MPI_ERR_COUNT, o.gather(a, -1, MPI_INT, b, 1, MPI_INT, 0, kLinear));
    CHECK_ERROR(MPI_ERR_TYPE, o.gather(a, 1, MPI_DATATYPE_NULL, b, 1, MPI_INT, 0, kLinear));
    CHECK_ERROR(MPI_ERR_BUFFER, o.gather(nullptr, 1, MPI_INT, b, 1, MPI_INT, 0, kLinear));
    CHECK_ERROR(MPI_ERR_COUNT, o.gather(a, 1, MPI_INT, b, -1, MPI_INT, rank, kLinear));
    CHECK_ERROR(MPI_ERR_TYPE, o.gather(a, 1, MPI_INT, b, 1, MPI_DATATYPE_NULL, rank, kLinear));
    CHECK_ERROR(MPI_ERR_BUFFER, o.gather(a, 1, MPI_INT, nullptr, 1, MPI_INT, rank, kLinear));
    CHECK_ERROR(MPI_ERR_BUFFER, o.gather(a, 1, MPI_INT, a, 1, MPI_INT, rank, kLinear));
    CHECK_ERROR(MPI_ERR_BUFFER, o.gather(a, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, rank, kLinear));
    CHECK_ERROR(MPI_ERR_COUNT, o.scatter(a, 1, MPI_INT, b, -1, MPI_INT, 0, kLinear));
    CHECK_ERROR(MPI_ERR_TYPE, o.scatter(a, 1, MPI_INT, b, 1, MPI_DATATYPE_NULL, 0, kLinear));
    CHECK_ERROR(MPI_ERR_BUFFER, o.scatter(a, 1, MPI_INT, nullptr, 1, MPI_INT, 0, kLinear));
    CHECK_ERROR(MPI_ERR_COUNT, o.scatter(a, -1, MPI_INT, b, 1, MPI_INT, rank, kLinear));
    CHECK_ERROR(MPI_ERR_TYPE, o.scatter(a, 1, MPI_DATATYPE_NULL, b, 1, MPI_INT, rank, kLinear));
    CHECK_ERROR(MPI_ERR_BUFFER, o.scatter(nullptr, 1, MPI_INT, b, 1, MPI_INT, rank, kLinear));
    CHECK_ERROR(MPI_ERR_BUFFER, o.scatter(a, 1, MPI_INT, a, 1, MPI_INT, rank, kLinear));
    CHECK_ERROR(MPI_ERR_BUFFER, o.scatter(MPI_IN_PLACE, 1, MPI_INT, b, 1, MPI_INT, rank, kLinear));

    for (const int bad : {-1, 1, 8}) CHECK_ERROR(MPI_ERR_ARG, o.allgather(a, 1, MPI_INT, b, 1, MPI_INT, bad));
    if (o.hierarchical()) CHECK_ERROR(MPI_ERR_ARG, o.allgather(a, 1, MPI_INT, b, 1, MPI_INT, MPIX_ALGORITHM_RING));
    CHECK_ERROR(MPI_ERR_COUNT, o.allgather(a, -1, MPI_INT, b, 1, MPI_INT, kLinear));
    CHECK_ERROR(MPI_ERR_TYPE, o.allgather(a, 1, MPI_DATATYPE_NULL, b, 1, MPI_INT, kLinear));
    CHECK_ERROR(MPI_ERR_BUFFER, o.allgather(nullptr, 1, MPI_INT, b, 1, MPI_INT, kLinear));
    CHECK_ERROR(MPI_ERR_COUNT, o.allgather(a, 1, MPI_INT, b, -1, MPI_INT, kLinear));
    CHECK_ERROR(MPI_ERR_TYPE, o.allgather(a, 1, MPI_INT, b, 1, MPI_DATATYPE_NULL, kLinear));
    CHECK_ERROR(MPI_ERR_BUFFER, o.allgather(a, 1, MPI_INT, nullptr, 1, MPI_INT, kLinear));
    CHECK_ERROR(MPI_ERR_BUFFER, o.allgather(a, 1, MPI_INT, a, 1, MPI_INT, kLinear));
    CHECK_ERROR(MPI_ERR_BUFFER, o.allgather(a, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, kLinear));

    for (const int bad : {-1, 1, 7}) CHECK_ERROR(MPI_ERR_ARG, o.barrier(bad));
    if (o.hierarchical()) CHECK_ERROR(MPI_ERR_ARG, o.barrier(MPIX_ALGORITHM_RECURSIVE_DOUBLING));

    if (real) {  // SMPI has neither
      CHECK_ERROR(MPI_ERR_TYPE, o.bcast(a, 1, uncommitted, 0, kLinear, 0));
      CHECK_ERROR(MPI_ERR_OP, o.reduce(a, b, 1, empty, MPI_SUM, 0, kLinear, 0));
      CHECK_ERROR(MPI_ERR_OP, o.allreduce(a, b, 1, empty, MPI_SUM, kLinear, 0));
    }
  }
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_free(&h));
  MPI_Type_free(&uncommitted);
  MPI_Type_free(&empty);

  if (real && size > 1) {
    // An error during the collective: the others send more than fits into the root's buffer. The root gets the error
    // once, and no rank waits. (MPICH reports errors of MPI_Wait, in which other algorithms receive, to
    // MPI_COMM_WORLD's handler.)
    MPI_Comm one_use;
    MPI_Comm_dup(comm, &one_use);
    if (rank == 0) {
      CHECK_ERROR(MPI_ERR_TRUNCATE, MPIX_Reduce(a, b, 2, MPI_INT, MPI_SUM, 0, one_use, MPIX_ALGORITHM_LINEAR, 0));
    } else {
      CHECK_EQ(MPI_SUCCESS, MPIX_Reduce(a, b, 4, MPI_INT, MPI_SUM, 0, one_use, MPIX_ALGORITHM_LINEAR, 0));
    }
    MPI_Barrier(comm);
#if !defined(MPICH_NUMVERSION) || MPICH_NUMVERSION < 40200000  // 4.2 aborts while it has messages of other ranks
    MPI_Comm_free(&one_use);
#endif
    MPI_Comm half, inter;
    MPI_Comm_split(comm, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, comm, 1 - rank % 2, 5, &inter);
    errors.handle(inter);
    const Over o{inter, MPIX_HIERARCHY_NULL, true, real};
    CHECK_ERROR(MPI_ERR_COMM, o.bcast(a, 1, MPI_INT, 0, 0, 0));
    CHECK_ERROR(MPI_ERR_COMM, o.reduce(a, b, 1, MPI_INT, MPI_SUM, 0, 0, 0));
    CHECK_ERROR(MPI_ERR_COMM, o.allreduce(a, b, 1, MPI_INT, MPI_SUM, 0, 0));
    CHECK_ERROR(MPI_ERR_COMM, o.gather(a, 1, MPI_INT, b, 1, MPI_INT, 0, 0));
    CHECK_ERROR(MPI_ERR_COMM, o.scatter(a, 1, MPI_INT, b, 1, MPI_INT, 0, 0));
    CHECK_ERROR(MPI_ERR_COMM, o.allgather(a, 1, MPI_INT, b, 1, MPI_INT, 0));
    CHECK_ERROR(MPI_ERR_COMM, o.barrier(0));
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
  }
  MPI_Comm_free(&comm);

  // Null handles call MPI_COMM_WORLD's handler.
  errors.handle(MPI_COMM_WORLD);
  const Over null{MPI_COMM_NULL, MPIX_HIERARCHY_NULL, true, real};
  CHECK_ERROR(MPI_ERR_COMM, null.bcast(a, 1, MPI_INT, 0, 0, 0));
  CHECK_ERROR(MPI_ERR_COMM, null.reduce(a, b, 1, MPI_INT, MPI_SUM, 0, 0, 0));
  CHECK_ERROR(MPI_ERR_COMM, null.allreduce(a, b, 1, MPI_INT, MPI_SUM, 0, 0));
  CHECK_ERROR(MPI_ERR_COMM, null.gather(a, 1, MPI_INT, b, 1, MPI_INT, 0, 0));
  CHECK_ERROR(MPI_ERR_COMM, null.scatter(a, 1, MPI_INT, b, 1, MPI_INT, 0, 0));
  CHECK_ERROR(MPI_ERR_COMM, null.allgather(a, 1, MPI_INT, b, 1, MPI_INT, 0));
  CHECK_ERROR(MPI_ERR_COMM, null.barrier(0));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Hierarchy_bcast(a, 1, MPI_INT, 0, MPIX_HIERARCHY_NULL, 0, 0));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Hierarchy_reduce(a, b, 1, MPI_INT, MPI_SUM, 0, MPIX_HIERARCHY_NULL, 0, 0));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Hierarchy_allreduce(a, b, 1, MPI_INT, MPI_SUM, MPIX_HIERARCHY_NULL, 0, 0));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Hierarchy_gather(a, 1, MPI_INT, b, 1, MPI_INT, 0, MPIX_HIERARCHY_NULL, 0));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Hierarchy_scatter(a, 1, MPI_INT, b, 1, MPI_INT, 0, MPIX_HIERARCHY_NULL, 0));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Hierarchy_allgather(a, 1, MPI_INT, b, 1, MPI_INT, MPIX_HIERARCHY_NULL, 0));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Hierarchy_barrier(MPIX_HIERARCHY_NULL, 0));
}

// -------------------------------------------------------------------------------------------------------- further
// tests

// A datatype of absolute addresses, used with MPI_BOTTOM.
void test_bottom(Checks& t, MPI_Comm comm) {
  std::array<int, 2> first{rank_in(comm), 1}, second{2, 3};
  std::array<int, 2> lengths{2, 2};
  std::array<MPI_Aint, 2> places{};
  MPI_Get_address(first.data(), &places[0]);
  MPI_Get_address(second.data(), &places[1]);
  MPI_Datatype absolute;
  MPI_Type_create_hindexed(2, lengths.data(), places.data(), MPI_INT, &absolute);
  MPI_Type_commit(&absolute);
  const int size = size_of(comm);
  CHECK_EQ(MPI_SUCCESS, MPIX_Bcast(MPI_BOTTOM, 1, absolute, size - 1, comm, MPIX_ALGORITHM_BINARY, 0));
  CHECK_EQ(size - 1, first[0]);
  first[0] = rank_in(comm);
  std::vector<int> all(4 * size), expected;
  for (int r = 0; r < size; ++r) expected.insert(expected.end(), {r, 1, 2, 3});
  for (const int algorithm : {MPIX_ALGORITHM_LINEAR, MPIX_ALGORITHM_BINOMIAL, MPIX_ALGORITHM_RING}) {
    std::fill(all.begin(), all.end(), 0);
    CHECK_EQ(MPI_SUCCESS, MPIX_Allgather(MPI_BOTTOM, 1, absolute, all.data(), 4, MPI_INT, comm, algorithm));
    CHECK_EQ(expected, all);
  }
  MPI_Type_free(&absolute);
}

// A combination is charged bytes / bandwidth seconds; nothing on a host without the property.
void test_charge(Checks& t, double bandwidth) {
  constexpr int kCount = 100'000;
  constexpr double kBytes = 8.0 * kCount;
  const int me = rank_in(MPI_COMM_WORLD);
  const double expected = bandwidth > 0 ? kBytes / bandwidth : 0;
  const auto timed = [&](auto&& action) {
    const double start = MPI_Wtime();
    action();
    return MPI_Wtime() - start;
  };
  const double charged = timed([] { strata::mpix::charge_combine(static_cast<std::size_t>(kBytes)); });
  CHECK_TRUE(std::abs(charged - expected) <= 1e-9 * expected);
  // In a reduce of two ranks the root has one message and one combination.
  std::vector<double> mine(kCount, me + 1.0), result(kCount);
  for (const int algorithm : {MPIX_ALGORITHM_LINEAR, MPIX_ALGORITHM_PIPELINE}) {
    const auto reduce = [&] {
      MPIX_Reduce(mine.data(), result.data(), kCount, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD, algorithm, 0);
    };
    const auto message = [&] {
      MPI_Request request;
      if (me == 0) {
        MPI_Irecv(result.data(), kCount, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &request);
      } else {
        MPI_Isend(mine.data(), kCount, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &request);
      }
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    };
    reduce();  // creates its context
    MPI_Barrier(MPI_COMM_WORLD);
    const double reduced = timed(reduce);
    MPI_Barrier(MPI_COMM_WORLD);
    const double sent = timed(message);
    if (me == 0) CHECK_TRUE(std::abs(reduced - sent - expected) <= 1e-6 * reduced);
  }
}

// ------------------------------------------------------------------------------------------------------------- all

// All collectives on `over.comm`, or over hierarchies that `create` makes of it. Each collective gets a new hierarchy,
// so that objects of a first call are created each time. User messages are on all communicators that the user sees.
void test_collectives(Checks& t, Over over, const std::function<int(MPIX_Hierarchy*)>& create = nullptr) {
  using First = UsersMessage::First;
  First first = First::kReceive;
  for (const auto test :
       {test_bcast, test_reduce, test_allreduce, test_gather, test_scatter, test_allgather, test_barrier}) {
    std::deque<UsersMessage> messages;
    messages.emplace_back(over.comm, first);
    int depth = 0;
    if (create) {
      CHECK_EQ(MPI_SUCCESS, create(&over.hierarchy));
      MPIX_Hierarchy_depth(over.hierarchy, &depth);
    }
    for (int level = 0; level < depth; ++level) {
      MPI_Comm members = MPI_COMM_NULL, roots = MPI_COMM_NULL;
      CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_level(over.hierarchy, level, &members, &roots));
      messages.emplace_back(members, first);
      if (roots != MPI_COMM_NULL) messages.emplace_back(roots, first);
    }
    test(t, over);
    for (UsersMessage& m : messages) m.arrives(t);
    if (create) CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_free(&over.hierarchy));
    first = first == First::kReceive ? First::kSend : First::kReceive;
  }
}

void test_everything(Checks& t, MPI_Comm comm, bool brief, bool real) {
  const Over over{comm, MPIX_HIERARCHY_NULL, brief, real};
  test_collectives(t, over);
  test_collectives(t, over, [&](MPIX_Hierarchy* h) { return MPIX_Hierarchy_create(comm, MPI_INFO_NULL, h); });
  if (real) test_bottom(t, comm);
}

// Hierarchies of given groups. Groups are ranges of ranks, so operations that do not commute use them too.
void test_groups(Checks& t, MPI_Comm comm, const std::vector<int>& groups, bool brief, bool real) {
  test_collectives(t, {comm, MPIX_HIERARCHY_NULL, brief, real, groups}, [&](MPIX_Hierarchy* h) {
    return MPIX_Hierarchy_create_groups(comm, static_cast<int>(groups.size()), groups.data(), h);
  });
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  MPI_Init(&argc, &argv);
  const int me = rank_in(MPI_COMM_WORLD), world = size_of(MPI_COMM_WORLD);
  Checks t(me);
  std::vector<int> sizes(world);
  std::iota(sizes.begin(), sizes.end(), 1);
  std::vector<std::vector<int>> hierarchies;
  bool brief = false, real = false, errors = false, all_sizes = true;
  for (const std::string& w : words) {
    if (w == "brief") brief = true;
    if (w == "real") real = true;
    if (w == "errors") errors = true;
    if (w.find('=') == std::string::npos) continue;
    if (std::exchange(all_sizes, false)) sizes.clear();
    if (w.rfind("charge=", 0) == 0) test_charge(t, std::atof(w.c_str() + 7));
    if (w.rfind("sizes=", 0) == 0) sizes = numbers_in(w);
    if (w.rfind("groups=", 0) == 0) hierarchies.push_back(numbers_in(w));
  }
  for (const int size : sizes) {
    on_first(size, MPI_COMM_WORLD, [&](MPI_Comm comm) { test_everything(t, comm, brief, real); });
  }
  for (const std::vector<int>& groups : hierarchies) {
    const int size = std::accumulate(groups.begin(), groups.end(), 1, std::multiplies<>());
    on_first(size, MPI_COMM_WORLD, [&](MPI_Comm comm) { test_groups(t, comm, groups, brief, real); });
  }
  if (errors) test_errors(t, MPI_COMM_WORLD, real);
  const int result = t.finish();
  MPI_Finalize();
  return result;
}
