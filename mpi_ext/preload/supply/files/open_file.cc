// SPDX-License-Identifier: LGPL-2.1-only
// Handles of files, their error handlers, and the meetings of collective calls.
#include "mpi_ext/preload/supply/files/open_file.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <simgrid/s4u/Actor.hpp>
#include <utility>

#include "mpi_ext/preload/supply/behind.h"
#include "sim/simgrid/comm.h"

namespace strata::mpix {
namespace {

// Fortran's handles begin here. SMPI's own interface also removes its object of the same number when a file is closed;
// it counts its objects from 0.
constexpr MPI_Fint kFirstNumber = 1 << 24;

std::map<MPI_File, std::unique_ptr<OpenFile>>& files() {
  static auto& all = *new std::map<MPI_File, std::unique_ptr<OpenFile>>;
  return all;
}

std::map<MPI_Fint, MPI_File>& numbers() {
  static auto& all = *new std::map<MPI_Fint, MPI_File>;
  return all;
}

// SMPI knows that a handler is one, but not its function.
struct Handler {
  MPI_File_errhandler_function* c = nullptr;
  FortranFileHandler* fortran = nullptr;
};
std::map<MPI_Errhandler, Handler>& handlers() {
  static auto& all = *new std::map<MPI_Errhandler, Handler>;
  return all;
}

void never_called(MPI_File*, int*, ...) {}

// The handler of MPI_FILE_NULL, by rank: of errors that concern no open file, and of files that are opened later.
MPI_Errhandler& default_handler() {
  static auto& all = *new std::map<aid_t, MPI_Errhandler>;
  return all.try_emplace(simgrid::s4u::this_actor::get_pid(), MPI_ERRORS_RETURN).first->second;
}

// The rank whose error on a communicator SMPI must not report, because its file's handler has been called.
aid_t& reported_by() {
  static aid_t rank = -1;
  return rank;
}

}  // namespace

SharedFile::~SharedFile() {
  if (descriptor >= 0) ::close(descriptor);
}

OpenFile::~OpenFile() {
  if (info != MPI_INFO_NULL) STRATA_BEHIND(Info_free)(&info);
  if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
}

OpenFile* open_file(MPI_File handle) {
  const auto at = files().find(handle);
  return at == files().end() ? nullptr : at->second.get();
}

MPI_File add_file(std::unique_ptr<OpenFile> file) {
  static MPI_Fint next = kFirstNumber;
  STRATA_BEHIND(Comm_set_errhandler)(file->comm, default_handler());
  file->number = next++;
  auto* const handle = reinterpret_cast<MPI_File>(file.get());
  numbers().emplace(file->number, handle);
  files().emplace(handle, std::move(file));
  return handle;
}

std::unique_ptr<OpenFile> remove_file(MPI_File handle) {
  const auto at = files().find(handle);
  std::unique_ptr<OpenFile> file = std::move(at->second);
  files().erase(at);
  numbers().erase(file->number);
  return file;
}

int raise_on_file(MPI_File handle, int code) {
  if (code == MPI_SUCCESS) return code;
  const OpenFile* const file = open_file(handle);
  MPI_Errhandler handler = default_handler();
  if (file != nullptr) {
    STRATA_BEHIND(Comm_get_errhandler)(file->comm, &handler);
    MPI_Errhandler given_back = handler;  // the file keeps it
    if (handler != MPI_ERRORS_RETURN && handler != MPI_ERRORS_ARE_FATAL) STRATA_BEHIND(Errhandler_free)(&given_back);
  }
  if (handler == MPI_ERRORS_RETURN || handler == MPI_ERRHANDLER_NULL) return code;
  const auto own = handlers().find(handler);
  if (own == handlers().end()) {
    abort_with(MPI_COMM_WORLD, code, "the file's error handler is MPI_ERRORS_ARE_FATAL");
  } else if (own->second.c != nullptr) {
    own->second.c(&handle, &code);
  } else {
    MPI_Fint number = file == nullptr ? 0 : file->number, told = code;
    own->second.fortran(&number, &told);
    code = told;
  }
  return code;  // which the handler may have changed
}

int create_fortran_handler(FortranFileHandler* function, MPI_Errhandler* errhandler) {
  const int code = STRATA_BEHIND(File_create_errhandler)(never_called, errhandler);
  if (code == MPI_SUCCESS) handlers().insert_or_assign(*errhandler, Handler{.fortran = function});
  return code;
}

void reported() { reported_by() = simgrid::s4u::this_actor::get_pid(); }

int file_error(int error) {
  switch (error) {
    case ENOENT:
      return MPI_ERR_NO_SUCH_FILE;
    case EEXIST:
      return MPI_ERR_FILE_EXISTS;
    case EACCES:
    case EPERM:
      return MPI_ERR_ACCESS;
    case EROFS:
      return MPI_ERR_READ_ONLY;
    case ENAMETOOLONG:
    case EISDIR:
    case ENOTDIR:
    case ELOOP:
      return MPI_ERR_BAD_FILE;
    case ENOSPC:
    case EFBIG:
      return MPI_ERR_NO_SPACE;
    case EDQUOT:
      return MPI_ERR_QUOTA;
    case ETXTBSY:
      return MPI_ERR_FILE_IN_USE;
    default:
      return MPI_ERR_IO;
  }
}

std::shared_ptr<FileMeeting> arrive(OpenFile& file, long long value) {
  SharedFile& shared = *file.shared;
  const auto index = static_cast<std::size_t>(file.meetings++ - shared.first_meeting);
  const auto size = static_cast<std::size_t>(file.size);
  while (shared.meetings.size() <= index) shared.meetings.push_back(std::make_shared<FileMeeting>());
  const std::shared_ptr<FileMeeting> meeting = shared.meetings[index];
  meeting->values.resize(size);
  meeting->received.resize(size);
  meeting->values[file.rank] = value;
  // When this returns, all ranks have arrived.
  check(STRATA_BEHIND(Allgather)(&value, 1, MPI_LONG_LONG, meeting->received.data(), 1, MPI_LONG_LONG, file.comm));
  return meeting;
}

void leave(OpenFile& file, FileMeeting& meeting) {
  ++meeting.left;
  SharedFile& shared = *file.shared;
  while (!shared.meetings.empty() && shared.meetings.front()->left == static_cast<std::size_t>(file.size)) {
    shared.meetings.pop_front();
    ++shared.first_meeting;
  }
}

}  // namespace strata::mpix

using namespace strata::mpix;

// SMPI's MPI_X calls an error handler if PMPI_X returns an error: that of the file, for which it looks into an object
// of its own; of the communicator in MPI_File_open, and of MPI_COMM_WORLD in MPI_File_delete. The file's handler has
// been called by then, so these do nothing more.
namespace simgrid::smpi {

class File {
 public:
  MPI_Errhandler errhandler();
};
MPI_Errhandler File::errhandler() { return MPI_ERRORS_RETURN; }

MPI_Errhandler Comm::errhandler() {
  static const auto smpis = behind<MPI_Errhandler(Comm*)>("_ZN7simgrid4smpi4Comm10errhandlerEv");
  if (reported_by() != s4u::this_actor::get_pid()) return smpis(this);
  reported_by() = -1;
  return MPI_ERRORS_RETURN;
}

}  // namespace simgrid::smpi

extern "C" {

MPI_Fint PMPI_File_c2f(MPI_File handle) {
  const OpenFile* const file = open_file(handle);
  return file == nullptr ? 0 : file->number;
}

MPI_File PMPI_File_f2c(MPI_Fint number) {
  const auto at = numbers().find(number);
  return at == numbers().end() ? MPI_FILE_NULL : at->second;
}

int PMPI_File_create_errhandler(MPI_File_errhandler_function* function, MPI_Errhandler* errhandler) {
  if (function == nullptr || errhandler == nullptr) return raise(MPI_COMM_WORLD, MPI_ERR_ARG);
  const int code = STRATA_BEHIND(File_create_errhandler)(function, errhandler);
  if (code == MPI_SUCCESS) handlers().insert_or_assign(*errhandler, Handler{.c = function});
  return code;
}

int PMPI_File_set_errhandler(MPI_File handle, MPI_Errhandler errhandler) {
  if (handle == MPI_FILE_NULL) {
    if (errhandler == MPI_ERRHANDLER_NULL) return raise_on_file(handle, MPI_ERR_ARG);
    default_handler() = errhandler;
    return MPI_SUCCESS;
  }
  return on_file(handle, [&](OpenFile& file) {
    if (errhandler == MPI_ERRHANDLER_NULL) check(MPI_ERR_ARG);
    return STRATA_BEHIND(Comm_set_errhandler)(file.comm, errhandler);
  });
}

int PMPI_File_get_errhandler(MPI_File handle, MPI_Errhandler* errhandler) {
  if (errhandler == nullptr) return raise_on_file(handle, MPI_ERR_ARG);
  if (handle == MPI_FILE_NULL) {
    *errhandler = default_handler();
    return MPI_SUCCESS;
  }
  return on_file(handle, [&](OpenFile& file) { return STRATA_BEHIND(Comm_get_errhandler)(file.comm, errhandler); });
}

int PMPI_File_call_errhandler(MPI_File handle, int code) {
  raise_on_file(handle, code);
  return MPI_SUCCESS;
}
}
