// SPDX-License-Identifier: LGPL-2.1-only
// An operation that is associative but not commutative, to check the order of operands in reductions: the composition
// of functions x -> slope * x + offset, modulo 2^32. Its result shows which ranks contributed, and in which order.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <ostream>

namespace strata::check::protocols {

struct Function {
  std::uint32_t slope = 0, offset = 0;
  bool operator==(const Function&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const Function& f) { return out << f.slope << "x+" << f.offset; }
};

inline Function composed(const Function& first, const Function& second) {
  return {first.slope * second.slope, first.offset * second.slope + second.offset};
}

/// A rank's operand in the reduction number `number`.
inline Function function_of(int rank, int number) {
  return {2U * static_cast<std::uint32_t>(rank) + 3,
          10U * static_cast<std::uint32_t>(number + 1) + static_cast<std::uint32_t>(rank)};
}

/// The result for ranks 0 to ranks - 1, in this order.
inline Function composition_of_first(int ranks, int number) {
  Function all = function_of(0, number);
  for (int r = 1; r < ranks; ++r) all = composed(all, function_of(r, number));
  return all;
}

/// The operation as an MPI_Op, with its datatype.
class Composition {
 public:
  Composition() {
    MPI_Type_contiguous(sizeof(Function), MPI_BYTE, &type_);
    MPI_Type_commit(&type_);
    MPI_Op_create(compose, 0, &op_);
  }
  ~Composition() {
    MPI_Op_free(&op_);
    MPI_Type_free(&type_);
  }
  Composition(const Composition&) = delete;
  Composition& operator=(const Composition&) = delete;
  MPI_Datatype type() const { return type_; }
  MPI_Op op() const { return op_; }

 private:
  static void compose(void* in, void* inout, int* count, MPI_Datatype*) {
    const auto* left = static_cast<Function*>(in);
    auto* right = static_cast<Function*>(inout);
    for (int i = 0; i < *count; ++i) right[i] = composed(left[i], right[i]);
  }

  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  MPI_Op op_ = MPI_OP_NULL;
};

}  // namespace strata::check::protocols
