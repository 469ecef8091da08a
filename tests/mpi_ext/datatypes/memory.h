// SPDX-License-Identifier: LGPL-2.1-only
// Memory with the elements of a random type, the values that a rank puts there, and what arrives.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <vector>

#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/random_types.h"

namespace strata::mpix::testing {

inline constexpr unsigned char kUntouched = 0xee;

// Faults of the real MPIs, which this does not run into: Open MPI 4.1 refuses some reductions of types without elements
// and tells a bound for them, as MPICH 4.0 does. MPICH's MPI_Get_elements aborts for some types, and so do some
// messages that end within an element. Its MPI_Get and MPI_Put lose elements before the address.
#ifdef SMPI_H
inline constexpr bool kEmptyTypes = true, kNegativePlaces = true;
#else
inline constexpr bool kEmptyTypes = false, kNegativePlaces = false;
#endif
// Open MPI's nonblocking reductions write outside their buffers if elements lie outside the extent.
#ifdef OPEN_MPI
inline constexpr bool kNonblockingAnywhere = false;
#else
inline constexpr bool kNonblockingAnywhere = true;
#endif
#ifdef MPICH_VERSION
inline constexpr bool kCountsAllElements = false, kEndsAnywhere = false;
#else
inline constexpr bool kCountsAllElements = true, kEndsAnywhere = true;
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
int value(int rank, std::size_t number);

void put(unsigned char* to, int which, int v);

int get(const unsigned char* from, int which);

// Elements may share memory; the last one counts.
void fill(Memory& memory, const std::vector<Element>& elements, int rank, std::size_t first = 0);

std::vector<int> values(const Memory& memory, const std::vector<Element>& elements);

// What `to` should be after elements at `out` of `from` have arrived at `in`.
void expect_arrival(const Memory& from, const std::vector<Element>& out, Memory& to, const std::vector<Element>& in);

}  // namespace strata::mpix::testing

#define CHECK_MEMORY(expected, got) t.equal(true, (expected).bytes() == (got).bytes(), #got, __FILE__, __LINE__)
