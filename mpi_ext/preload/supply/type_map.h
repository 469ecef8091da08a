// SPDX-License-Identifier: LGPL-2.1-only
// MPI's datatypes as values (MPI 4.0, Section 5.1): where the basic elements of one element of a type lie, in the order
// in which they are sent.
//
// A type is a tree. A leaf is a basic type. An inner vertex repeats a list of blocks, each of which is a number of
// consecutive elements of a smaller type:
//
//     MPI_Type_vector(3, 2, 4, MPI_INT)       3 times, 16 bytes apart: 2 elements of MPI_INT at 0
//     MPI_Type_create_struct {double, int}    once: 1 element of MPI_DOUBLE at 0, 1 element of MPI_INT at 8
//
// Memory is O(blocks that the program has listed), for any number of repetitions. Packing takes a memcpy for each
// contiguous piece of memory.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace strata::mpix {

struct TypeMap;
using SharedMap = std::shared_ptr<const TypeMap>;

/// `count` elements of a type; the first is `at` bytes after the start, and each is an extent after the one before it.
struct Block {
  long at = 0;
  long count = 0;
  SharedMap of;
};

/// Immutable. Bounds are in bytes relative to the address that is given with the type, and may be negative.
struct TypeMap {
  // The tree. A leaf has a basic type and no blocks.
  const void* basic = nullptr;       // MPI's handle
  std::vector<std::size_t> parts;    // of a leaf: the bytes of its basic elements, for example 2 of MPI_2INT
  std::vector<Block> blocks;         // each with at least one element
  long repetitions = 1, stride = 0;  // of the list of blocks; bytes from one repetition to the next

  // Results of the tree.
  std::size_t size = 0;           // bytes of data
  std::size_t elements = 0;       // basic elements
  long lower = 0, upper = 0;      // the extent is upper - lower
  long data_begin = 0;            // the true lower bound
  long data_end = 0;              // the true upper bound
  std::size_t alignment = 1;      // the largest of the basic types, in bytes
  bool fixed_lower = false;       // the program has chosen this bound (MPI_Type_create_resized), so types made of
  bool fixed_upper = false;       // this one take it for granted
  bool dense = true;              // the data are contiguous, and in the order in which they are sent
  std::size_t gaps_in_parts = 0;  // bytes of `size` that are padding between the two parts of types like MPI_DOUBLE_INT
  const void* only_basic = nullptr;  // the basic type of all elements; nullptr if there are several or none
  std::size_t basic_bytes = 0;       // of only_basic

  long extent() const { return upper - lower; }
  bool tiles() const { return dense && extent() == static_cast<long>(size); }  // an array of it is contiguous
  /// Whether `count` elements lie within `count` extents after the address, as algorithms with buffers of that length
  /// require.
  bool stays_inside() const { return data_begin >= 0 && data_end <= extent(); }
};

/// A basic type of `bytes` bytes. `parts`: the bytes of its basic elements, in order; `gaps`: how many of them are
/// padding.
SharedMap basic_map(const void* type, std::vector<std::size_t> parts, std::size_t alignment, std::size_t gaps = 0);

/// The blocks, `repetitions` times. Blocks of no elements do not count, not even for the bounds.
SharedMap repeated(std::vector<Block> blocks, long repetitions = 1, long stride = 0);

/// A structure: the extent is rounded up to the alignment, unless one of the types has a fixed upper bound.
SharedMap structure(std::vector<Block> blocks);

/// Bounds of a structure that its entries MPI_LB and MPI_UB have set (MPI-1).
SharedMap bounded(const SharedMap& map, std::optional<long> lower, std::optional<long> upper);

/// The part of an array in row-major order; the array's extent is that of all `sizes`.
SharedMap part_of_array(const std::vector<long>& sizes, const std::vector<long>& part, const std::vector<long>& first,
                        const SharedMap& of);

/// Copies the first `bytes` bytes of data of an array of this type at `memory` to `packed`, without gaps.
void pack(const TypeMap& map, const char* memory, std::size_t bytes, char* packed);

/// The reverse. Only memory of data is written; `bytes` may end anywhere.
void unpack(const TypeMap& map, const char* packed, std::size_t bytes, char* memory);

/// `count` consecutive basic elements.
struct Run {
  char* memory;
  const char* packed;
  long count;
  const void* basic;
};

/// The runs of `count` elements of this type at `memory`, in order, with their place in `packed`.
std::vector<Run> runs(const TypeMap& map, const char* packed, long count, char* memory);

/// The number of basic elements in the first `bytes` bytes of data (MPI_Get_elements). Empty if the bytes end within an
/// element.
std::optional<long> basic_elements(const TypeMap& map, std::size_t bytes);

}  // namespace strata::mpix
