// SPDX-License-Identifier: LGPL-2.1-only
// Functions on datatypes that SMPI lacks. All are local.
#include <mpi.h>

#include <cstring>
#include <optional>
#include <vector>

#include "mpi_ext/preload/supply/behind.h"
#include "mpi_ext/preload/supply/mapped_type.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {
namespace {

// Converts the bytes received, according to `status`, to a number of basic elements of `type`. The bytes are those that
// SMPI reports for MPI_BYTE.
template <class Number>
int get_elements(const MPI_Status* status, MPI_Datatype type, Number* elements) {
  return guarded(MPI_COMM_WORLD, [&] {
    if (status == nullptr || elements == nullptr) check(MPI_ERR_ARG);
    if (type == MPI_DATATYPE_NULL) check(MPI_ERR_TYPE);
    int bytes = 0;
    check(STRATA_BEHIND(Get_count)(status, MPI_BYTE, &bytes));
    const std::optional<long> number = basic_elements(*map_of(type), static_cast<std::size_t>(bytes));
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

int PMPI_Pcontrol(const int, ...) { return MPI_SUCCESS; }
}
