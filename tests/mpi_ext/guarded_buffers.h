// SPDX-License-Identifier: LGPL-2.1-only
// Data that test programs send: guarded buffers with elements of two ints in several layouts; contributions that differ
// between ranks, elements and uses; operations on them; and the result of a collective by a slow definition.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace strata::mpix::testing {

// The layout of an element of two ints.
struct Layout {
  const char* name;
  std::array<int, 2> at;  // positions of the two ints, in ints from the element's origin
  int extent;             // ints
};

inline constexpr Layout kPair = {"pair", {0, 1}, 2};
inline constexpr Layout kGaps = {"gaps", {0, 2}, 4};
inline constexpr Layout kSwapped = {"swapped", {1, 0}, 3};       // the second int comes first, then a gap
inline constexpr Layout kNegative = {"negative", {-2, 1}, 4};    // lower bound -8 B
inline constexpr Layout kBackwards = {"backwards", {0, 2}, -4};  // each element before the last

class Type {
 public:
  explicit Type(const Layout& layout) {
    constexpr int kInt = sizeof(int);
    std::array<int, 2> lengths{1, 1};
    std::array<MPI_Aint, 2> places{layout.at[0] * kInt, layout.at[1] * kInt};
    MPI_Datatype two;
    MPI_Type_create_hindexed(2, lengths.data(), places.data(), MPI_INT, &two);
    MPI_Type_create_resized(two, std::min(places[0], places[1]), layout.extent * kInt, &type_);
    MPI_Type_commit(&type_);
    MPI_Type_free(&two);
  }
  Type(const Type&) = delete;
  Type& operator=(const Type&) = delete;
  ~Type() { MPI_Type_free(&type_); }
  operator MPI_Datatype() const { return type_; }  // NOLINT: stands for the handle

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

inline constexpr int kGuard = 8, kUntouched = -77;

// A buffer of elements, with guards around it and in its gaps.
class Buffer {
 public:
  Buffer(const Layout& layout, int count) : layout_(layout), count_(count) {
    int low = 0, high = 0;
    for (const int element : {0, std::max(count - 1, 0)}) {
      for (const int k : {0, 1}) {
        low = std::min(low, element * layout.extent + layout.at[k]);
        high = std::max(high, element * layout.extent + layout.at[k]);
      }
    }
    ints_.assign(kGuard - low + high + 1 + kGuard, kUntouched);
    origin_ = kGuard - low;
  }
  int& at(int element, int k) { return ints_[origin_ + element * layout_.extent + layout_.at[k]]; }
  void* data() { return ints_.data() + origin_; }
  int count() const { return count_; }

  // The number of ints outside of elements that were overwritten.
  int touched() {
    std::vector<int> copy = ints_;
    for (int i = 0; i < count_; ++i) {
      for (const int k : {0, 1}) copy[origin_ + i * layout_.extent + layout_.at[k]] = kUntouched;
    }
    return static_cast<int>(copy.size() - std::count(copy.begin(), copy.end(), kUntouched));
  }
  // The ints in order, element after element.
  std::vector<int> values() {
    std::vector<int> all;
    for (int i = 0; i < count_; ++i) all.insert(all.end(), {at(i, 0), at(i, 1)});
    return all;
  }
  void set(const std::vector<int>& values, int first_element = 0) {
    for (size_t i = 0; i < values.size(); ++i) at(first_element + static_cast<int>(i / 2), i % 2) = values[i];
  }

 private:
  Layout layout_;
  int count_, origin_;
  std::vector<int> ints_;
};

// The contribution of a rank: `count` elements, different for every rank, element and use.
inline std::vector<int> contribution_of(int rank, int count, int salt = 0) {
  std::vector<int> values;
  for (int i = 0; i < 2 * count; ++i) {
    values.push_back(static_cast<int>((rank * 7919L + i * 104729L + salt * 1299709L + 17) % 9973 + 1));
  }
  return values;
}

inline constexpr long kPrime = 10007;

// (a, b) represents x -> a x + b modulo kPrime. The result applies `second`, then `first`.
inline std::array<int, 2> compose(const int* first, const int* second) {
  return {static_cast<int>(static_cast<long>(first[0]) * second[0] % kPrime),
          static_cast<int>((static_cast<long>(first[0]) * second[1] + first[1]) % kPrime)};
}

inline std::array<int, 2> add(const int* first, const int* second) {
  return {first[0] + second[0], first[1] + second[1]};
}

using Pairwise = std::array<int, 2> (*)(const int*, const int*);

// With MPI's meaning: inout = in op inout. The datatype determines the layout.
inline void apply(Pairwise op, void* in, void* inout, int count, MPI_Datatype datatype) {
  constexpr int kInt = sizeof(int);
  MPI_Aint lower = 0, extent = 0;
  MPI_Type_get_extent(datatype, &lower, &extent);
  for (const Layout& layout : {kPair, kGaps, kSwapped, kNegative, kBackwards}) {
    if (layout.extent * kInt != extent || std::min(layout.at[0], layout.at[1]) * kInt != lower) continue;
    int *a = static_cast<int*>(in), *b = static_cast<int*>(inout);
    for (int i = 0; i < count; ++i, a += layout.extent, b += layout.extent) {
      const std::array<int, 2> x{a[layout.at[0]], a[layout.at[1]]}, y{b[layout.at[0]], b[layout.at[1]]};
      const std::array<int, 2> r = op(x.data(), y.data());
      b[layout.at[0]] = r[0];
      b[layout.at[1]] = r[1];
    }
    return;
  }
  std::fprintf(stderr, "an operation met an unknown layout\n");
  std::abort();
}

inline void compose_all(void* in, void* inout, int* count, MPI_Datatype* datatype) {
  apply(compose, in, inout, *count, *datatype);
}
inline void add_all(void* in, void* inout, int* count, MPI_Datatype* datatype) {
  apply(add, in, inout, *count, *datatype);
}

struct Operation {
  Pairwise pairwise;
  MPI_Op op = MPI_OP_NULL;
  bool commutes;
  Operation(Pairwise pairwise, MPI_User_function* function, bool commutes) : pairwise(pairwise), commutes(commutes) {
    MPI_Op_create(function, commutes ? 1 : 0, &op);
  }
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;
  ~Operation() { MPI_Op_free(&op); }
};

// The contributions of ranks 0 to size - 1, combined one by one from the left.
inline std::vector<int> fold(const Operation& operation, int size, int count, int salt = 0) {
  std::vector<int> all = contribution_of(0, count, salt);
  for (int rank = 1; rank < size; ++rank) {
    const std::vector<int> next = contribution_of(rank, count, salt);
    for (int i = 0; i < count; ++i) {
      const std::array<int, 2> r = operation.pairwise(&all[2 * i], &next[2 * i]);
      all[2 * i] = r[0];
      all[2 * i + 1] = r[1];
    }
  }
  return all;
}

// One side of a gather or scatter: `count` elements of `layout` for each rank.
struct Side {
  Layout layout;
  int count;
};

// Blocks of `count` pairs, sent and received with these layouts: as elements of one pair, or as one contiguous element.
struct Exchange {
  Side sent, received;
};

// The values of the blocks of all ranks, one after another.
inline std::vector<int> all_contributions(int size, int count, int salt) {
  std::vector<int> all;
  for (int rank = 0; rank < size; ++rank) {
    const std::vector<int> one = contribution_of(rank, count, salt);
    all.insert(all.end(), one.begin(), one.end());
  }
  return all;
}

}  // namespace strata::mpix::testing
