// SPDX-License-Identifier: LGPL-2.1-only
// Elements of any datatype as contiguous bytes, which SMPI's algorithms handle. These algorithms keep parts of the data
// in buffers of count times the extent, and lose data of types that lie elsewhere, such as those with a negative
// stride.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "mpi_ext/preload/supply/mapped_type.h"

namespace strata::mpix {

/// Whether elements of the type are not just contiguous bytes at their address. False for MPI_DATATYPE_NULL.
bool is_scattered(MPI_Datatype type);

/// A type of contiguous bytes that takes the place of a type with as many bytes per element, so that SMPI chooses the
/// same algorithm and sends the same messages. It matches every type. The reference is released at the end; messages
/// have their own.
class PackedType {
 public:
  explicit PackedType(MPI_Datatype instead_of) : PackedType(instead_of, MPI_OP_NULL) {}
  /// For reductions: the operation is applied to elements of the original type.
  PackedType(MPI_Datatype instead_of, MPI_Op op);
  ~PackedType();
  PackedType(const PackedType&) = delete;
  PackedType& operator=(const PackedType&) = delete;

  MPI_Datatype get() const { return type_; }
  /// The operation on this type; MPI_OP_NULL if none was given.
  MPI_Op op() const { return op_; }

 private:
  MPI_Datatype type_;
  MPI_Op op_ = MPI_OP_NULL;
};

/// Elements as contiguous bytes. `buffer` may be MPI_BOTTOM.
std::vector<char> packed(const void* buffer, std::size_t count, MPI_Datatype type);
void unpack_to(void* buffer, const char* packed, std::size_t count, MPI_Datatype type);

/// inout = in op inout, for `count` packed elements.
void combine(MPI_Op op, const char* in, char* inout, int count, MPI_Datatype type);

/// An address: MPI_BOTTOM is not address 0 under SMPI.
template <class T>
T* address(T* buffer) {
  return buffer == MPI_BOTTOM ? nullptr : buffer;
}

}  // namespace strata::mpix
