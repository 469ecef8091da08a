// SPDX-License-Identifier: LGPL-2.1-only
// Random nested datatypes, each with its type map according to the definition (MPI 4.0, Section 5.1): a list of basic
// elements with their places. Slow and obvious.
//
// Places and strides are multiples of the alignment, because MPIs round extents differently otherwise (MPICH only those
// of structures).
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

namespace strata::mpix::testing {

struct Basic {
  MPI_Datatype type;
  long bytes;
};

inline const Basic& basic(int which) {
  static const std::array<Basic, 4> all = {{{MPI_INT, 4}, {MPI_DOUBLE, 8}, {MPI_SHORT, 2}, {MPI_CHAR, 1}}};
  return all[which];
}

struct Element {
  int which;  // of the basic types
  long at;    // bytes
};

/// How a type was made, as MPI_Type_get_contents returns it.
struct Made {
  int combiner;
  std::vector<int> integers;
  std::vector<MPI_Aint> addresses;
  int types;
};

struct RandomType {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  std::vector<Element> elements;
  long lower = 0, upper = 0, alignment = 1;
  bool fixed = false;   // the program has chosen the bounds
  bool classic = true;  // without MPI_Type_dup, _create_subarray and _create_darray inside
  Made made{MPI_COMBINER_NAMED, {}, {}, 0};

  long extent() const { return upper - lower; }
  long size() const {
    return std::accumulate(elements.begin(), elements.end(), 0L,
                           [](long sum, const Element& e) { return sum + basic(e.which).bytes; });
  }
  /// The elements of `count` consecutive ones.
  std::vector<Element> array(long count) const {
    std::vector<Element> all;
    for (long i = 0; i < count; ++i) {
      for (const Element& e : elements) all.push_back({e.which, e.at + i * extent()});
    }
    return all;
  }
};

/// First and last byte of the elements, plus one; 0 and 0 without elements.
inline std::array<long, 2> data_bounds(const std::vector<Element>& elements) {
  if (elements.empty()) return {0, 0};
  std::array<long, 2> bounds = {elements[0].at, elements[0].at};
  for (const Element& e : elements) {
    bounds[0] = std::min(bounds[0], e.at);
    bounds[1] = std::max(bounds[1], e.at + basic(e.which).bytes);
  }
  return bounds;
}

/// Whether two elements share memory, so that the type must not be received into.
inline bool overlaps(std::vector<Element> elements) {
  std::sort(elements.begin(), elements.end(), [](const Element& a, const Element& b) { return a.at < b.at; });
  for (std::size_t i = 1; i < elements.size(); ++i) {
    if (elements[i].at < elements[i - 1].at + basic(elements[i - 1].which).bytes) return true;
  }
  return false;
}

class TypeGenerator {
 public:
  explicit TypeGenerator(unsigned seed) : random_(seed) {}

  int number(int least, int most) { return std::uniform_int_distribution<int>(least, most)(random_); }

  /// A committed type of at most `depth` constructors inside each other. `only`: of this basic type.
  RandomType type(int depth, int only = -1) {
    RandomType made = nested(depth, only);
    MPI_Type_commit(&made.type);
    return made;
  }

  /// A type with the same signature as these elements, which lie elsewhere in memory and do not overlap.
  RandomType equal_to(const std::vector<Element>& elements) {
    std::vector<int> lengths;
    std::vector<MPI_Aint> places;
    std::vector<MPI_Datatype> types;
    RandomType t;
    long at = 8L * number(-3, 3);
    const bool backwards = number(0, 1) == 1;
    for (const Element& e : elements) {
      lengths.push_back(1);
      places.push_back(at);
      types.push_back(basic(e.which).type);
      t.elements.push_back({e.which, at});
      at += (backwards ? -8 : 8) * number(1, 2);
    }
    MPI_Type_create_struct(static_cast<int>(lengths.size()), lengths.data(), places.data(), types.data(), &t.type);
    MPI_Type_commit(&t.type);
    set_bounds(t, {}, true);
    return t;
  }

 private:
  struct Part {
    const RandomType* of;
    long count, at;
  };

  // The type map, bounds and extent of these parts.
  static void set_parts(RandomType& t, const std::vector<Part>& parts, bool structure) {
    for (const Part& p : parts) {
      for (long i = 0; i < p.count; ++i) {
        for (const Element& e : p.of->elements) t.elements.push_back({e.which, e.at + p.at + i * p.of->extent()});
      }
    }
    set_bounds(t, parts, structure);
  }

  static void set_bounds(RandomType& t, const std::vector<Part>& parts, bool structure) {
    std::vector<std::array<long, 3>> bounds;  // fixed, lower, upper
    for (const Part& p : parts) {
      for (long i = 0; i < p.count; ++i) {
        const long at = p.at + i * p.of->extent();
        bounds.push_back({p.of->fixed ? 1 : 0, at + p.of->lower, at + p.of->upper});
        t.fixed = t.fixed || p.of->fixed;
        t.alignment = std::max(t.alignment, p.of->alignment);
      }
    }
    if (parts.empty()) {
      for (const Element& e : t.elements) {
        bounds.push_back({0, e.at, e.at + basic(e.which).bytes});
        t.alignment = std::max(t.alignment, basic(e.which).bytes);
      }
    }
    bool any = false;
    for (const auto& [fixed, lower, upper] : bounds) {
      if (t.fixed && fixed == 0) continue;
      t.lower = any ? std::min(t.lower, lower) : lower;
      t.upper = any ? std::max(t.upper, upper) : upper;
      any = true;
    }
    while (structure && !t.fixed && t.extent() % t.alignment != 0) ++t.upper;
  }

  RandomType nested(int depth, int only) {
    if (depth == 0) {
      const int which = only >= 0 ? only : number(0, 3);
      const long bytes = basic(which).bytes;
      RandomType t{basic(which).type, {{which, 0}}, 0, bytes, bytes};
      return t;
    }
    RandomType of = nested(number(0, depth - 1), only);
    RandomType t;
    int constructor = number(0, 11);
    if (constructor == 10 && of.elements.empty()) constructor = 0;  // Open MPI 4.1 refuses it
    t.classic = of.classic && constructor < 9;
    switch (constructor) {
      case 0:
        contiguous(t, of);
        break;
      case 1:
        vector(t, of);
        break;
      case 2:
        hvector(t, of);
        break;
      case 3:
        indexed(t, of, false);
        break;
      case 4:
        hindexed(t, of, false);
        break;
      case 5:
        indexed(t, of, true);
        break;
      case 6:
        hindexed(t, of, true);
        break;
      case 7:
        structure(t, of, depth, only);
        break;
      case 8:
        resized(t, of);
        break;
      case 9:
        subarray(t, of);
        break;
      case 10:
        darray(t, of);
        break;
      default:
        MPI_Type_dup(of.type, &t.type);
        t.elements = of.elements;
        t.lower = of.lower;
        t.upper = of.upper;
        t.alignment = of.alignment;
        t.fixed = of.fixed;
        t.made = {MPI_COMBINER_DUP, {}, {}, 1};
    }
    if (of.made.combiner != MPI_COMBINER_NAMED) MPI_Type_free(&of.type);
    return t;
  }

  void contiguous(RandomType& t, const RandomType& of) {
    const int count = number(0, 3);
    MPI_Type_contiguous(count, of.type, &t.type);
    set_parts(t, {{&of, count, 0}}, false);
    t.made = {MPI_COMBINER_CONTIGUOUS, {count}, {}, 1};
  }

  void vector(RandomType& t, const RandomType& of) {
    const int count = number(0, 3), length = number(0, 2), stride = number(-3, 3);
    MPI_Type_vector(count, length, stride, of.type, &t.type);
    std::vector<Part> parts;
    for (int i = 0; i < count; ++i) parts.push_back({&of, length, i * stride * of.extent()});
    set_parts(t, parts, false);
    t.made = {MPI_COMBINER_VECTOR, {count, length, stride}, {}, 1};
  }

  void hvector(RandomType& t, const RandomType& of) {
    const int count = number(0, 3), length = number(0, 2);
    const MPI_Aint stride = number(-5, 5) * of.alignment;
    MPI_Type_create_hvector(count, length, stride, of.type, &t.type);
    std::vector<Part> parts;
    for (int i = 0; i < count; ++i) parts.push_back({&of, length, i * stride});
    set_parts(t, parts, false);
    t.made = {MPI_COMBINER_HVECTOR, {count, length}, {stride}, 1};
  }

  std::vector<int> lengths(int count, bool equal) {
    std::vector<int> all(count, number(0, 2));
    if (!equal) std::generate(all.begin(), all.end(), [this] { return number(0, 2); });
    return all;
  }

  void indexed(RandomType& t, const RandomType& of, bool equal) {
    const int count = number(0, 3);
    const std::vector<int> length = lengths(count, equal);
    std::vector<int> places;
    std::vector<Part> parts;
    for (int i = 0; i < count; ++i) {
      places.push_back(number(-3, 4));
      parts.push_back({&of, length[i], places.back() * of.extent()});
    }
    if (equal) {
      const int each = count == 0 ? 1 : length[0];
      MPI_Type_create_indexed_block(count, each, places.data(), of.type, &t.type);
      t.made = {MPI_COMBINER_INDEXED_BLOCK, {count, each}, {}, 1};
    } else {
      MPI_Type_indexed(count, length.data(), places.data(), of.type, &t.type);
      t.made = {MPI_COMBINER_INDEXED, {count}, {}, 1};
      t.made.integers.insert(t.made.integers.end(), length.begin(), length.end());
    }
    t.made.integers.insert(t.made.integers.end(), places.begin(), places.end());
    set_parts(t, parts, false);
  }

  void hindexed(RandomType& t, const RandomType& of, bool equal) {
    const int count = number(0, 3);
    const std::vector<int> length = lengths(count, equal);
    std::vector<MPI_Aint> places;
    std::vector<Part> parts;
    for (int i = 0; i < count; ++i) {
      places.push_back(number(-4, 6) * of.alignment);
      parts.push_back({&of, length[i], places.back()});
    }
    if (equal) {
      const int each = count == 0 ? 1 : length[0];
      MPI_Type_create_hindexed_block(count, each, places.data(), of.type, &t.type);
      t.made = {MPI_COMBINER_HINDEXED_BLOCK, {count, each}, places, 1};
    } else {
      MPI_Type_create_hindexed(count, length.data(), places.data(), of.type, &t.type);
      t.made = {MPI_COMBINER_HINDEXED, {count}, places, 1};
      t.made.integers.insert(t.made.integers.end(), length.begin(), length.end());
    }
    set_parts(t, parts, false);
  }

  void structure(RandomType& t, const RandomType& of, int depth, int only) {
    RandomType other = nested(number(0, depth - 1), only);
    const int count = number(0, 3);
    const std::vector<int> length = lengths(count, false);
    std::vector<MPI_Aint> places;
    std::vector<MPI_Datatype> types;
    std::vector<Part> parts;
    for (int i = 0; i < count; ++i) {
      const RandomType& each = i % 2 == 0 ? of : other;
      places.push_back(number(-2, 6) * each.alignment);
      types.push_back(each.type);
      parts.push_back({&each, length[i], places.back()});
    }
    MPI_Type_create_struct(count, length.data(), places.data(), types.data(), &t.type);
    set_parts(t, parts, true);
    t.classic = t.classic && other.classic;
    t.made = {MPI_COMBINER_STRUCT, {count}, places, count};
    t.made.integers.insert(t.made.integers.end(), length.begin(), length.end());
    if (other.made.combiner != MPI_COMBINER_NAMED) MPI_Type_free(&other.type);
  }

  void resized(RandomType& t, const RandomType& of) {
    const MPI_Aint lower = number(-3, 3) * of.alignment, extent = number(0, 10) * of.alignment;
    MPI_Type_create_resized(of.type, lower, extent, &t.type);
    t.elements = of.elements;
    t.lower = lower;
    t.upper = lower + extent;
    t.alignment = of.alignment;
    t.fixed = true;
    t.made = {MPI_COMBINER_RESIZED, {}, {lower, extent}, 1};
  }

  // The place of an element in an array of these sizes.
  static long place(const std::vector<int>& index, const std::vector<int>& sizes, int order) {
    long at = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const std::size_t d = order == MPI_ORDER_C ? i : sizes.size() - 1 - i;
      at = at * sizes[d] + index[d];
    }
    return at;
  }

  // Sets the elements of an array whose indexes are all combinations of `own`, in memory order.
  static void set_array(RandomType& t, const RandomType& of, const std::vector<int>& sizes,
                        const std::vector<std::vector<int>>& own, int order) {
    std::vector<long> places = {};
    std::vector<std::vector<int>> all = {{}};
    for (const std::vector<int>& dim : own) {
      std::vector<std::vector<int>> longer;
      for (const std::vector<int>& begin : all) {
        for (int i : dim) {
          longer.push_back(begin);
          longer.back().push_back(i);
        }
      }
      all = longer;
    }
    for (const std::vector<int>& index : all) places.push_back(place(index, sizes, order));
    std::sort(places.begin(), places.end());
    for (long at : places) {
      for (const Element& e : of.elements) t.elements.push_back({e.which, e.at + at * of.extent()});
    }
    t.lower = 0;
    t.upper = std::accumulate(sizes.begin(), sizes.end(), of.extent(), [](long a, int b) { return a * b; });
    t.alignment = of.alignment;
    t.fixed = true;
  }

  void subarray(RandomType& t, const RandomType& of) {
    const int dims = number(1, 3), order = number(0, 1) == 0 ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
    std::vector<int> sizes, part, first;
    std::vector<std::vector<int>> own;
    for (int d = 0; d < dims; ++d) {
      sizes.push_back(number(1, 3));
      part.push_back(number(1, sizes.back()));
      first.push_back(number(0, sizes.back() - part.back()));
      own.emplace_back(static_cast<std::size_t>(part.back()));
      std::iota(own.back().begin(), own.back().end(), first.back());
    }
    MPI_Type_create_subarray(dims, sizes.data(), part.data(), first.data(), order, of.type, &t.type);
    set_array(t, of, sizes, own, order);
    t.made = {MPI_COMBINER_SUBARRAY, {dims}, {}, 1};
    for (const auto* list : {&sizes, &part, &first})
      t.made.integers.insert(t.made.integers.end(), list->begin(), list->end());
    t.made.integers.push_back(order);
  }

  void darray(RandomType& t, const RandomType& of) {
    const int dims = number(1, 2), order = number(0, 1) == 0 ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
    std::vector<int> sizes, kinds, arguments, grid, coords;
    int processes = 1;
    for (int d = 0; d < dims; ++d) {
      sizes.push_back(number(1, 4));
      kinds.push_back(number(0, 1) == 0 ? MPI_DISTRIBUTE_BLOCK : MPI_DISTRIBUTE_CYCLIC);
      grid.push_back(number(1, 2));
      // Not 3, which is MPI_DISTRIBUTE_DFLT_DARG under SMPI.
      const int least = (sizes.back() + grid.back() - 1) / grid.back();
      const int block = kinds.back() == MPI_DISTRIBUTE_BLOCK ? least : number(1, 2);
      arguments.push_back(block == 3 ? 4 : block);
      processes *= grid.back();
    }
    const int rank = number(0, processes - 1);
    coords.resize(dims);
    for (int d = dims, left = rank; d-- > 0;) {
      coords[d] = left % grid[d];
      left /= grid[d];
    }
    std::vector<std::vector<int>> own;
    for (std::size_t d = 0; d < sizes.size(); ++d) {
      own.emplace_back();
      for (int i = 0; i < sizes[d]; ++i) {
        if (i / arguments[d] % grid[d] == coords[d]) own.back().push_back(i);
      }
    }
    MPI_Type_create_darray(processes, rank, dims, sizes.data(), kinds.data(), arguments.data(), grid.data(), order,
                           of.type, &t.type);
    set_array(t, of, sizes, own, order);
    t.made = {MPI_COMBINER_DARRAY, {processes, rank, dims}, {}, 1};
    for (const auto* list : {&sizes, &kinds, &arguments, &grid})
      t.made.integers.insert(t.made.integers.end(), list->begin(), list->end());
    t.made.integers.push_back(order);
  }

  std::mt19937 random_;
};

}  // namespace strata::mpix::testing
