// SPDX-License-Identifier: LGPL-2.1-only
// Opening and closing files, their properties, and views (MPI 4.0, Sections 14.2 and 14.3).
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "mpi_ext/preload/supply/behind.h"
#include "mpi_ext/preload/supply/files/open_file.h"
#include "mpi_ext/preload/supply/group_actors.h"
#include "mpi_ext/preload/supply/meeting.h"

namespace strata::mpix {
namespace {

constexpr int kAccessModes = MPI_MODE_RDONLY | MPI_MODE_RDWR | MPI_MODE_WRONLY;

// MPI 4.0, Section 14.2.1.
int check_amode(int amode) {
  if (std::popcount(static_cast<unsigned>(amode & kAccessModes)) != 1) return MPI_ERR_AMODE;
  if ((amode & MPI_MODE_RDONLY) != 0 && (amode & (MPI_MODE_CREATE | MPI_MODE_EXCL)) != 0) return MPI_ERR_AMODE;
  if ((amode & MPI_MODE_RDWR) != 0 && (amode & MPI_MODE_SEQUENTIAL) != 0) return MPI_ERR_AMODE;
  return MPI_SUCCESS;
}

int flags_of(int amode) {
  int flags = O_CLOEXEC | ((amode & MPI_MODE_RDONLY) != 0   ? O_RDONLY
                           : (amode & MPI_MODE_WRONLY) != 0 ? O_WRONLY
                                                            : O_RDWR);
  if ((amode & MPI_MODE_CREATE) != 0) flags |= O_CREAT;
  if ((amode & MPI_MODE_EXCL) != 0) flags |= O_EXCL;
  return flags;
}

bool all_equal(const FileMeeting& meeting) {
  return std::equal(meeting.values.begin() + 1, meeting.values.end(), meeting.values.begin());
}

// The communicator of a file: no attributes, no topology, and never the program's, which the program may free.
MPI_Comm own_communicator(MPI_Comm comm) {
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Comm own = MPI_COMM_NULL;
  check(STRATA_BEHIND(Comm_group)(comm, &group));
  const int code = STRATA_BEHIND(Comm_create)(comm, group, &own);
  STRATA_BEHIND(Group_free)(&group);
  check(code);
  return own;
}

long long size_of(const SharedFile& shared) {
  struct stat status = {};
  if (::fstat(shared.descriptor, &status) != 0) check(file_error(errno));
  return status.st_size;
}

int open_once(SharedFile& shared, const char* name, int amode, const FileMeeting& meeting) {
  if (!all_equal(meeting)) return MPI_ERR_NOT_SAME;
  shared.descriptor = ::open(name, flags_of(amode), 0666);
  if (shared.descriptor < 0) return file_error(errno);
  struct stat status = {};
  if (::fstat(shared.descriptor, &status) != 0 || S_ISDIR(status.st_mode)) return MPI_ERR_BAD_FILE;
  shared.name = name;
  shared.amode = amode;
  if ((amode & MPI_MODE_APPEND) != 0) shared.pointer = status.st_size;
  return MPI_SUCCESS;
}

MPI_File open_on(MPI_Comm comm, const char* name, int amode, MPI_Info info) {
  static auto& meetings = *new Meetings<SharedFile>;
  auto file = std::make_unique<OpenFile>();
  check(STRATA_BEHIND(Comm_rank)(comm, &file->rank));
  check(STRATA_BEHIND(Comm_size)(comm, &file->size));
  file->comm = own_communicator(comm);
  file->shared = meetings.join(members_of(comm), static_cast<std::size_t>(file->rank));
  if (info == MPI_INFO_NULL) {
    check(STRATA_BEHIND(Info_create)(&file->info));
  } else {
    check(STRATA_BEHIND(Info_dup)(info, &file->info));
  }
  SharedFile& shared = *file->shared;
  check(meet(*file, amode, [&](const FileMeeting& meeting) { return open_once(shared, name, amode, meeting); }));
  file->pointer = shared.pointer;
  return add_file(std::move(file));
}

// --- views ---

struct Extent {
  MPI_Aint lower = 0, extent = 0;
};

// The bytes of a type that is not predefined, found by packing an element whose words contain their own number: this
// way the view agrees with what SMPI moves. `word`: a size that divides all displacements.
std::vector<FileStretch> stretches_of(MPI_Datatype type, MPI_Comm comm, long long word) {
  int size = 0;
  MPI_Aint lower = 0, extent = 0;
  check(PMPI_Type_size(type, &size));
  check(MPI_Type_get_true_extent(type, &lower, &extent));
  if (size == 0) return {};
  const auto words = static_cast<std::size_t>((extent + word - 1) / word);
  std::vector<long long> number(static_cast<std::size_t>(size / word));
  std::vector<unsigned char> image(words * static_cast<std::size_t>(word)), packed(size);
  // A word holds as many bits of its number as it has; short words need several passes.
  const int bits = static_cast<int>(std::min(word, 8LL)) * 8;
  for (int shift = 0; shift < 64 && (shift == 0 || words >> shift != 0); shift += bits) {
    for (std::size_t w = 0; w < words; ++w) {
      const std::uint64_t part = w >> shift;
      std::memcpy(&image[w * static_cast<std::size_t>(word)], &part, static_cast<std::size_t>(bits / 8));
    }
    int position = 0;
    check(STRATA_BEHIND(Pack)(image.data() - lower, 1, type, packed.data(), size, &position, comm));
    for (std::size_t w = 0; w < number.size(); ++w) {
      std::uint64_t part = 0;
      std::memcpy(&part, &packed[w * static_cast<std::size_t>(word)], static_cast<std::size_t>(bits / 8));
      number[w] |= static_cast<long long>(part << shift);
    }
  }
  std::vector<FileStretch> stretches;
  for (const long long n : number) {
    if (!stretches.empty() && stretches.back().first + stretches.back().length == lower + n * word) {
      stretches.back().length += word;
    } else {
      stretches.push_back({lower + n * word, word});
    }
  }
  return stretches;
}

// Displacements of an etype and a filetype are not negative and do not decrease, and if the file is open for writing,
// data do not overlap (MPI 4.0, Section 14.1.1).
bool is_allowed(const std::vector<FileStretch>& stretches, bool for_writing) {
  long long least = 0;
  for (const FileStretch& s : stretches) {
    if (s.first < least) return false;
    least = s.first + (for_writing ? s.length : 0);
  }
  return true;
}

bool is_named(MPI_Datatype type) {
  int integers = 0, addresses = 0, types = 0, combiner = 0;
  check(PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner));
  return combiner == MPI_COMBINER_NAMED;
}

// The largest of 8, 4, 2 and 1 bytes that the type's size and extent are multiples of, if it is predefined.
long long word_of(MPI_Datatype etype) {
  int size = 0;
  MPI_Aint lower = 0, extent = 0;
  check(PMPI_Type_size(etype, &size));
  check(PMPI_Type_get_extent(etype, &lower, &extent));
  if (!is_named(etype) || size != extent || size == 0) return 1;
  return std::min(8, 1 << std::countr_zero(static_cast<unsigned>(size)));
}

MPI_Datatype own_type(MPI_Datatype type) {
  if (is_named(type)) return type;
  MPI_Datatype own = MPI_DATATYPE_NULL;
  check(PMPI_Type_dup(type, &own));
  return own;
}

void free_type(MPI_Datatype& type) {
  if (!is_named(type)) PMPI_Type_free(&type);
}

void set_view(OpenFile& file, MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype, const char* datarep) {
  int etype_bytes = 0, filetype_bytes = 0;
  MPI_Aint lower = 0, extent = 0;
  check(PMPI_Type_size(etype, &etype_bytes));
  check(PMPI_Type_size(filetype, &filetype_bytes));
  check(PMPI_Type_get_extent(filetype, &lower, &extent));
  if (etype_bytes == 0 || filetype_bytes % etype_bytes != 0) check(MPI_ERR_ARG);
  if (displacement == MPI_DISPLACEMENT_CURRENT && (file.shared->amode & MPI_MODE_SEQUENTIAL) != 0)
    displacement = file.view.bytes_per_tile() == 0 ? file.displacement : file.view.position(file.shared->pointer);
  if (displacement < 0) check(MPI_ERR_ARG);
  if (std::strcmp(datarep, "native") != 0 && std::strcmp(datarep, "internal") != 0) check(MPI_ERR_UNSUPPORTED_DATAREP);
  std::vector<FileStretch> stretches = stretches_of(filetype, file.comm, word_of(etype));
  const bool for_writing = (file.shared->amode & MPI_MODE_RDONLY) == 0;
  if (!is_allowed(stretches, for_writing)) check(MPI_ERR_IO);
  if (!is_named(etype) && !is_allowed(stretches_of(etype, file.comm, 1), for_writing)) check(MPI_ERR_IO);
  const MPI_Datatype own_etype = own_type(etype), own_filetype = own_type(filetype);
  free_type(file.etype);
  free_type(file.filetype);
  file.etype = own_etype;
  file.filetype = own_filetype;
  file.view = FileView(displacement, std::move(stretches), extent);
  file.displacement = displacement;
  file.etype_bytes = etype_bytes;
  file.representation = datarep;
  file.pointer = 0;
}

// Hints are kept, so that MPI_File_get_info returns them; none changes what happens.
void add_hints(OpenFile& file, MPI_Info info) {
  if (info == MPI_INFO_NULL) return;
  int keys = 0;
  check(STRATA_BEHIND(Info_get_nkeys)(info, &keys));
  for (int k = 0; k < keys; ++k) {
    char key[MPI_MAX_INFO_KEY + 1] = "", value[MPI_MAX_INFO_VAL + 1] = "";
    int there = 0;
    check(STRATA_BEHIND(Info_get_nthkey)(info, k, key));
    check(STRATA_BEHIND(Info_get)(info, key, MPI_MAX_INFO_VAL, value, &there));
    if (there != 0) check(STRATA_BEHIND(Info_set)(file.info, key, value));
  }
}

int resize(SharedFile& shared, MPI_Offset size, bool only_grow, const FileMeeting& meeting) {
  if (!all_equal(meeting)) return MPI_ERR_NOT_SAME;
  struct stat status = {};
  if (::fstat(shared.descriptor, &status) != 0) return file_error(errno);
  if (only_grow && status.st_size >= size) return MPI_SUCCESS;
  return ::ftruncate(shared.descriptor, size) == 0 ? static_cast<int>(MPI_SUCCESS) : file_error(errno);
}

int resize_together(MPI_File handle, MPI_Offset size, bool only_grow) {
  return on_file(handle, [&](OpenFile& file) {
    if (size < 0) check(MPI_ERR_ARG);
    if ((file.shared->amode & MPI_MODE_SEQUENTIAL) != 0) check(MPI_ERR_UNSUPPORTED_OPERATION);
    if ((file.shared->amode & MPI_MODE_RDONLY) != 0) check(MPI_ERR_READ_ONLY);
    return meet(file, size, [&](const FileMeeting& m) { return resize(*file.shared, size, only_grow, m); });
  });
}

// Reports an error that concerns no open file.
int without_file(int code) {
  if (code == MPI_SUCCESS) return code;
  code = raise_on_file(MPI_FILE_NULL, code);
  if (code != MPI_SUCCESS) reported();
  return code;
}

}  // namespace
}  // namespace strata::mpix

using namespace strata::mpix;

extern "C" {

int PMPI_File_open(MPI_Comm comm, const char* filename, int amode, MPI_Info info, MPI_File* handle) {
  int code = MPI_SUCCESS;
  try {
    if (handle == nullptr || filename == nullptr) check(MPI_ERR_ARG);
    *handle = MPI_FILE_NULL;
    check(check_intracomm(comm));
    check(check_amode(amode));
    *handle = open_on(comm, filename, amode, info);
  } catch (...) {
    code = caught_error();
  }
  return without_file(code);
}

int PMPI_File_close(MPI_File* handle) {
  if (handle == nullptr) return raise_on_file(MPI_FILE_NULL, MPI_ERR_FILE);
  return on_file(*handle, [&](OpenFile& file) {
    if (file.split.kind != SplitAccess::Kind::kNone) check(MPI_ERR_OTHER);
    const int code = meet(file, 0, [&](const FileMeeting&) {
      const bool deletes = (file.shared->amode & MPI_MODE_DELETE_ON_CLOSE) != 0;
      return deletes && ::unlink(file.shared->name.c_str()) != 0 ? file_error(errno) : static_cast<int>(MPI_SUCCESS);
    });
    free_type(file.etype);
    free_type(file.filetype);
    remove_file(*handle);
    *handle = MPI_FILE_NULL;
    return code;
  });
}

int PMPI_File_delete(const char* filename, MPI_Info) {
  if (filename == nullptr) return without_file(MPI_ERR_ARG);
  return without_file(::unlink(filename) == 0 ? static_cast<int>(MPI_SUCCESS) : file_error(errno));
}

int PMPI_File_set_size(MPI_File handle, MPI_Offset size) { return resize_together(handle, size, false); }
int PMPI_File_preallocate(MPI_File handle, MPI_Offset size) { return resize_together(handle, size, true); }

int PMPI_File_get_size(MPI_File handle, MPI_Offset* size) {
  return on_file(handle, [&](OpenFile& file) {
    if (size == nullptr) check(MPI_ERR_ARG);
    *size = size_of(*file.shared);
    return static_cast<int>(MPI_SUCCESS);
  });
}

int PMPI_File_get_group(MPI_File handle, MPI_Group* group) {
  return on_file(handle, [&](OpenFile& file) { return STRATA_BEHIND(Comm_group)(file.comm, group); });
}

int PMPI_File_get_amode(MPI_File handle, int* amode) {
  return on_file(handle, [&](OpenFile& file) {
    if (amode == nullptr) check(MPI_ERR_ARG);
    *amode = file.shared->amode;
    return static_cast<int>(MPI_SUCCESS);
  });
}

int PMPI_File_set_info(MPI_File handle, MPI_Info info) {
  return on_file(handle, [&](OpenFile& file) {
    if (info == MPI_INFO_NULL) check(MPI_ERR_INFO);
    add_hints(file, info);
    return meet(file, 0, [](const FileMeeting&) { return static_cast<int>(MPI_SUCCESS); });
  });
}

int PMPI_File_get_info(MPI_File handle, MPI_Info* info) {
  return on_file(handle, [&](OpenFile& file) {
    if (info == nullptr) check(MPI_ERR_ARG);
    return STRATA_BEHIND(Info_dup)(file.info, info);
  });
}

int PMPI_File_set_view(MPI_File handle, MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype,
                       const char* datarep, MPI_Info info) {
  return on_file(handle, [&](OpenFile& file) {
    if (etype == MPI_DATATYPE_NULL || filetype == MPI_DATATYPE_NULL) check(MPI_ERR_TYPE);
    if (datarep == nullptr) check(MPI_ERR_ARG);
    set_view(file, displacement, etype, filetype, datarep);
    add_hints(file, info);
    return meet(file, 0, [&](const FileMeeting&) {
      file.shared->pointer = 0;
      return static_cast<int>(MPI_SUCCESS);
    });
  });
}

int PMPI_File_get_view(MPI_File handle, MPI_Offset* displacement, MPI_Datatype* etype, MPI_Datatype* filetype,
                       char* datarep) {
  return on_file(handle, [&](OpenFile& file) {
    if (displacement == nullptr || etype == nullptr || filetype == nullptr || datarep == nullptr) check(MPI_ERR_ARG);
    *displacement = file.displacement;
    *etype = own_type(file.etype);
    *filetype = own_type(file.filetype);
    std::strcpy(datarep, file.representation.c_str());
    return static_cast<int>(MPI_SUCCESS);
  });
}

int PMPI_File_get_type_extent(MPI_File handle, MPI_Datatype type, MPI_Aint* extent) {
  return on_file(handle, [&](OpenFile&) {
    if (type == MPI_DATATYPE_NULL) check(MPI_ERR_TYPE);
    MPI_Aint lower = 0;
    return PMPI_Type_get_extent(type, &lower, extent);
  });
}

// The ranks take turns, so each access is atomic in any case.
int PMPI_File_set_atomicity(MPI_File handle, int flag) {
  return on_file(handle, [&](OpenFile& file) {
    return meet(file, flag != 0 ? 1 : 0, [&](const FileMeeting& meeting) {
      if (!all_equal(meeting)) return static_cast<int>(MPI_ERR_NOT_SAME);
      file.shared->atomic = flag != 0;
      return static_cast<int>(MPI_SUCCESS);
    });
  });
}

int PMPI_File_get_atomicity(MPI_File handle, int* flag) {
  return on_file(handle, [&](OpenFile& file) {
    if (flag == nullptr) check(MPI_ERR_ARG);
    *flag = file.shared->atomic ? 1 : 0;
    return static_cast<int>(MPI_SUCCESS);
  });
}

// Other ranks read what was written in any case. This does not wait for the disk of this computer.
int PMPI_File_sync(MPI_File handle) {
  return on_file(handle, [&](OpenFile& file) {
    return meet(file, 0, [](const FileMeeting&) { return static_cast<int>(MPI_SUCCESS); });
  });
}
}
