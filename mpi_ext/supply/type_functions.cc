// SPDX-License-Identifier: LGPL-2.1-only
// Functions on datatypes that SMPI lacks. All are local.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <optional>
#include <vector>

#include "mpi_ext/error.h"
#include "mpi_ext/supply/behind.h"
#include "mpi_ext/supply/datatypes.h"

namespace strata::mpix {
namespace {

struct Contents {
  int combiner = MPI_COMBINER_NAMED;
  std::vector<int> integers;
  std::vector<MPI_Datatype> types;
};

Contents contents_of(MPI_Datatype type) {
  int integers = 0, addresses = 0, types = 0;
  Contents c;
  check(STRATA_BEHIND(Type_get_envelope)(type, &integers, &addresses, &types, &c.combiner));
  if (c.combiner == MPI_COMBINER_NAMED) return c;
  c.integers.resize(static_cast<std::size_t>(integers));
  c.types.resize(static_cast<std::size_t>(types));
  std::vector<MPI_Aint> at(static_cast<std::size_t>(addresses));
  check(
      STRATA_BEHIND(Type_get_contents)(type, integers, addresses, types, c.integers.data(), at.data(), c.types.data()));
  return c;
}

std::vector<std::size_t> basic_sizes(MPI_Datatype type);

void append(std::vector<std::size_t>& sizes, long times, MPI_Datatype type) {
  const std::vector<std::size_t> one = basic_sizes(type);
  for (long i = 0; i < times; ++i) sizes.insert(sizes.end(), one.begin(), one.end());
}

// Sizes of the two elements of a type for MPI_MINLOC; for any other named type, its own size.
std::vector<std::size_t> named_sizes(MPI_Datatype type) {
  struct Pair {
    MPI_Datatype type;
    std::size_t first, second;
  };
  const std::array<Pair, 6> pairs = {{{MPI_FLOAT_INT, sizeof(float), sizeof(int)},
                                      {MPI_DOUBLE_INT, sizeof(double), sizeof(int)},
                                      {MPI_LONG_INT, sizeof(long), sizeof(int)},
                                      {MPI_2INT, sizeof(int), sizeof(int)},
                                      {MPI_SHORT_INT, sizeof(short), sizeof(int)},
                                      {MPI_LONG_DOUBLE_INT, sizeof(long double), sizeof(int)}}};
  for (const Pair& p : pairs) {
    if (p.type == type) return {p.first, p.second};
  }
  int size = 0;
  check(STRATA_BEHIND(Type_size)(type, &size));
  if (size == 0) return {};  // MPI_LB, MPI_UB
  return {static_cast<std::size_t>(size)};
}

long product(const std::vector<int>& numbers, std::size_t first, std::size_t number) {
  return std::accumulate(numbers.begin() + static_cast<long>(first),
                         numbers.begin() + static_cast<long>(first + number), 1L, [](long a, int b) { return a * b; });
}

// Whether these are the contents of a structure: elements of each block and their types. SMPI gives the combiner of
// MPI_Type_indexed to structures, and to results of MPI_Type_create_resized and MPI_Type_create_subarray.
bool is_structure(const Contents& c) {
  return c.combiner == MPI_COMBINER_STRUCT ||
         (c.combiner == MPI_COMBINER_INDEXED && c.integers.size() == c.types.size() + 1);
}

// The sizes of the basic elements of one element, in the order in which they are sent. SMPI represents a structure
// without gaps only as bytes.
std::vector<std::size_t> basic_sizes(MPI_Datatype type) {
  const Contents c = contents_of(type);
  std::vector<std::size_t> sizes;
  const std::vector<int>& n = c.integers;
  if (is_structure(c)) {
    for (std::size_t block = 0; block < c.types.size(); ++block) append(sizes, n[1 + block], c.types[block]);
    return sizes;
  }
  switch (c.combiner) {
    case MPI_COMBINER_NAMED:
      return named_sizes(type);
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_RESIZED:
      append(sizes, 1, c.types[0]);
      return sizes;
    case MPI_COMBINER_CONTIGUOUS:
      append(sizes, n[0], c.types[0]);
      return sizes;
    case MPI_COMBINER_VECTOR:
    case MPI_COMBINER_HVECTOR:
    case MPI_COMBINER_INDEXED_BLOCK:
    case MPI_COMBINER_HINDEXED_BLOCK:  // count, elements per block
      append(sizes, product(n, 0, 2), c.types[0]);
      return sizes;
    case MPI_COMBINER_INDEXED:
    case MPI_COMBINER_HINDEXED:  // count, elements of each block
      append(sizes, std::accumulate(n.begin() + 1, n.begin() + 1 + n[0], 0L), c.types[0]);
      return sizes;
    case MPI_COMBINER_SUBARRAY:  // dimensions, sizes, sizes of the part
      append(sizes, product(n, 1 + static_cast<std::size_t>(n[0]), static_cast<std::size_t>(n[0])), c.types[0]);
      return sizes;
    default:
      check(MPI_ERR_UNSUPPORTED_OPERATION);
      return sizes;
  }
}

// Converts the bytes received, according to `status`, to a number of basic elements of `type`. The bytes are those that
// SMPI reports for MPI_BYTE.
template <class Number>
int get_elements(const MPI_Status* status, MPI_Datatype type, Number* elements) {
  return guarded(MPI_COMM_WORLD, [&] {
    if (status == nullptr || elements == nullptr) check(MPI_ERR_ARG);
    if (type == MPI_DATATYPE_NULL) check(MPI_ERR_TYPE);
    int bytes = 0;
    check(STRATA_BEHIND(Get_count)(status, MPI_BYTE, &bytes));
    const std::optional<long> number = basic_elements(basic_sizes(type), static_cast<std::size_t>(bytes));
    *elements = number ? static_cast<Number>(*number) : static_cast<Number>(MPI_UNDEFINED);
    return static_cast<int>(MPI_SUCCESS);
  });
}

MPI_Datatype of_size(const std::vector<MPI_Datatype>& types, int size) {
  for (MPI_Datatype type : types) {
    int found = 0;
    if (STRATA_BEHIND(Type_size)(type, &found) == MPI_SUCCESS && found == size) return type;
  }
  check(MPI_ERR_ARG);
  return MPI_DATATYPE_NULL;
}

Distribution distribution_of(int code) {
  if (code == MPI_DISTRIBUTE_BLOCK) return Distribution::kBlock;
  if (code == MPI_DISTRIBUTE_CYCLIC) return Distribution::kCyclic;
  if (code != MPI_DISTRIBUTE_NONE) check(MPI_ERR_ARG);
  return Distribution::kNone;
}

}  // namespace
}  // namespace strata::mpix

using namespace strata::mpix;

extern "C" {

int PMPI_Get_elements(MPI_Status* status, MPI_Datatype type, int* elements) {
  return get_elements(status, type, elements);
}

int PMPI_Get_elements_x(MPI_Status* status, MPI_Datatype type, MPI_Count* elements) {
  return get_elements(status, type, elements);
}

int PMPI_Type_match_size(int typeclass, int size, MPI_Datatype* type) {
  return guarded(MPI_COMM_WORLD, [&] {
    if (type == nullptr) check(MPI_ERR_ARG);
    if (typeclass == MPI_TYPECLASS_REAL) {
      *type = of_size({MPI_FLOAT, MPI_DOUBLE, MPI_LONG_DOUBLE}, size);
    } else if (typeclass == MPI_TYPECLASS_INTEGER) {
      *type = of_size({MPI_SIGNED_CHAR, MPI_SHORT, MPI_INT, MPI_LONG}, size);
    } else if (typeclass == MPI_TYPECLASS_COMPLEX) {
      *type = of_size({MPI_C_FLOAT_COMPLEX, MPI_C_DOUBLE_COMPLEX, MPI_C_LONG_DOUBLE_COMPLEX}, size);
    } else {
      check(MPI_ERR_ARG);
    }
    return static_cast<int>(MPI_SUCCESS);
  });
}

// The sizes of types in "external32" (MPI 4.0, Section 14.5.2) are those of this machine: MPI_LONG has 8 bytes and
// MPI_LONG_DOUBLE 16 in both.
int PMPI_Pack_external_size(char* datarep, int incount, MPI_Datatype type, MPI_Aint* size) {
  return guarded(MPI_COMM_WORLD, [&] {
    if (datarep == nullptr || size == nullptr || std::strcmp(datarep, "external32") != 0) check(MPI_ERR_ARG);
    if (incount < 0) check(MPI_ERR_COUNT);
    if (type == MPI_DATATYPE_NULL) check(MPI_ERR_TYPE);
    int bytes = 0;
    check(STRATA_BEHIND(Type_size)(type, &bytes));
    *size = static_cast<MPI_Aint>(incount) * bytes;
    return static_cast<int>(MPI_SUCCESS);
  });
}

int PMPI_Type_create_darray(int size, int rank, int ndims, int* gsizes, int* distribs, int* dargs, int* psizes,
                            int order, MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return guarded(MPI_COMM_WORLD, [&] {
    if (ndims < 1 || gsizes == nullptr || distribs == nullptr || dargs == nullptr || psizes == nullptr ||
        newtype == nullptr || size < 1 || rank < 0 || rank >= size)
      check(MPI_ERR_ARG);
    if (oldtype == MPI_DATATYPE_NULL) check(MPI_ERR_TYPE);
    if (order != MPI_ORDER_C && order != MPI_ORDER_FORTRAN) check(MPI_ERR_ARG);
    const std::vector<int> processes(psizes, psizes + ndims);
    if (!std::all_of(processes.begin(), processes.end(), [](int p) { return p > 0; }) ||
        product(processes, 0, processes.size()) != size)
      check(MPI_ERR_ARG);
    const std::vector<int> coords = process_coords(rank, processes);
    std::vector<DistributedDim> dims;
    long whole = 1;
    for (int d = 0; d < ndims; ++d) {
      const auto i = static_cast<std::size_t>(d);
      const Distribution distribution = distribution_of(distribs[d]);
      const int argument = dargs[d] == MPI_DISTRIBUTE_DFLT_DARG ? 0 : dargs[d];
      if (gsizes[d] < 1 || argument < 0) check(MPI_ERR_ARG);
      if (distribution == Distribution::kNone && psizes[d] != 1) check(MPI_ERR_ARG);
      if (distribution == Distribution::kBlock && argument > 0 && static_cast<long>(argument) * psizes[d] < gsizes[d])
        check(MPI_ERR_ARG);
      dims.push_back({gsizes[d], distribution, argument, processes[i], coords[i]});
      whole *= gsizes[d];
    }
    if (order == MPI_ORDER_FORTRAN) std::reverse(dims.begin(), dims.end());
    std::vector<int> lengths, displacements;
    for (const Stretch& stretch : owned_stretches(dims)) {
      lengths.push_back(stretch.length);
      displacements.push_back(stretch.first);
    }
    MPI_Aint lower = 0, extent = 0;
    check(STRATA_BEHIND(Type_get_extent)(oldtype, &lower, &extent));
    MPI_Datatype part = MPI_DATATYPE_NULL;
    check(STRATA_BEHIND(Type_indexed)(static_cast<int>(lengths.size()), lengths.data(), displacements.data(), oldtype,
                                      &part));
    const int error = STRATA_BEHIND(Type_create_resized)(part, 0, whole * extent, newtype);
    STRATA_BEHIND(Type_free)(&part);
    return error;
  });
}

int PMPI_Pcontrol(const int, ...) { return MPI_SUCCESS; }
}
