// SPDX-License-Identifier: LGPL-2.1-only
// The Fortran names of the functions on files that SMPI's Fortran interface lacks, as in mpif.h and the module mpi.
// SMPI has the others, but the five that have strings or end a handle (open, close, delete, set_view, get_view) are
// linked into programs (toolchain/files.c), because SMPI's do not know the lengths of strings.
#include <mpi.h>

#include "mpi_ext/preload/supply/files/open_file.h"
#include "sim/simgrid/version.h"

extern "C" {
#ifdef STRATA_SIMGRID_3_32
extern int mpi_status_ignore_;  // SMPI's
#else
extern const int mpi_status_ignore_;
#endif
using Int = MPI_Fint;
using Offset = MPI_Offset;
using Type = const MPI_Fint*;
}

namespace simgrid::smpi {
class File {
 public:
  static MPI_File f2c(int number);
};
// SMPI's Fortran interface finds a file with it.
MPI_File File::f2c(int number) { return MPI_File_f2c(number); }
}  // namespace simgrid::smpi

namespace {

MPI_File file_of(const Int* handle) { return MPI_File_f2c(*handle); }

void give(int code, MPI_Request made, Int* handle, Int* ierror) {
  if (code == MPI_SUCCESS) *handle = MPI_Request_c2f(made);
  *ierror = code;
}

}  // namespace

extern "C" {

void mpi_file_preallocate_(const Int* file, const Offset* size, Int* ierror) {
  *ierror = MPI_File_preallocate(file_of(file), *size);
}
void mpi_file_get_amode_(const Int* file, Int* amode, Int* ierror) {
  *ierror = MPI_File_get_amode(file_of(file), amode);
}
void mpi_file_get_group_(const Int* file, Int* group, Int* ierror) {
  MPI_Group made = MPI_GROUP_NULL;
  *ierror = MPI_File_get_group(file_of(file), &made);
  if (*ierror == MPI_SUCCESS) *group = MPI_Group_c2f(made);
}
void mpi_file_set_info_(const Int* file, const Int* info, Int* ierror) {
  *ierror = MPI_File_set_info(file_of(file), MPI_Info_f2c(*info));
}
void mpi_file_get_info_(const Int* file, Int* info, Int* ierror) {
  MPI_Info made = MPI_INFO_NULL;
  *ierror = MPI_File_get_info(file_of(file), &made);
  if (*ierror == MPI_SUCCESS) *info = MPI_Info_c2f(made);
}
void mpi_file_sync_(const Int* file, Int* ierror) { *ierror = MPI_File_sync(file_of(file)); }
void mpi_file_set_atomicity_(const Int* file, const Int* flag, Int* ierror) {
  *ierror = MPI_File_set_atomicity(file_of(file), *flag);
}
void mpi_file_get_atomicity_(const Int* file, Int* flag, Int* ierror) {
  *ierror = MPI_File_get_atomicity(file_of(file), flag);
}
void mpi_file_get_byte_offset_(const Int* file, const Offset* offset, Offset* byte, Int* ierror) {
  *ierror = MPI_File_get_byte_offset(file_of(file), *offset, byte);
}
void mpi_file_get_type_extent_(const Int* file, Type type, MPI_Aint* extent, Int* ierror) {
  *ierror = MPI_File_get_type_extent(file_of(file), MPI_Type_f2c(*type), extent);
}

void mpi_file_create_errhandler_(strata::mpix::FortranFileHandler* function, Int* handler, Int* ierror) {
  MPI_Errhandler made = MPI_ERRHANDLER_NULL;
  *ierror = strata::mpix::create_fortran_handler(function, &made);
  if (*ierror == MPI_SUCCESS) *handler = MPI_Errhandler_c2f(made);
}
void mpi_file_set_errhandler_(const Int* file, const Int* handler, Int* ierror) {
  *ierror = MPI_File_set_errhandler(file_of(file), MPI_Errhandler_f2c(*handler));
}
void mpi_file_get_errhandler_(const Int* file, Int* handler, Int* ierror) {
  MPI_Errhandler made = MPI_ERRHANDLER_NULL;
  *ierror = MPI_File_get_errhandler(file_of(file), &made);
  if (*ierror == MPI_SUCCESS) *handler = MPI_Errhandler_c2f(made);
}
void mpi_file_call_errhandler_(const Int* file, const Int* code, Int* ierror) {
  *ierror = MPI_File_call_errhandler(file_of(file), *code);
}

#define STRATA_FILE_REQUEST(fortran, c)                                                                               \
  void mpi_file_##fortran##_(const Int* file, void* buffer, const Int* count, Type type, Int* request, Int* ierror) { \
    MPI_Request made = MPI_REQUEST_NULL;                                                                              \
    const int code = MPI_File_##c(file_of(file), buffer, *count, MPI_Type_f2c(*type), &made);                         \
    give(code, made, request, ierror);                                                                                \
  }
#define STRATA_FILE_REQUEST_AT(fortran, c)                                                                     \
  void mpi_file_##fortran##_(const Int* file, const Offset* offset, void* buffer, const Int* count, Type type, \
                             Int* request, Int* ierror) {                                                      \
    MPI_Request made = MPI_REQUEST_NULL;                                                                       \
    const int code = MPI_File_##c(file_of(file), *offset, buffer, *count, MPI_Type_f2c(*type), &made);         \
    give(code, made, request, ierror);                                                                         \
  }
#define STRATA_FILE_SPLIT(name)                                                                            \
  void mpi_file_##name##_begin_(const Int* file, void* buffer, const Int* count, Type type, Int* ierror) { \
    *ierror = MPI_File_##name##_begin(file_of(file), buffer, *count, MPI_Type_f2c(*type));                 \
  }                                                                                                        \
  STRATA_FILE_SPLIT_END(name)
#define STRATA_FILE_SPLIT_AT(name)                                                                                \
  void mpi_file_##name##_begin_(const Int* file, const Offset* offset, void* buffer, const Int* count, Type type, \
                                Int* ierror) {                                                                    \
    *ierror = MPI_File_##name##_begin(file_of(file), *offset, buffer, *count, MPI_Type_f2c(*type));               \
  }                                                                                                               \
  STRATA_FILE_SPLIT_END(name)
#define STRATA_FILE_SPLIT_END(name)                                                                \
  void mpi_file_##name##_end_(const Int* file, void* buffer, Int* status, Int* ierror) {           \
    *ierror = MPI_File_##name##_end(file_of(file), buffer, reinterpret_cast<MPI_Status*>(status)); \
  }

STRATA_FILE_REQUEST(iread, iread)
STRATA_FILE_REQUEST(iwrite, iwrite)
STRATA_FILE_REQUEST(iread_all, iread_all)
STRATA_FILE_REQUEST(iwrite_all, iwrite_all)
STRATA_FILE_REQUEST(iread_shared, iread_shared)
STRATA_FILE_REQUEST(iwrite_shared, iwrite_shared)
STRATA_FILE_REQUEST_AT(iread_at, iread_at)
STRATA_FILE_REQUEST_AT(iwrite_at, iwrite_at)
STRATA_FILE_REQUEST_AT(iread_at_all, iread_at_all)
STRATA_FILE_REQUEST_AT(iwrite_at_all, iwrite_at_all)
STRATA_FILE_SPLIT(read_all)
STRATA_FILE_SPLIT(write_all)
STRATA_FILE_SPLIT(read_ordered)
STRATA_FILE_SPLIT(write_ordered)
STRATA_FILE_SPLIT_AT(read_at_all)
STRATA_FILE_SPLIT_AT(write_at_all)
}

namespace strata::mpix {

bool is_fortrans_ignore(const MPI_Status* status) {
  return static_cast<const void*>(status) == static_cast<const void*>(&mpi_status_ignore_);
}

}  // namespace strata::mpix
