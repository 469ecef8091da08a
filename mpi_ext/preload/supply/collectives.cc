// SPDX-License-Identifier: LGPL-2.1-only
// Collectives that move data. SMPI does the work, with four exceptions.
//
// - Types whose elements are not contiguous bytes (packed.h): SMPI gets packed copies of the buffers, which have as
//   many elements of the same size, so that its algorithms and messages are the same. Types without data: SMPI gets no
//   elements, because it divides by the size.
// - Two types: some of SMPI's algorithms take the extent of the one for the other, so that it gets the same type twice.
// - One rank: the data are copied. Some of SMPI's algorithms abort.
// - Nonblocking MPI_IN_PLACE: the data sent are copied until the collective is complete. SMPI frees its copy before.
#include <mpi.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "mpi_ext/preload/supply/behind.h"
#include "mpi_ext/preload/supply/completion.h"
#include "mpi_ext/preload/supply/intercomm.h"
#include "mpi_ext/preload/supply/one_rank.h"
#include "mpi_ext/preload/supply/packed.h"
#include "mpi_ext/preload/supply/ranks_behind.h"

namespace strata::mpix {
namespace {

bool is_rank(int rank, MPI_Comm comm) { return rank_of(comm) == rank; }

bool is_valid(const void* buffer, int count, MPI_Datatype type) {
  return count >= 0 && type != nullptr && type != MPI_DATATYPE_NULL &&
         (buffer != nullptr || count == 0 || is_scattered(type));
}

// A block of elements for each rank, packed one behind the other.
class Blocks {
 public:
  /// `count` elements for each of `ranks` ranks.
  Blocks(const void* buffer, int ranks, int count, MPI_Datatype type)
      : buffer_(const_cast<void*>(buffer)), type_(type), packed_type_(type) {
    for (int r = 0; r < ranks; ++r) add(count, static_cast<long>(r) * count);
    allocate();
  }
  /// With counts and places of each rank, in elements.
  Blocks(const void* buffer, int ranks, const int* counts, const int* places, MPI_Datatype type)
      : buffer_(const_cast<void*>(buffer)), type_(type), packed_type_(type) {
    for (int r = 0; r < ranks; ++r) add(counts[r], places[r]);
    allocate();
  }

  MPI_Datatype type() const { return packed_type_.get(); }
  void* packed() { return bytes_.data(); }
  const int* counts() const { return counts_.data(); }
  const int* places() const { return places_.data(); }

  void pack() {
    for (std::size_t b = 0; b < counts_.size(); ++b) pack(b);
  }
  void pack(std::size_t block) {
    const std::vector<char> bytes = mpix::packed(element(block), static_cast<std::size_t>(counts_[block]), type_);
    std::copy(bytes.begin(), bytes.end(), place(block));
  }
  void unpack() {
    for (std::size_t b = 0; b < counts_.size(); ++b)
      unpack_to(element(b), place(b), static_cast<std::size_t>(counts_[b]), type_);
  }

 private:
  void add(int count, long first) {
    places_.push_back(static_cast<int>(elements_));
    counts_.push_back(count);
    first_.push_back(first);
    elements_ += count;
  }
  void allocate() { bytes_.resize(std::max<std::size_t>(1, static_cast<std::size_t>(elements_) * type_->size())); }
  void* element(std::size_t block) const {
    return static_cast<char*>(address(buffer_)) + first_[block] * (type_->ub() - type_->lb());
  }
  char* place(std::size_t block) { return bytes_.data() + static_cast<std::size_t>(places_[block]) * type_->size(); }

  void* buffer_;
  MPI_Datatype type_;
  PackedType packed_type_;
  std::vector<int> counts_, places_;
  std::vector<long> first_;  // element of the buffer
  long elements_ = 0;
  std::vector<char> bytes_;
};

// A type that is not significant, as in place or on other ranks than the root, may be 0.
MPI_Datatype given(MPI_Datatype type) { return type == nullptr ? static_cast<MPI_Datatype>(MPI_DATATYPE_NULL) : type; }

// What SMPI gets instead of the program's buffer.
class Buffer {
 public:
  const void* data;
  int count = 0;
  MPI_Datatype type;
  const int *counts = nullptr, *places = nullptr;

  /// `n` elements for each of `ranks` ranks.
  Buffer(const void* buffer, int ranks, int n, MPI_Datatype t) : data(buffer), count(n), type(given(t)) {
    if (buffer == MPI_IN_PLACE || type == MPI_DATATYPE_NULL || n < 0) return;
    if (t->size() == 0) use(std::make_unique<Blocks>(buffer, ranks, count = 0, MPI_BYTE));
    if (t->size() > 0 && is_scattered(t)) use(std::make_unique<Blocks>(buffer, ranks, n, t));
  }
  Buffer(const void* buffer, int ranks, const int* c, const int* p, MPI_Datatype t)
      : data(buffer), type(given(t)), counts(c), places(p) {
    if (buffer == MPI_IN_PLACE || type == MPI_DATATYPE_NULL || c == nullptr || p == nullptr) return;
    if (std::any_of(c, c + ranks, [](int n) { return n < 0; })) return;
    if (t->size() == 0) use(std::make_unique<Blocks>(buffer, ranks, 0, MPI_BYTE));
    if (t->size() > 0 && is_scattered(t)) use(std::make_unique<Blocks>(buffer, ranks, c, p, t));
  }

  /// The program's data are sent.
  void pack() {
    if (blocks_ != nullptr) blocks_->pack();
  }
  /// Where data are received.
  void* room() const { return const_cast<void*>(data); }
  /// Ends a collective that returned `code`, whose data are in room().
  int arrived(int code) {
    if (blocks_ != nullptr && code == MPI_SUCCESS) blocks_->unpack();
    return code;
  }

 private:
  void use(std::unique_ptr<Blocks> made) {
    blocks_ = std::move(made);
    data = blocks_->packed();
    type = blocks_->type();
    counts = blocks_->counts();
    places = blocks_->places();
  }

  std::unique_ptr<Blocks> blocks_;
};

struct Sent : Buffer {
  template <class... Rest>
  explicit Sent(const void* buffer, Rest... rest) : Buffer(buffer, rest...) {
    pack();
  }
  /// Describes the data with the type of the equally long block that is received, and its count.
  void use_type_of(const Buffer& received, int received_count) {
    if (data == MPI_IN_PLACE || type == MPI_DATATYPE_NULL || received.type == MPI_DATATYPE_NULL || count < 0) return;
    if (static_cast<std::size_t>(count) * type->size() !=
        static_cast<std::size_t>(received_count) * received.type->size())
      return;
    count = received_count;
    type = received.type;
  }
};
using Received = Buffer;

// Data of the only rank from one buffer to the other.
int copy_alone(const void* from, int count, MPI_Datatype type, void* to, int to_count, MPI_Datatype to_type, long at) {
  if (from == MPI_IN_PLACE || to == MPI_IN_PLACE) return MPI_SUCCESS;
  char* const place = static_cast<char*>(address(to)) + at * (to_type->ub() - to_type->lb());
  return simgrid::smpi::Datatype::copy(address(from), count, type, place, to_count, to_type);
}

const char* element(const void* buffer, long first, MPI_Datatype type) {
  return static_cast<const char*>(address(buffer)) + first * (type->ub() - type->lb());
}

bool can_copy(const void* from, int count, MPI_Datatype type, const void* to, int to_count, MPI_Datatype to_type,
              MPI_Comm comm) {
  return is_alone(comm) && (from == MPI_IN_PLACE || is_valid(from, count, type)) &&
         (to == MPI_IN_PLACE || is_valid(to, to_count, to_type));
}

// Bytes of all elements of MPI_Alltoallw, around the buffer's address.
struct Interval {
  long begin = 0, end = 0;
  bool is_empty = true;
  void add(long at, int count, MPI_Datatype type) {
    if (count <= 0 || type == MPI_DATATYPE_NULL || type->size() == 0) return;
    const SharedMap map = map_of(type);
    const long last = at + (count - 1) * map->extent();
    const long first_byte = std::min(at, last) + map->data_begin, end_byte = std::max(at, last) + map->data_end;
    begin = is_empty ? first_byte : std::min(begin, first_byte);
    end = is_empty ? end_byte : std::max(end, end_byte);
    is_empty = false;
  }
};

// A copy of the memory, for a nonblocking MPI_IN_PLACE.
struct Copy {
  Interval interval;
  std::shared_ptr<std::vector<char>> bytes;
  Copy(const void* buffer, const Interval& i) : interval(i) {
    const char* first = static_cast<const char*>(address(buffer)) + i.begin;
    bytes = std::make_shared<std::vector<char>>(first, first + (i.end - i.begin));
    bytes->push_back(0);  // SMPI refuses a null pointer, even without data
  }
  const void* address_of_buffer() const { return bytes->data() - interval.begin; }
  int keep(int code, MPI_Request* request) const {
    if (code == MPI_SUCCESS) when_complete(*request, [kept = bytes] {});
    return code;
  }
};

}  // namespace
}  // namespace strata::mpix

using namespace strata::mpix;

extern "C" {

// Open MPI and MPICH also return immediately if there are no data.
int PMPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  const bool is_empty = count == 0 || (type != MPI_DATATYPE_NULL && type->size() == 0);
  if (is_empty && count >= 0 && comm != MPI_COMM_NULL && root >= 0 && root < size_of(comm)) return MPI_SUCCESS;
  if (root == 0 && is_valid(buffer, count, type) && is_alone(comm)) return MPI_SUCCESS;
  Received r(buffer, 1, count, type);
  if (is_rank(root, comm)) r.pack();
  return r.arrived(STRATA_BEHIND(Bcast)(r.room(), r.count, r.type, root, comm));
}

int PMPI_Gather(const void* from, int count, MPI_Datatype type, void* to, int to_count, MPI_Datatype to_type, int root,
                MPI_Comm comm) {
  if (root == 0 && can_copy(from, count, type, to, to_count, to_type, comm))
    return copy_alone(from, count, type, to, to_count, to_type, 0);
  const bool receives = is_rank(root, comm);
  const Sent s(from, 1, count, type);
  Received r(receives ? to : MPI_IN_PLACE, size_of(comm), to_count, to_type);
  if (receives && from == MPI_IN_PLACE) r.pack();
  return r.arrived(
      STRATA_BEHIND(Gather)(s.data, s.count, s.type, receives ? r.room() : to, r.count, r.type, root, comm));
}

int PMPI_Gatherv(const void* from, int count, MPI_Datatype type, void* to, const int* counts, const int* places,
                 MPI_Datatype to_type, int root, MPI_Comm comm) {
  if (root == 0 && counts != nullptr && places != nullptr && can_copy(from, count, type, to, counts[0], to_type, comm))
    return copy_alone(from, count, type, to, counts[0], to_type, places[0]);
  const bool receives = is_rank(root, comm);
  const Sent s(from, 1, count, type);
  Received r(receives ? to : MPI_IN_PLACE, size_of(comm), counts, places, to_type);
  if (receives && from == MPI_IN_PLACE) r.pack();
  return r.arrived(STRATA_BEHIND(Gatherv)(s.data, s.count, s.type, receives ? r.room() : to, r.counts, r.places, r.type,
                                          root, comm));
}

int PMPI_Scatter(const void* from, int count, MPI_Datatype type, void* to, int to_count, MPI_Datatype to_type, int root,
                 MPI_Comm comm) {
  if (root == 0 && can_copy(from, count, type, to, to_count, to_type, comm))
    return copy_alone(from, count, type, to, to_count, to_type, 0);
  const bool sends = is_rank(root, comm);
  const Sent s(sends ? from : MPI_IN_PLACE, size_of(comm), count, type);
  Received r(to, 1, to_count, to_type);
  return r.arrived(
      STRATA_BEHIND(Scatter)(sends ? s.data : from, s.count, s.type, r.room(), r.count, r.type, root, comm));
}

int PMPI_Scatterv(const void* from, const int* counts, const int* places, MPI_Datatype type, void* to, int to_count,
                  MPI_Datatype to_type, int root, MPI_Comm comm) {
  if (root == 0 && counts != nullptr && places != nullptr &&
      can_copy(from, counts[0], type, to, to_count, to_type, comm))
    return copy_alone(element(from, places[0], type), counts[0], type, to, to_count, to_type, 0);
  const bool sends = is_rank(root, comm);
  const Sent s(sends ? from : MPI_IN_PLACE, size_of(comm), counts, places, type);
  Received r(to, 1, to_count, to_type);
  return r.arrived(STRATA_BEHIND(Scatterv)(sends ? s.data : from, s.counts, s.places, s.type, r.room(), to_count,
                                           r.type, root, comm));
}

int PMPI_Allgather(const void* from, int count, MPI_Datatype type, void* to, int to_count, MPI_Datatype to_type,
                   MPI_Comm comm) {
  if (can_copy(from, count, type, to, to_count, to_type, comm))
    return copy_alone(from, count, type, to, to_count, to_type, 0);
  Sent s(from, 1, count, type);
  Received r(to, size_of(comm), to_count, to_type);
  s.use_type_of(r, r.count);
  if (from == MPI_IN_PLACE) r.pack();
  return r.arrived(STRATA_BEHIND(Allgather)(s.data, s.count, s.type, r.room(), r.count, r.type, comm));
}

int PMPI_Allgatherv(const void* from, int count, MPI_Datatype type, void* to, const int* counts, const int* places,
                    MPI_Datatype to_type, MPI_Comm comm) {
  const int ranks = size_of(comm);
  if (counts != nullptr && ranks > 0 && std::all_of(counts, counts + ranks, [](int n) { return n == 0; }))
    return MPI_SUCCESS;
  if (counts != nullptr && places != nullptr && can_copy(from, count, type, to, counts[0], to_type, comm))
    return copy_alone(from, count, type, to, counts[0], to_type, places[0]);
  Sent s(from, 1, count, type);
  Received r(to, size_of(comm), counts, places, to_type);
  if (r.counts != nullptr && comm != MPI_COMM_NULL) s.use_type_of(r, r.counts[rank_of(comm)]);
  if (from == MPI_IN_PLACE) r.pack();
  return r.arrived(STRATA_BEHIND(Allgatherv)(s.data, s.count, s.type, r.room(), r.counts, r.places, r.type, comm));
}

int PMPI_Alltoall(const void* from, int count, MPI_Datatype type, void* to, int to_count, MPI_Datatype to_type,
                  MPI_Comm comm) {
  if (can_copy(from, count, type, to, to_count, to_type, comm))
    return copy_alone(from, count, type, to, to_count, to_type, 0);
  Sent s(from, size_of(comm), count, type);
  Received r(to, size_of(comm), to_count, to_type);
  s.use_type_of(r, r.count);
  if (from == MPI_IN_PLACE) r.pack();
  return r.arrived(STRATA_BEHIND(Alltoall)(s.data, s.count, s.type, r.room(), r.count, r.type, comm));
}

int PMPI_Alltoallv(const void* from, const int* counts, const int* places, MPI_Datatype type, void* to,
                   const int* to_counts, const int* to_places, MPI_Datatype to_type, MPI_Comm comm) {
  if (to_counts != nullptr && to_places != nullptr && is_alone(comm)) {
    if (from == MPI_IN_PLACE) return MPI_SUCCESS;
    if (counts != nullptr && places != nullptr && can_copy(from, counts[0], type, to, to_counts[0], to_type, comm))
      return copy_alone(element(from, places[0], type), counts[0], type, to, to_counts[0], to_type, to_places[0]);
  }
  const Sent s(from, size_of(comm), counts, places, type);
  Received r(to, size_of(comm), to_counts, to_places, to_type);
  if (from == MPI_IN_PLACE) r.pack();
  return r.arrived(
      STRATA_BEHIND(Alltoallv)(s.data, s.counts, s.places, s.type, r.room(), r.counts, r.places, r.type, comm));
}

// In place, with copies of the types and a copy of the memory.
int PMPI_Alltoallw(const void* from, const int* counts, const int* places, const MPI_Datatype* types, void* to,
                   const int* to_counts, const int* to_places, const MPI_Datatype* to_types, MPI_Comm comm) {
  if (from != MPI_IN_PLACE || to_counts == nullptr || to_places == nullptr || to_types == nullptr)
    return STRATA_BEHIND(Alltoallw)(from, counts, places, types, to, to_counts, to_places, to_types, comm);
  Interval all;
  for (int r = 0; r < size_of(comm); ++r) all.add(to_places[r], to_counts[r], to_types[r]);
  const Copy copy(to, all);
  return STRATA_BEHIND(Alltoallw)(copy.address_of_buffer(), to_counts, to_places, to_types, to, to_counts, to_places,
                                  to_types, comm);
}

int PMPI_Ialltoall(const void* from, int count, MPI_Datatype type, void* to, int to_count, MPI_Datatype to_type,
                   MPI_Comm comm, MPI_Request* request) {
  need_intracomm(comm, "MPI_Ialltoall");
  if (from != MPI_IN_PLACE || request == simgrid::smpi::blocking() || request == nullptr ||
      !is_valid(to, to_count, to_type))
    return STRATA_BEHIND(Ialltoall)(from, count, type, to, to_count, to_type, comm, request);
  Interval all;
  all.add(0, size_of(comm) * to_count, to_type);
  const Copy copy(to, all);
  return copy.keep(
      STRATA_BEHIND(Ialltoall)(copy.address_of_buffer(), to_count, to_type, to, to_count, to_type, comm, request),
      request);
}

int PMPI_Ialltoallv(const void* from, const int* counts, const int* places, MPI_Datatype type, void* to,
                    const int* to_counts, const int* to_places, MPI_Datatype to_type, MPI_Comm comm,
                    MPI_Request* request) {
  need_intracomm(comm, "MPI_Ialltoallv");
  if (from != MPI_IN_PLACE || request == simgrid::smpi::blocking() || request == nullptr || to_counts == nullptr ||
      to_places == nullptr || to_type == MPI_DATATYPE_NULL)
    return STRATA_BEHIND(Ialltoallv)(from, counts, places, type, to, to_counts, to_places, to_type, comm, request);
  Interval all;
  for (int r = 0; r < size_of(comm); ++r)
    all.add(to_places[r] * (to_type->ub() - to_type->lb()), to_counts[r], to_type);
  const Copy copy(to, all);
  return copy.keep(STRATA_BEHIND(Ialltoallv)(copy.address_of_buffer(), to_counts, to_places, to_type, to, to_counts,
                                             to_places, to_type, comm, request),
                   request);
}

int PMPI_Ialltoallw(const void* from, const int* counts, const int* places, const MPI_Datatype* types, void* to,
                    const int* to_counts, const int* to_places, const MPI_Datatype* to_types, MPI_Comm comm,
                    MPI_Request* request) {
  need_intracomm(comm, "MPI_Ialltoallw");
  if (from != MPI_IN_PLACE || request == simgrid::smpi::blocking() || request == nullptr || to_counts == nullptr ||
      to_places == nullptr || to_types == nullptr)
    return STRATA_BEHIND(Ialltoallw)(from, counts, places, types, to, to_counts, to_places, to_types, comm, request);
  Interval all;
  for (int r = 0; r < size_of(comm); ++r) all.add(to_places[r], to_counts[r], to_types[r]);
  const Copy copy(to, all);
  return copy.keep(STRATA_BEHIND(Ialltoallw)(copy.address_of_buffer(), to_counts, to_places, to_types, to, to_counts,
                                             to_places, to_types, comm, request),
                   request);
}
}
