// SPDX-License-Identifier: LGPL-2.1-only
// Reading and writing (MPI 4.0, Section 14.4): at an offset, at the individual or the shared file pointer; alone or
// together; at once, or as a request or a split collective, which are complete when they begin. Data in memory is
// described by SMPI's packing, data in the file by the view.
//
// Messages: none of an access alone or of a request. A collective one, and the beginning of a split one, charge an
// allgather of 8 bytes per rank.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <numeric>
#include <vector>

#include "mpi_ext/preload/supply/behind.h"
#include "mpi_ext/preload/supply/files/open_file.h"

namespace strata::mpix {
namespace {

enum class Direction { kRead, kWrite };

// Memory of an access.
struct Buffer {
  void* data = nullptr;
  int count = 0;
  MPI_Datatype type = MPI_BYTE;
};

Buffer buffer_of(const void* data, int count, MPI_Datatype type) {
  return {const_cast<void*>(data), count, type};  // writing does not change it
}

long long element_bytes(const Buffer& buffer) {
  int size = 0;
  check(PMPI_Type_size(buffer.type, &size));
  return size;
}

// Whether memory has the bytes in the order of the file, without gaps.
bool is_plain(const Buffer& buffer) {
  int integers = 0, addresses = 0, types = 0, combiner = 0;
  check(PMPI_Type_get_envelope(buffer.type, &integers, &addresses, &types, &combiner));
  MPI_Aint lower = 0, extent = 0;
  check(PMPI_Type_get_extent(buffer.type, &lower, &extent));
  return combiner == MPI_COMBINER_NAMED && lower == 0 && extent == element_bytes(buffer);
}

MPI_Aint extent_of(const Buffer& buffer) {
  MPI_Aint lower = 0, extent = 0;
  check(PMPI_Type_get_extent(buffer.type, &lower, &extent));
  return extent;
}

// MPI_Pack counts in an int, so elements are packed one at a time if all of them are too long.
void pack(const Buffer& buffer, int first, int count, char* out, MPI_Comm comm) {
  const long long size = element_bytes(buffer);
  const int at_once = static_cast<int>(std::max(1LL, (1LL << 30) / std::max(1LL, size)));
  for (int done = 0; done < count; done += at_once) {
    const int number = std::min(at_once, count - done);
    int position = 0;
    check(STRATA_BEHIND(Pack)(static_cast<char*>(buffer.data) + (first + done) * extent_of(buffer), number, buffer.type,
                              out + done * size, static_cast<int>(number * size), &position, comm));
  }
}

void unpack(const char* in, int first, int count, const Buffer& buffer, MPI_Comm comm) {
  const long long size = element_bytes(buffer);
  const int at_once = static_cast<int>(std::max(1LL, (1LL << 30) / std::max(1LL, size)));
  for (int done = 0; done < count; done += at_once) {
    const int number = std::min(at_once, count - done);
    int position = 0;
    check(STRATA_BEHIND(Unpack)(in + done * size, static_cast<int>(number * size), &position,
                                static_cast<char*>(buffer.data) + (first + done) * extent_of(buffer), number,
                                buffer.type, comm));
  }
}

// Gives the first `bytes` bytes of the buffer's data to memory. The rest of an element that the file ends in stays as
// it is.
void unpack_bytes(std::vector<char>& data, long long bytes, const Buffer& buffer, MPI_Comm comm) {
  const long long size = element_bytes(buffer);
  if (size == 0 || bytes == 0) return;
  const int whole = static_cast<int>(bytes / size);
  unpack(data.data(), 0, whole, buffer, comm);
  const long long rest = bytes % size;
  if (rest == 0) return;
  std::vector<char> element(size);
  pack(buffer, whole, 1, element.data(), comm);
  std::memcpy(element.data(), data.data() + whole * size, static_cast<std::size_t>(rest));
  unpack(element.data(), whole, 1, buffer, comm);
}

// Moves the bytes of the view from `first` on. Returns how many; fewer than `bytes` at the end of the file.
long long transfer(const OpenFile& file, Direction direction, long long first, char* data, long long bytes) {
  long long moved = 0;
  for (const FilePiece& piece : file.view.pieces(first, bytes)) {
    for (long long done = 0; done < piece.length;) {
      const auto left = static_cast<std::size_t>(piece.length - done);
      const int fd = file.shared->descriptor;
      const ssize_t now = direction == Direction::kRead ? ::pread(fd, data + moved, left, piece.at + done)
                                                        : ::pwrite(fd, data + moved, left, piece.at + done);
      if (now < 0 && errno == EINTR) continue;
      if (now < 0) check(file_error(errno));
      if (now == 0) return moved;
      done += now;
      moved += now;
    }
  }
  return moved;
}

long long access(const OpenFile& file, Direction direction, long long first, const Buffer& buffer, long long bytes) {
  if (bytes == 0) return 0;
  if (is_plain(buffer)) return transfer(file, direction, first, static_cast<char*>(buffer.data), bytes);
  std::vector<char> data(bytes);
  if (direction == Direction::kWrite) {
    pack(buffer, 0, buffer.count, data.data(), file.comm);
    return transfer(file, direction, first, data.data(), bytes);
  }
  const long long moved = transfer(file, direction, first, data.data(), bytes);
  unpack_bytes(data, moved, buffer, file.comm);
  return moved;
}

// The bytes of an access; fails if the file does not allow it.
long long check_access(const OpenFile& file, Direction direction, const Buffer& buffer) {
  if (buffer.count < 0) check(MPI_ERR_COUNT);
  if (buffer.type == MPI_DATATYPE_NULL) check(MPI_ERR_TYPE);
  const long long bytes = element_bytes(buffer) * buffer.count;
  if (buffer.data == nullptr && bytes > 0 && is_plain(buffer)) check(MPI_ERR_BUFFER);
  if (direction == Direction::kRead && (file.shared->amode & MPI_MODE_WRONLY) != 0) check(MPI_ERR_ACCESS);
  if (direction == Direction::kWrite && (file.shared->amode & MPI_MODE_RDONLY) != 0) check(MPI_ERR_READ_ONLY);
  if (bytes % file.etype_bytes != 0) check(MPI_ERR_IO);
  return bytes;
}

void need_random_access(const OpenFile& file) {
  if ((file.shared->amode & MPI_MODE_SEQUENTIAL) != 0) check(MPI_ERR_UNSUPPORTED_OPERATION);
}

void tell(MPI_Status* status, long long bytes) {
  if (status == MPI_STATUS_IGNORE || is_fortrans_ignore(status)) return;
  *status = MPI_Status{};
  status->MPI_ERROR = MPI_SUCCESS;
  check(STRATA_BEHIND(Status_set_elements)(status, MPI_BYTE, static_cast<int>(bytes)));
}

// --- where an access begins, in bytes of the view; moves the file pointer ---

long long at_offset(const OpenFile& file, MPI_Offset offset) {
  need_random_access(file);
  if (offset < 0) check(MPI_ERR_ARG);
  return offset * file.etype_bytes;
}

long long at_pointer(OpenFile& file, long long bytes) {
  need_random_access(file);
  const long long first = file.pointer;
  file.pointer += bytes;
  return first;
}

long long at_shared_pointer(OpenFile& file, long long bytes) {
  const long long first = file.shared->pointer;
  file.shared->pointer += bytes;
  return first;
}

// The ranks access the file one after the other, in the order of their ranks.
long long in_order(OpenFile& file, long long bytes) {
  std::shared_ptr<FileMeeting> meeting;
  check(meet(
      file, bytes,
      [&](FileMeeting& m) {
        m.base = at_shared_pointer(file, std::accumulate(m.values.begin(), m.values.end(), 0LL));
        return static_cast<int>(MPI_SUCCESS);
      },
      &meeting));
  return std::accumulate(meeting->values.begin(), meeting->values.begin() + file.rank, meeting->base);
}

void together(OpenFile& file) {
  check(meet(file, 0, [](const FileMeeting&) { return static_cast<int>(MPI_SUCCESS); }));
}

// --- how an access ends ---

// `begin(file, bytes)` returns where the access begins.
template <class Begin>
int at_once(MPI_File handle, Direction direction, const Buffer& buffer, MPI_Status* status, const Begin& begin) {
  return on_file(handle, [&](OpenFile& file) {
    const long long bytes = check_access(file, direction, buffer);
    tell(status, access(file, direction, begin(file, bytes), buffer, bytes));
    return static_cast<int>(MPI_SUCCESS);
  });
}

int query(void* bytes, MPI_Status* status) {
  *status = MPI_Status{};
  status->MPI_SOURCE = MPI_UNDEFINED;
  status->MPI_TAG = MPI_UNDEFINED;
  return MPI_Status_set_elements(status, MPI_BYTE, static_cast<int>(*static_cast<long long*>(bytes)));
}
int release(void* bytes) {
  delete static_cast<long long*>(bytes);
  return MPI_SUCCESS;
}
int cancel(void*, int) { return MPI_SUCCESS; }

template <class Begin>
int as_request(MPI_File handle, Direction direction, const Buffer& buffer, MPI_Request* request, const Begin& begin) {
  return on_file(handle, [&](OpenFile& file) {
    if (request == nullptr) check(MPI_ERR_ARG);
    const long long bytes = check_access(file, direction, buffer);
    auto moved = std::make_unique<long long>(access(file, direction, begin(file, bytes), buffer, bytes));
    check(PMPI_Grequest_start(query, release, cancel, moved.get(), request));
    moved.release();
    return STRATA_BEHIND(Grequest_complete)(*request);
  });
}

SplitAccess::Kind kind_of(Direction direction) {
  return direction == Direction::kRead ? SplitAccess::Kind::kRead : SplitAccess::Kind::kWrite;
}

template <class Begin>
int split_begin(MPI_File handle, Direction direction, const Buffer& buffer, const Begin& begin) {
  return on_file(handle, [&](OpenFile& file) {
    if (file.split.kind != SplitAccess::Kind::kNone) check(MPI_ERR_OTHER);
    const long long bytes = check_access(file, direction, buffer);
    const long long moved = access(file, direction, begin(file, bytes), buffer, bytes);
    file.split = {kind_of(direction), moved};
    return static_cast<int>(MPI_SUCCESS);
  });
}

int split_end(MPI_File handle, Direction direction, MPI_Status* status) {
  return on_file(handle, [&](OpenFile& file) {
    if (file.split.kind != kind_of(direction)) check(MPI_ERR_OTHER);
    tell(status, file.split.bytes);
    file.split = {};
    return static_cast<int>(MPI_SUCCESS);
  });
}

const auto kIndividual = [](OpenFile& file, long long bytes) { return at_pointer(file, bytes); };
const auto kShared = [](OpenFile& file, long long bytes) { return at_shared_pointer(file, bytes); };
const auto kOrdered = [](OpenFile& file, long long bytes) { return in_order(file, bytes); };
const auto kAllIndividual = [](OpenFile& file, long long bytes) {
  together(file);
  return at_pointer(file, bytes);
};
auto at(MPI_Offset offset) {
  return [offset](OpenFile& file, long long) { return at_offset(file, offset); };
}
auto all_at(MPI_Offset offset) {
  return [offset](OpenFile& file, long long) {
    const long long first = at_offset(file, offset);
    together(file);
    return first;
  };
}

// --- file pointers ---

// Where `offset` etypes from `whence` are, in bytes of the view. `pointer`: the current position.
long long sought(const OpenFile& file, MPI_Offset offset, int whence, long long pointer) {
  long long from = 0;
  if (whence == MPI_SEEK_CUR) {
    from = pointer;
  } else if (whence == MPI_SEEK_END) {
    MPI_Offset size = 0;
    size = ::lseek(file.shared->descriptor, 0, SEEK_END);
    if (size < 0) check(file_error(errno));
    const long long before = file.view.bytes_before(size);
    from = (before + file.etype_bytes - 1) / file.etype_bytes * file.etype_bytes;
  } else if (whence != MPI_SEEK_SET) {
    check(MPI_ERR_ARG);
  }
  const long long there = from + offset * file.etype_bytes;
  if (there < 0) check(MPI_ERR_ARG);
  return there;
}

int give(const OpenFile& file, long long pointer, MPI_Offset* offset) {
  if (offset == nullptr) check(MPI_ERR_ARG);
  *offset = pointer / file.etype_bytes;
  return MPI_SUCCESS;
}

}  // namespace
}  // namespace strata::mpix

using namespace strata::mpix;

extern "C" {

int PMPI_File_seek(MPI_File handle, MPI_Offset offset, int whence) {
  return on_file(handle, [&](OpenFile& file) {
    need_random_access(file);
    file.pointer = sought(file, offset, whence, file.pointer);
    return static_cast<int>(MPI_SUCCESS);
  });
}

int PMPI_File_seek_shared(MPI_File handle, MPI_Offset offset, int whence) {
  return on_file(handle, [&](OpenFile& file) {
    need_random_access(file);
    const long long there = sought(file, offset, whence, file.shared->pointer);
    return meet(file, offset, [&](const FileMeeting& meeting) {
      if (!std::equal(meeting.values.begin() + 1, meeting.values.end(), meeting.values.begin()))
        return static_cast<int>(MPI_ERR_NOT_SAME);
      file.shared->pointer = there;
      return static_cast<int>(MPI_SUCCESS);
    });
  });
}

int PMPI_File_get_position(MPI_File handle, MPI_Offset* offset) {
  return on_file(handle, [&](OpenFile& file) {
    need_random_access(file);
    return give(file, file.pointer, offset);
  });
}

int PMPI_File_get_position_shared(MPI_File handle, MPI_Offset* offset) {
  return on_file(handle, [&](OpenFile& file) {
    need_random_access(file);
    return give(file, file.shared->pointer, offset);
  });
}

int PMPI_File_get_byte_offset(MPI_File handle, MPI_Offset offset, MPI_Offset* byte) {
  return on_file(handle, [&](OpenFile& file) {
    if (byte == nullptr) check(MPI_ERR_ARG);
    const long long first = at_offset(file, offset);
    if (file.view.bytes_per_tile() == 0) check(MPI_ERR_ARG);
    *byte = file.view.position(first);
    return static_cast<int>(MPI_SUCCESS);
  });
}

// The functions of one direction: `name` is read or write, `memory` the type of the buffer's pointer.
#define STRATA_FILE_ACCESS(name, direction, memory)                                                                    \
  int PMPI_File_##name##_at(MPI_File fh, MPI_Offset offset, memory buf, int count, MPI_Datatype type,                  \
                            MPI_Status* status) {                                                                      \
    return at_once(fh, direction, buffer_of(buf, count, type), status, at(offset));                                    \
  }                                                                                                                    \
  int PMPI_File_##name##_at_all(MPI_File fh, MPI_Offset offset, memory buf, int count, MPI_Datatype type,              \
                                MPI_Status* status) {                                                                  \
    return at_once(fh, direction, buffer_of(buf, count, type), status, all_at(offset));                                \
  }                                                                                                                    \
  int PMPI_File_##name(MPI_File fh, memory buf, int count, MPI_Datatype type, MPI_Status* status) {                    \
    return at_once(fh, direction, buffer_of(buf, count, type), status, kIndividual);                                   \
  }                                                                                                                    \
  int PMPI_File_##name##_all(MPI_File fh, memory buf, int count, MPI_Datatype type, MPI_Status* status) {              \
    return at_once(fh, direction, buffer_of(buf, count, type), status, kAllIndividual);                                \
  }                                                                                                                    \
  int PMPI_File_##name##_shared(MPI_File fh, memory buf, int count, MPI_Datatype type, MPI_Status* status) {           \
    return at_once(fh, direction, buffer_of(buf, count, type), status, kShared);                                       \
  }                                                                                                                    \
  int PMPI_File_##name##_ordered(MPI_File fh, memory buf, int count, MPI_Datatype type, MPI_Status* status) {          \
    return at_once(fh, direction, buffer_of(buf, count, type), status, kOrdered);                                      \
  }                                                                                                                    \
  int PMPI_File_i##name##_at(MPI_File fh, MPI_Offset offset, memory buf, int count, MPI_Datatype type,                 \
                             MPI_Request* request) {                                                                   \
    return as_request(fh, direction, buffer_of(buf, count, type), request, at(offset));                                \
  }                                                                                                                    \
  int PMPI_File_i##name##_at_all(MPI_File fh, MPI_Offset offset, memory buf, int count, MPI_Datatype type,             \
                                 MPI_Request* request) {                                                               \
    return as_request(fh, direction, buffer_of(buf, count, type), request, at(offset));                                \
  }                                                                                                                    \
  int PMPI_File_i##name(MPI_File fh, memory buf, int count, MPI_Datatype type, MPI_Request* request) {                 \
    return as_request(fh, direction, buffer_of(buf, count, type), request, kIndividual);                               \
  }                                                                                                                    \
  int PMPI_File_i##name##_all(MPI_File fh, memory buf, int count, MPI_Datatype type, MPI_Request* request) {           \
    return as_request(fh, direction, buffer_of(buf, count, type), request, kIndividual);                               \
  }                                                                                                                    \
  int PMPI_File_i##name##_shared(MPI_File fh, memory buf, int count, MPI_Datatype type, MPI_Request* request) {        \
    return as_request(fh, direction, buffer_of(buf, count, type), request, kShared);                                   \
  }                                                                                                                    \
  int PMPI_File_##name##_at_all_begin(MPI_File fh, MPI_Offset offset, memory buf, int count, MPI_Datatype type) {      \
    return split_begin(fh, direction, buffer_of(buf, count, type), all_at(offset));                                    \
  }                                                                                                                    \
  int PMPI_File_##name##_all_begin(MPI_File fh, memory buf, int count, MPI_Datatype type) {                            \
    return split_begin(fh, direction, buffer_of(buf, count, type), kAllIndividual);                                    \
  }                                                                                                                    \
  int PMPI_File_##name##_ordered_begin(MPI_File fh, memory buf, int count, MPI_Datatype type) {                        \
    return split_begin(fh, direction, buffer_of(buf, count, type), kOrdered);                                          \
  }                                                                                                                    \
  int PMPI_File_##name##_at_all_end(MPI_File fh, memory, MPI_Status* status) {                                         \
    return split_end(fh, direction, status);                                                                           \
  }                                                                                                                    \
  int PMPI_File_##name##_all_end(MPI_File fh, memory, MPI_Status* status) { return split_end(fh, direction, status); } \
  int PMPI_File_##name##_ordered_end(MPI_File fh, memory, MPI_Status* status) {                                        \
    return split_end(fh, direction, status);                                                                           \
  }

STRATA_FILE_ACCESS(read, Direction::kRead, void*)
STRATA_FILE_ACCESS(write, Direction::kWrite, const void*)

#undef STRATA_FILE_ACCESS
}
