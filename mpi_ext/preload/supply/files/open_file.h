// SPDX-License-Identifier: LGPL-2.1-only
// An open file of MPI. Each rank has a handle of its own, with its view and its file pointer; what the ranks share is
// one object, because all are in one process. The bytes are those of a file of this computer, whose name is relative to
// the folder of the run. SMPI's own functions need SimGrid's file-system plugin and disks, and move no data.
//
// Cost: an access takes no simulated time. Collective calls charge an allgather of 8 bytes per rank, in which ranks
// wait for each other as they do when a real MPI exchanges what they access.
#pragma once

#include <mpi.h>

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "mpi_ext/preload/supply/files/view.h"

namespace strata::mpix {

/// One collective call on a file.
struct FileMeeting {
  std::vector<long long> values;    // what each rank contributes
  std::vector<long long> received;  // receive buffer; the contents are known
  std::size_t left = 0;             // ranks that have ended the call
  bool done = false;                // the common part of the call
  int code = MPI_SUCCESS;           // result of the common part
  long long base = 0;               // result of the common part: a file pointer
};

/// State that all ranks of a file share.
struct SharedFile {
  std::string name;
  int descriptor = -1;
  int amode = 0;
  bool atomic = false;
  long long pointer = 0;  // the shared file pointer, bytes of the view
  std::deque<std::shared_ptr<FileMeeting>> meetings;
  long first_meeting = 0;  // number of the first one in `meetings`

  SharedFile() = default;
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;
  ~SharedFile();
};

/// A split collective that has begun.
struct SplitAccess {
  enum class Kind { kNone, kRead, kWrite };
  Kind kind = Kind::kNone;
  long long bytes = 0;
};

/// A rank's handle.
struct OpenFile {
  MPI_Comm comm = MPI_COMM_NULL;  // a communicator of its own, which also holds the file's error handler
  std::shared_ptr<SharedFile> shared;
  int rank = 0, size = 1;
  long meetings = 0;  // collective calls so far
  MPI_Info info = MPI_INFO_NULL;
  FileView view;
  long long displacement = 0;
  MPI_Datatype etype = MPI_BYTE, filetype = MPI_BYTE;
  std::string representation = "native";
  long long etype_bytes = 1;
  long long pointer = 0;  // the individual file pointer, bytes of the view
  SplitAccess split;
  MPI_Fint number = 0;  // Fortran's handle

  OpenFile() = default;
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile();
};

/// The file of a handle, or null if the handle is not one.
OpenFile* open_file(MPI_File handle);
/// Makes a handle, which owns the file.
MPI_File add_file(std::unique_ptr<OpenFile> file);
/// Ends a handle.
std::unique_ptr<OpenFile> remove_file(MPI_File handle);

/// Calls the error handler of the file, or of MPI_FILE_NULL if `handle` is not a file, with `code`, and returns the
/// code.
int raise_on_file(MPI_File handle, int code);

/// Says that the error that the caller returns from MPI_File_open or MPI_File_delete has been reported.
void reported();

/// Runs `body(file)`, which returns or throws an error code (check()), and reports it to the file's error handler.
template <class Body>
int on_file(MPI_File handle, const Body& body);

/// A handler that is a Fortran subroutine, with Fortran's handle.
using FortranFileHandler = void(MPI_Fint* file, MPI_Fint* code, ...);
int create_fortran_handler(FortranFileHandler* function, MPI_Errhandler* errhandler);

/// Whether a Fortran program has given MPI_STATUS_IGNORE, which SMPI's Fortran interface passes on as it is.
bool is_fortrans_ignore(const MPI_Status* status);

/// MPI's error class for errno.
int file_error(int error);

/// A collective call: all ranks meet, each with a value, and the first to go on runs `common(meeting)`, whose code all
/// ranks return. `common` may throw nothing.
template <class Common>
int meet(OpenFile& file, long long value, const Common& common, std::shared_ptr<FileMeeting>* result = nullptr);

/// The two halves of meet().
std::shared_ptr<FileMeeting> arrive(OpenFile& file, long long value);
void leave(OpenFile& file, FileMeeting& meeting);

}  // namespace strata::mpix

#include "mpi_ext/report_error.h"

namespace strata::mpix {

template <class Body>
int on_file(MPI_File handle, const Body& body) {
  int code = MPI_SUCCESS;
  try {
    OpenFile* const file = open_file(handle);
    code = file == nullptr ? static_cast<int>(MPI_ERR_FILE) : body(*file);
  } catch (...) {
    code = caught_error();
  }
  return raise_on_file(handle, code);
}

template <class Common>
int meet(OpenFile& file, long long value, const Common& common, std::shared_ptr<FileMeeting>* result) {
  const std::shared_ptr<FileMeeting> meeting = arrive(file, value);
  if (!meeting->done) {
    meeting->done = true;
    meeting->code = common(*meeting);
  }
  leave(file, *meeting);
  if (result != nullptr) *result = meeting;
  return meeting->code;
}

}  // namespace strata::mpix
