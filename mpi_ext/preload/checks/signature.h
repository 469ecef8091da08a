// SPDX-License-Identifier: LGPL-2.1-only
// The type signature of data: the basic types in order (MPI 4.1, Section 5.1). MPI requires that those of a send and
// its receive agree. For 2 elements of a structure of an MPI_INT and two MPI_DOUBLE it is
//
//   MPI_INT, 2 x MPI_DOUBLE, MPI_INT, 2 x MPI_DOUBLE
//
// Basic types of the same kind and size are the same here, for example MPI_LONG and MPI_INT64_T, because programs mix
// them on purpose. MPI_BYTE, MPI_PACKED and basic types that this file does not know agree with everything.
#pragma once

#include <mpi.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace strata::mpix {

enum class BasicKind : char { kAny, kInteger, kUnsigned, kFloat, kComplex, kLogical, kPair };

struct BasicType {
  BasicKind kind = BasicKind::kAny;
  int bytes = 1;
  const char* name = "";
  bool operator==(const BasicType& other) const { return kind == other.kind && bytes == other.bytes; }
};

/// A number of elements of a basic type.
struct BasicRun {
  BasicType type;
  long count;
};

/// The signature of one element of a datatype.
struct TypeSignature {
  std::vector<BasicRun> runs;
  bool known = true;  // not, if it has too many runs
  long size = 0;      // bytes of data
  long begin = 0;     // of the data, relative to the address of an element
  long end = 0;
  long extent = 0;
  bool dense = false;  // the bytes from begin to end are all data
  bool basic = false;
};

/// The type is not MPI_DATATYPE_NULL and not freed; the result stays the same until forget_signature.
const TypeSignature& signature_of(MPI_Datatype type);
/// Call it when a type is made, perhaps at the address of an old one.
void forget_signature(MPI_Datatype type);

/// Some elements of a type, as an operation has them.
struct Data {
  long count = 0;
  std::shared_ptr<const TypeSignature> type;
  std::string name;  // of the type: "MPI_INT"
  long bytes() const { return count * type->size; }
};
Data data_of(long count, MPI_Datatype type);
/// "10 x MPI_INT".
std::string text_of(const Data& data);

/// How the data of a message disagree with what its receiver expects: a text such as "MPI_INT is not MPI_FLOAT"; none
/// if they agree. A message may be shorter than its receive, unless `exact`. Whether it is longer is `too_long`.
std::optional<std::string> disagreement(const Data& sent, const Data& received, bool exact, bool& too_long);

std::string name_of(MPI_Datatype type);

}  // namespace strata::mpix
