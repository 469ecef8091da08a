// SPDX-License-Identifier: LGPL-2.1-only
// Gathers data of different lengths from all processes to one, over a binomial tree.
//
// Ranks are counted from the root. At step k, the ranks whose k + 1 lowest bits are 1 0...0 send all their data to the
// rank with that bit cleared: first a number and, if it is not 0, that many elements. The root takes log2 P steps and
// receives each element once; MPI_Gatherv would send it a message from each process, and needs P counts first.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <climits>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "mpi_ext/context/message.h"
#include "mpi_ext/ranks.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {

/// T as an MPI datatype: counts of elements reach further than counts of bytes.
template <class T>
class ElementType {
 public:
  ElementType() {
    static_assert(std::is_trivially_copyable_v<T>, "sent as bytes");
    check(MPI_Type_contiguous(sizeof(T), MPI_BYTE, &type_));
    check(MPI_Type_commit(&type_));
  }
  ElementType(const ElementType&) = delete;
  ElementType& operator=(const ElementType&) = delete;
  ~ElementType() { MPI_Type_free(&type_); }
  MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

/// Calls `f(first, count)` for pieces of `size` elements whose counts fit an int.
template <class F>
void in_pieces(std::size_t size, F f) {
  for (std::size_t first = 0; first < size; first += INT_MAX) {
    f(first, static_cast<int>(std::min<std::size_t>(INT_MAX, size - first)));
  }
}

/// Every rank's `mine`, on rank `root` of a context, in no particular order; empty on other ranks. Collective. Throws
/// Unreported.
template <class T>
std::vector<T> gather_up(MPI_Comm context, int root, std::vector<T> mine) {
  const int size = size_of(context), rank = (rank_in(context) - root + size) % size;
  const ElementType<T> type;
  for (long bit = 1; bit < size; bit *= 2) {
    if ((rank & bit) != 0) {
      const int to = static_cast<int>((rank - bit + root) % size);
      const long elements = static_cast<long>(mine.size());
      send(&elements, 1, MPI_LONG, to, context);
      in_pieces(mine.size(),
                [&](std::size_t first, int count) { send(mine.data() + first, count, type.get(), to, context); });
      return {};
    }
    if (rank + bit >= size) continue;
    const int from = static_cast<int>((rank + bit + root) % size);
    long elements = 0;
    receive(&elements, 1, MPI_LONG, from, context);
    const std::size_t before = mine.size();
    mine.resize(before + static_cast<std::size_t>(elements));
    in_pieces(static_cast<std::size_t>(elements), [&](std::size_t first, int count) {
      receive(mine.data() + before + first, count, type.get(), from, context);
    });
  }
  return mine;
}

}  // namespace strata::mpix
