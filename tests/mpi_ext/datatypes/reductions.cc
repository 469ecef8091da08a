// SPDX-License-Identifier: LGPL-2.1-only
// Reductions with operations of the program.
#include <mpi.h>

#include <algorithm>
#include <vector>

#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/datatypes/memory.h"
#include "tests/mpi_ext/datatypes/tests.h"

namespace strata::mpix::testing {

namespace {

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

}  // namespace

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

}  // namespace strata::mpix::testing
