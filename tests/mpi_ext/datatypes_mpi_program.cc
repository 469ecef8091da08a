// SPDX-License-Identifier: LGPL-2.1-only
// Random nested datatypes in MPI's functions: what their inquiry functions tell, and that data arrive where the type
// map says, in packed buffers, messages, collectives, reductions with the program's operations, and one-sided
// operations. Uses only MPI.
//
//   seed=S rounds=N
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/random_types.h"

namespace {

using namespace strata::mpix::testing;  // NOLINT: the checks

constexpr unsigned char kUntouched = 0xee;

// Faults of the real MPIs, which this does not run into: Open MPI 4.1 refuses some reductions of types without elements
// and tells a bound for them, as MPICH 4.0 does. MPICH's MPI_Get_elements aborts for some types, and so do some
// messages that end within an element. Its MPI_Get and MPI_Put lose elements before the address.
#ifdef SMPI_H
constexpr bool kEmptyTypes = true, kNegativePlaces = true;
#else
constexpr bool kEmptyTypes = false, kNegativePlaces = false;
#endif
// Open MPI's nonblocking reductions write outside their buffers if elements lie outside the extent.
#ifdef OPEN_MPI
constexpr bool kNonblockingAnywhere = false;
#else
constexpr bool kNonblockingAnywhere = true;
#endif
#ifdef MPICH_VERSION
constexpr bool kCountsAllElements = false, kEndsAnywhere = false;
#else
constexpr bool kCountsAllElements = true, kEndsAnywhere = true;
#endif

// Memory around an address, for elements with negative places.
class Memory {
 public:
  explicit Memory(const std::vector<Element>& elements) : Memory(data_bounds(elements)) {}
  explicit Memory(std::array<long, 2> bounds)
      : before_(std::max(0L, -bounds[0]) / 16 * 16 + 64),
        bytes_(static_cast<std::size_t>(before_ + std::max(0L, bounds[1]) + 64), kUntouched) {}

  unsigned char* at(long place = 0) { return bytes_.data() + before_ + place; }
  const unsigned char* at(long place = 0) const { return bytes_.data() + before_ + place; }
  const std::vector<unsigned char>& bytes() const { return bytes_; }

 private:
  long before_;
  std::vector<unsigned char> bytes_;
};

// A value of element `number` of `rank`, that fits into a byte.
int value(int rank, std::size_t number) {
  return 1 + static_cast<int>((number * 7 + static_cast<std::size_t>(rank) * 31) % 100);
}

void put(unsigned char* to, int which, int v) {
  const int i = v;
  const double d = v;
  const auto s = static_cast<short>(v);
  const auto c = static_cast<char>(v);
  const std::array<const void*, 4> from = {&i, &d, &s, &c};
  std::memcpy(to, from[which], static_cast<std::size_t>(basic(which).bytes));
}

int get(const unsigned char* from, int which) {
  int i = 0;
  double d = 0;
  short s = 0;
  char c = 0;
  const std::array<void*, 4> to = {&i, &d, &s, &c};
  std::memcpy(to[which], from, static_cast<std::size_t>(basic(which).bytes));
  return which == 0 ? i : which == 1 ? static_cast<int>(d) : which == 2 ? s : c;
}

// Elements may share memory; the last one counts.
void fill(Memory& memory, const std::vector<Element>& elements, int rank, std::size_t first = 0) {
  for (std::size_t i = 0; i < elements.size(); ++i)
    put(memory.at(elements[i].at), elements[i].which, value(rank, first + i));
}

std::vector<int> values(const Memory& memory, const std::vector<Element>& elements) {
  std::vector<int> all;
  for (const Element& e : elements) all.push_back(get(memory.at(e.at), e.which));
  return all;
}

// What `to` should be after elements at `out` of `from` have arrived at `in`.
void expect_arrival(const Memory& from, const std::vector<Element>& out, Memory& to, const std::vector<Element>& in) {
  for (std::size_t i = 0; i < out.size(); ++i)
    std::memcpy(to.at(in[i].at), from.at(out[i].at), static_cast<std::size_t>(basic(out[i].which).bytes));
}

#define CHECK_MEMORY(expected, got) t.equal(true, (expected).bytes() == (got).bytes(), #got, __FILE__, __LINE__)

void check_inquiry(Checks& t, const RandomType& r) {
  int size = -1;
  MPI_Aint lower = -1, extent = -1;
  CHECK_EQ(MPI_SUCCESS, MPI_Type_size(r.type, &size));
  CHECK_EQ(r.size(), size);
  CHECK_EQ(MPI_SUCCESS, MPI_Type_get_extent(r.type, &lower, &extent));
  CHECK_EQ(r.lower, lower);
  CHECK_EQ(r.extent(), extent);
  CHECK_EQ(MPI_SUCCESS, MPI_Type_get_true_extent(r.type, &lower, &extent));
  const auto [begin, end] = data_bounds(r.elements);
  CHECK_EQ(end - begin, extent);
  if (!r.elements.empty()) CHECK_EQ(begin, lower);
  int integers = 0, addresses = 0, types = 0, combiner = 0;
  CHECK_EQ(MPI_SUCCESS, MPI_Type_get_envelope(r.type, &integers, &addresses, &types, &combiner));
  CHECK_EQ(r.made.combiner, combiner);
  CHECK_EQ(static_cast<int>(r.made.integers.size()), integers);
  CHECK_EQ(static_cast<int>(r.made.addresses.size()), addresses);
  CHECK_EQ(r.made.types, types);
  if (combiner != r.made.combiner || combiner == MPI_COMBINER_NAMED) return;
  std::vector<int> got_integers(integers);
  std::vector<MPI_Aint> got_addresses(addresses);
  std::vector<MPI_Datatype> got_types(types);
  CHECK_EQ(MPI_SUCCESS, MPI_Type_get_contents(r.type, integers, addresses, types, got_integers.data(),
                                              got_addresses.data(), got_types.data()));
  // The lengths of a structure come before its places, those of hindexed too.
  CHECK_EQ(r.made.integers, got_integers);
  CHECK_EQ(r.made.addresses, got_addresses);
  for (MPI_Datatype& type : got_types) {
    CHECK_EQ(MPI_SUCCESS, MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner));
    if (combiner != MPI_COMBINER_NAMED) MPI_Type_free(&type);
  }
}

void check_packed(Checks& t, const RandomType& r, int count) {
  const std::vector<Element> elements = r.array(count);
  Memory from(elements);
  fill(from, elements, 0);
  int bound = 0, position = 0;
  CHECK_EQ(MPI_SUCCESS, MPI_Pack_size(count, r.type, MPI_COMM_SELF, &bound));
  const int bytes = static_cast<int>(count * r.size());
  CHECK_TRUE(bound >= bytes);
  std::vector<unsigned char> packed(static_cast<std::size_t>(bound) + 8, kUntouched);
  CHECK_EQ(MPI_SUCCESS, MPI_Pack(from.at(), count, r.type, packed.data(), bound, &position, MPI_COMM_SELF));
  CHECK_EQ(bytes, position);
  std::size_t at = 0;
  for (const Element& e : elements) {
    const auto length = static_cast<std::size_t>(basic(e.which).bytes);
    CHECK_EQ(0, std::memcmp(packed.data() + at, from.at(e.at), length));
    at += length;
  }
  if (overlaps(elements)) return;
  Memory to(elements), expected(elements);
  expect_arrival(from, elements, expected, elements);
  position = 0;
  CHECK_EQ(MPI_SUCCESS, MPI_Unpack(packed.data(), bytes, &position, to.at(), count, r.type, MPI_COMM_SELF));
  CHECK_EQ(bytes, position);
  CHECK_MEMORY(expected, to);
}

// From rank 0 to rank 1 (itself, if it is alone), to a type with the same signature and back.
void check_message(Checks& t, MPI_Comm comm, TypeGenerator& generator, const RandomType& r, int count) {
  const std::vector<Element> there = r.array(count);
  RandomType other = generator.equal_to(there);
  const int rank = rank_in(comm), peer = size_of(comm) > 1 ? 1 : 0;
  Memory memory(there), elsewhere(other.elements);
  fill(memory, there, 0);
  Memory expected(other.elements);
  expect_arrival(memory, there, expected, other.elements);
  std::array<MPI_Request, 2> requests = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  std::array<MPI_Status, 2> statuses;
  if (rank == peer) MPI_Irecv(elsewhere.at(), 1, other.type, 0, 3, comm, &requests[0]);
  if (rank == 0) MPI_Isend(memory.at(), count, r.type, peer, 3, comm, &requests[1]);
  MPI_Waitall(2, requests.data(), statuses.data());
  if (rank == peer) {
    CHECK_MEMORY(expected, elsewhere);
    int elements = -1, whole = -1;
    if (kCountsAllElements || r.classic) {
      CHECK_EQ(MPI_SUCCESS, MPI_Get_elements(&statuses[0], r.type, &elements));
      CHECK_EQ(static_cast<int>(there.size()), elements);
    }
    CHECK_EQ(MPI_SUCCESS, MPI_Get_count(&statuses[0], r.type, &whole));
    if (!r.elements.empty()) CHECK_EQ(count, whole);
  }
  // Back, all but some elements, into the type that may have gaps.
  const int most = static_cast<int>(std::min<std::size_t>(there.size(), 5)) - 1;
  const int short_by = most < 1 || !kEndsAnywhere ? 0 : generator.number(0, most);
  if (!overlaps(there)) {
    const std::vector<Element> part(there.begin(), there.end() - short_by);
    RandomType sent = generator.equal_to(part);
    Memory back(sent.elements), into(there), as(there);
    fill(back, sent.elements, 1);
    expect_arrival(back, sent.elements, as, part);
    if (rank == 0) MPI_Irecv(into.at(), count, r.type, peer, 4, comm, &requests[0]);
    if (rank == peer) MPI_Isend(back.at(), 1, sent.type, 0, 4, comm, &requests[1]);
    MPI_Waitall(2, requests.data(), statuses.data());
    if (rank == 0) {
      CHECK_MEMORY(as, into);
      int elements = -1;
      if (kCountsAllElements || r.classic) {
        CHECK_EQ(MPI_SUCCESS, MPI_Get_elements(&statuses[0], r.type, &elements));
        CHECK_EQ(static_cast<int>(part.size()), elements);
      }
    }
    MPI_Type_free(&sent.type);
  }
  MPI_Type_free(&other.type);
}

// Blocks of `count` elements from each rank, in a buffer of all.
std::vector<Element> block(const RandomType& r, int count, int number) {
  std::vector<Element> elements = r.array(count);
  for (Element& e : elements) e.at += static_cast<long>(number) * count * r.extent();
  return elements;
}

// Collectives that move data. Each rank's block goes into a buffer of the random type.
void check_collectives(Checks& t, MPI_Comm comm, TypeGenerator& generator, const RandomType& r, int count) {
  const int rank = rank_in(comm), size = size_of(comm), root = generator.number(0, size - 1);
  const std::vector<Element> mine = r.array(count), all = r.array(static_cast<long>(count) * size);
  RandomType other = generator.equal_to(mine);
  const auto close = [&] { MPI_Type_free(&other.type); };
  if (overlaps(all)) return close();
  {
    Memory memory(mine), expected(mine);
    fill(expected, mine, root);
    if (rank == root) fill(memory, mine, root);
    CHECK_EQ(MPI_SUCCESS, MPI_Bcast(memory.at(), count, r.type, root, comm));
    CHECK_MEMORY(expected, memory);
    Memory late(mine);
    if (rank == root) fill(late, mine, root);
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_EQ(MPI_SUCCESS, MPI_Ibcast(late.at(), count, r.type, root, comm, &request));
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK_MEMORY(expected, late);
  }
  Memory gathered(all), expected(all), nothing(all);
  for (int from = 0; from < size; ++from) fill(expected, block(r, count, from), from);
  Memory own(other.elements);
  fill(own, other.elements, rank);
  std::vector<int> counts(size, count), places;
  for (int i = 0; i < size; ++i) places.push_back(i * count);
  CHECK_EQ(MPI_SUCCESS, MPI_Gather(own.at(), 1, other.type, gathered.at(), count, r.type, root, comm));
  CHECK_MEMORY(rank == root ? expected : nothing, gathered);
  gathered = nothing;
  CHECK_EQ(MPI_SUCCESS,
           MPI_Gatherv(own.at(), 1, other.type, gathered.at(), counts.data(), places.data(), r.type, root, comm));
  CHECK_MEMORY(rank == root ? expected : nothing, gathered);
  gathered = nothing;
  CHECK_EQ(MPI_SUCCESS, MPI_Allgather(own.at(), 1, other.type, gathered.at(), count, r.type, comm));
  CHECK_MEMORY(expected, gathered);
  gathered = nothing;
  CHECK_EQ(MPI_SUCCESS,
           MPI_Allgatherv(own.at(), 1, other.type, gathered.at(), counts.data(), places.data(), r.type, comm));
  CHECK_MEMORY(expected, gathered);
  gathered = nothing;
  fill(gathered, block(r, count, rank), rank);
  CHECK_EQ(MPI_SUCCESS, MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, gathered.at(), count, r.type, comm));
  CHECK_MEMORY(expected, gathered);
  const Memory own_before = own;
  Memory empty(other.elements);
  own = empty;
  CHECK_EQ(MPI_SUCCESS, MPI_Scatter(expected.at(), count, r.type, own.at(), 1, other.type, root, comm));
  CHECK_MEMORY(own_before, own);
  own = empty;
  CHECK_EQ(MPI_SUCCESS,
           MPI_Scatterv(expected.at(), counts.data(), places.data(), r.type, own.at(), 1, other.type, root, comm));
  CHECK_MEMORY(own_before, own);
  // Rank p's block q has the values of rank p + 10 q.
  Memory sent(all), arrived(all), should(all);
  for (int to = 0; to < size; ++to) fill(sent, block(r, count, to), rank + 10 * to);
  for (int from = 0; from < size; ++from) fill(should, block(r, count, from), from + 10 * rank);
  CHECK_EQ(MPI_SUCCESS, MPI_Alltoall(sent.at(), count, r.type, arrived.at(), count, r.type, comm));
  CHECK_MEMORY(should, arrived);
  arrived = nothing;
  CHECK_EQ(MPI_SUCCESS, MPI_Alltoallv(sent.at(), counts.data(), places.data(), r.type, arrived.at(), counts.data(),
                                      places.data(), r.type, comm));
  CHECK_MEMORY(should, arrived);
  arrived = sent;
  CHECK_EQ(MPI_SUCCESS, MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, arrived.at(), count, r.type, comm));
  CHECK_MEMORY(should, arrived);
  std::vector<int> bytes;
  for (int i = 0; i < size; ++i) bytes.push_back(static_cast<int>(i * count * r.extent()));
  const std::vector<MPI_Datatype> types(size, r.type);
  arrived = nothing;
  CHECK_EQ(MPI_SUCCESS, MPI_Alltoallw(sent.at(), counts.data(), bytes.data(), types.data(), arrived.at(), counts.data(),
                                      bytes.data(), types.data(), comm));
  CHECK_MEMORY(should, arrived);
  close();
}

// Maps x -> m x + c modulo 97, one behind the other: associative, and the order matters. A number holds both factors.
int composed(int first, int then) {
  const int m = first / 97 * (then / 97) % 97, c = (first % 97 * (then / 97) + then % 97) % 97;
  return m * 97 + c;
}

// For the operations, which know only the datatype. Ranks may share globals, and their types are the same.
const RandomType* g_type = nullptr;  // NOLINT

// The composition of integers; the first rank's value of other elements.
void compose(void* in, void* inout, int* count, MPI_Datatype*) {
  for (const Element& e : g_type->array(*count)) {
    const auto* a = static_cast<const unsigned char*>(in) + e.at;
    auto* b = static_cast<unsigned char*>(inout) + e.at;
    put(b, e.which, e.which == 0 ? composed(get(a, 0), get(b, 0)) : get(a, e.which));
  }
}

void add(void* in, void* inout, int* count, MPI_Datatype*) {
  for (const Element& e : g_type->array(*count)) {
    const auto* a = static_cast<const unsigned char*>(in) + e.at;
    auto* b = static_cast<unsigned char*>(inout) + e.at;
    put(b, e.which, e.which == 3 ? std::max(get(a, 3), get(b, 3)) : get(a, e.which) + get(b, e.which));
  }
}

// The values after ranks `first` to `last`, of elements that begin with number `number`.
std::vector<int> reduced(const std::vector<Element>& elements, int first, int last, bool ordered, std::size_t number) {
  std::vector<int> all;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    int v = value(first, number + i);
    for (int rank = first + 1; rank <= last; ++rank) {
      const int w = value(rank, number + i);
      const int which = elements[i].which;
      if (ordered) {
        v = which == 0 ? composed(v, w) : v;
      } else {
        v = which == 3 ? std::max(v, w) : v + w;
      }
    }
    all.push_back(v);
  }
  return all;
}

void check_reductions(Checks& t, MPI_Comm comm, TypeGenerator& generator, const RandomType& r, int count,
                      bool ordered) {
  const int rank = rank_in(comm), size = size_of(comm), root = generator.number(0, size - 1);
  const std::vector<Element> mine = r.array(count);
  std::vector<Element> all = r.array(static_cast<long>(count) * size);
  if (overlaps(all)) return;
  MPI_Op op = MPI_OP_NULL;
  MPI_Op_create(ordered ? compose : add, ordered ? 0 : 1, &op);
  g_type = &r;
  Memory in(mine), out(mine), empty(mine);
  fill(in, mine, rank);
  const std::vector<int> none = values(empty, mine), total = reduced(mine, 0, size - 1, ordered, 0);
  const std::vector<int> to_here = reduced(mine, 0, rank, ordered, 0);
  const std::vector<int> before = rank == 0 ? none : reduced(mine, 0, rank - 1, ordered, 0);
  const auto at_root = [&](const std::vector<int>& v) { return rank == root ? v : none; };
  const auto check = [&](const std::vector<int>& expected) {
    CHECK_EQ(expected, values(out, mine));
    out = empty;
  };
  const auto [first, last] = data_bounds(r.elements);
  const bool stays_inside = r.lower == 0 && first >= 0 && last <= r.upper;
  for (bool nonblocking : {false, true}) {
    if (nonblocking && !stays_inside && !kNonblockingAnywhere) continue;
    MPI_Request request = MPI_REQUEST_NULL;
    const auto wait = [&] { MPI_Wait(&request, MPI_STATUS_IGNORE); };
    nonblocking ? MPI_Ireduce(in.at(), out.at(), count, r.type, op, root, comm, &request)
                : MPI_Reduce(in.at(), out.at(), count, r.type, op, root, comm);
    wait();
    check(at_root(total));
    out = in;
    const void* own = rank == root ? MPI_IN_PLACE : static_cast<const void*>(in.at());
    nonblocking ? MPI_Ireduce(own, out.at(), count, r.type, op, root, comm, &request)
                : MPI_Reduce(own, out.at(), count, r.type, op, root, comm);
    wait();
    check(rank == root ? total : values(in, mine));
    nonblocking ? MPI_Iallreduce(in.at(), out.at(), count, r.type, op, comm, &request)
                : MPI_Allreduce(in.at(), out.at(), count, r.type, op, comm);
    wait();
    check(total);
    out = in;
    nonblocking ? MPI_Iallreduce(MPI_IN_PLACE, out.at(), count, r.type, op, comm, &request)
                : MPI_Allreduce(MPI_IN_PLACE, out.at(), count, r.type, op, comm);
    wait();
    check(total);
    nonblocking ? MPI_Iscan(in.at(), out.at(), count, r.type, op, comm, &request)
                : MPI_Scan(in.at(), out.at(), count, r.type, op, comm);
    wait();
    check(to_here);
    out = in;
    nonblocking ? MPI_Iscan(MPI_IN_PLACE, out.at(), count, r.type, op, comm, &request)
                : MPI_Scan(MPI_IN_PLACE, out.at(), count, r.type, op, comm);
    wait();
    check(to_here);
    nonblocking ? MPI_Iexscan(in.at(), out.at(), count, r.type, op, comm, &request)
                : MPI_Exscan(in.at(), out.at(), count, r.type, op, comm);
    wait();
    if (rank == 0) out = empty;  // undefined
    check(before);
    Memory parts(all);
    fill(parts, all, rank);
    const std::vector<int> own_part = reduced(mine, 0, size - 1, ordered, static_cast<std::size_t>(rank) * mine.size());
    nonblocking ? MPI_Ireduce_scatter_block(parts.at(), out.at(), count, r.type, op, comm, &request)
                : MPI_Reduce_scatter_block(parts.at(), out.at(), count, r.type, op, comm);
    wait();
    check(own_part);
    const std::vector<int> counts(size, count);
    nonblocking ? MPI_Ireduce_scatter(parts.at(), out.at(), counts.data(), r.type, op, comm, &request)
                : MPI_Reduce_scatter(parts.at(), out.at(), counts.data(), r.type, op, comm);
    wait();
    check(own_part);
  }
  Memory inout(mine);
  fill(inout, mine, 1);
  Memory local(mine);
  fill(local, mine, 0);
  CHECK_EQ(MPI_SUCCESS, MPI_Reduce_local(local.at(), inout.at(), count, r.type, op));
  CHECK_EQ(reduced(mine, 0, 1, ordered, 0), values(inout, mine));
  MPI_Op_free(&op);
}

// The last rank's memory is read and written by rank 0.
void check_one_sided(Checks& t, MPI_Comm comm, TypeGenerator& generator, const RandomType& r, int count) {
  const std::vector<Element> there = r.array(count);
  const auto [first, last] = data_bounds(there);
  if (overlaps(there) || (first < 0 && !kNegativePlaces)) return;
  const long begin = std::min(first, 0L), end = std::max(last, 0L);  // displacements must not be negative
  RandomType other = generator.equal_to(there);
  const int rank = rank_in(comm), target = size_of(comm) - 1;
  Memory before(there), after(there), own(other.elements), got(other.elements), should(other.elements);
  fill(before, there, target);
  fill(after, there, 0);
  fill(own, other.elements, 0);
  fill(should, other.elements, target);
  unsigned char* base = nullptr;
  MPI_Win win = MPI_WIN_NULL;
  // Not MPI_Win_create, which Open MPI 4.1 refuses without a network. In windows of odd sizes, MPICH 4.0 loses data.
  MPI_Win_allocate((end - begin + 64) / 64 * 64, 1, MPI_INFO_NULL, comm, &base, &win);
  std::memcpy(base, before.at(begin), static_cast<std::size_t>(end - begin));
  const auto window = [&] {
    Memory memory(there);
    std::memcpy(memory.at(begin), base, static_cast<std::size_t>(end - begin));
    return memory;
  };
  MPI_Win_fence(0, win);
  if (rank == 0) MPI_Get(got.at(), 1, other.type, target, -begin, count, r.type, win);
  MPI_Win_fence(0, win);
  if (rank == 0) CHECK_MEMORY(should, got);
  if (rank == 0) MPI_Put(own.at(), 1, other.type, target, -begin, count, r.type, win);
  MPI_Win_fence(0, win);
  CHECK_MEMORY(rank == target ? after : before, window());
  const bool uniform =
      std::all_of(there.begin(), there.end(), [&](const Element& e) { return e.which == there[0].which; });
  if (uniform && !there.empty() && there[0].which != 3) {
    MPI_Win_fence(0, win);
    if (rank == 0) MPI_Accumulate(own.at(), 1, other.type, target, -begin, count, r.type, MPI_SUM, win);
    MPI_Win_fence(0, win);
    if (rank == target) {
      std::vector<int> twice = values(after, there);
      for (int& v : twice) v *= 2;
      CHECK_EQ(twice, values(window(), there));
    }
  }
  MPI_Win_free(&win);
  MPI_Type_free(&other.type);
}

// {double, int}, whose elements are padded to 16 bytes.
void check_padding(Checks& t, MPI_Comm comm) {
  struct Pair {
    double d;
    int i;
  };
  const std::array<int, 2> lengths = {1, 1};
  const std::array<MPI_Aint, 2> places = {0, 8};
  const std::array<MPI_Datatype, 2> types = {MPI_DOUBLE, MPI_INT};
  MPI_Datatype pair = MPI_DATATYPE_NULL;
  MPI_Type_create_struct(2, lengths.data(), places.data(), types.data(), &pair);
  MPI_Type_commit(&pair);
  MPI_Aint lower = -1, extent = -1;
  MPI_Type_get_extent(pair, &lower, &extent);
  CHECK_EQ(16, extent);
  std::array<Pair, 5> sent{}, got{};
  for (int i = 0; i < 5; ++i) sent[i] = {i + 0.5, i};
  const int rank = rank_in(comm), size = size_of(comm);
  MPI_Sendrecv(sent.data(), 5, pair, (rank + 1) % size, 0, got.data(), 5, pair, (rank + size - 1) % size, 0, comm,
               MPI_STATUS_IGNORE);
  for (int i = 0; i < 5; ++i) {
    CHECK_EQ(i + 0.5, got[i].d);
    CHECK_EQ(i, got[i].i);
  }
  MPI_Type_free(&pair);
  int bytes = 0;
  MPI_Type_size(MPI_DOUBLE_INT, &bytes);
  CHECK_EQ(12, bytes);
  MPI_Type_get_extent(MPI_DOUBLE_INT, &lower, &extent);
  CHECK_EQ(16, extent);
}

int argument(int argc, char** argv, const std::string& name, int standard) {
  for (int i = 1; i < argc; ++i) {
    if (std::string(argv[i]).rfind(name + "=", 0) == 0) return std::stoi(argv[i] + name.size() + 1);
  }
  return standard;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm comm = MPI_COMM_WORLD;
  Checks t(rank_in(comm));
  const int seed = argument(argc, argv, "seed", 1), rounds = argument(argc, argv, "rounds", 100);
  t.run("padding", [&] {
    check_padding(t, comm);
    check_padding(t, MPI_COMM_SELF);
  });
  for (int round = 0; round < rounds; ++round) {
    const long failures = t.failed();
    TypeGenerator generator(static_cast<unsigned>(seed + round));
    // Other ranks may still use a type when this one has finished.
    auto& r = *new RandomType(
        generator.type(generator.number(1, 3), generator.number(0, 2) == 0 ? generator.number(0, 3) : -1));
    if (r.elements.size() < 100 && (kEmptyTypes || !r.elements.empty())) {
      const int count = generator.number(1, 3);
      t.run("random types", [&] {
        check_inquiry(t, r);
        check_packed(t, r, count);
        check_message(t, MPI_COMM_SELF, generator, r, count);
        check_message(t, comm, generator, r, count);
        check_collectives(t, comm, generator, r, count);
        check_reductions(t, comm, generator, r, count, round % 2 == 0);
        check_one_sided(t, comm, generator, r, count);
      });
    }
    if (r.made.combiner != MPI_COMBINER_NAMED) MPI_Type_free(&r.type);
    if (t.failed() != failures) std::fprintf(stderr, "seed=%d has failures\n", seed + round);
  }
  const int code = t.finish();
  MPI_Finalize();
  return code;
}
