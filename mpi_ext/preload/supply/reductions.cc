// SPDX-License-Identifier: LGPL-2.1-only
// Reductions (MPI 4.0, Section 6.9). SMPI does the work of the blocking ones, with four exceptions.
//
// - Types whose elements are not contiguous bytes (packed.h): SMPI gets packed copies, and applies the program's
//   operation to elements that are unpacked for it.
// - One rank: the data are copied. Some of SMPI's algorithms abort.
// - No elements, which the Intel MPI Benchmarks begin with, or a type without data: some of SMPI's algorithms divide by
//   zero.
// - MPI_Scan and MPI_Exscan with operations that do not commute: SMPI applies them in the wrong order.
//
// SMPI's nonblocking ones lose data: results of derived types stay 0, those of operations that do not commute have the
// wrong order, MPI_Iexscan begins with 0 for every operation, and with MPI_IN_PLACE long messages are sent from
// memory that has been freed. Here, each rank sends what the others need, as SMPI does, and combines what it has
// received in the order of the ranks when the collective is complete.
#include <mpi.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

#include "mpi_ext/preload/supply/behind.h"
#include "mpi_ext/preload/supply/completion.h"
#include "mpi_ext/preload/supply/intercomm.h"
#include "mpi_ext/preload/supply/one_rank.h"
#include "mpi_ext/preload/supply/packed.h"
#include "mpi_ext/preload/supply/ranks_behind.h"
#include "mpi_ext/report_error.h"
#include "sim/simgrid/request.h"

namespace strata::mpix {
namespace {

using simgrid::smpi::Datatype;
using simgrid::smpi::Request;

// Between the tags of SMPI's collectives and of its one-sided operations, as in neighbor.cc.
constexpr int kTag = -5560;

// Whether SMPI would carry out the operation. It reports the errors otherwise.
bool is_valid(const void* from, const void* to, int count, MPI_Datatype type, MPI_Op op) {
  if (count < 0 || type == MPI_DATATYPE_NULL || (type->flags() & Datatype::kCommitted) == 0) return false;
  if (op == MPI_OP_NULL || op == MPI_REPLACE || op == MPI_NO_OP || type->deleted() || op->deleted()) return false;
  if (op->allowed_types() != 0 && (op->allowed_types() & type->flags()) == 0) return false;
  if (to == MPI_IN_PLACE) return false;
  return count == 0 || is_scattered(type) || (from != nullptr && to != nullptr);
}

// A type without data.
bool is_empty(int count, MPI_Datatype type, MPI_Op op) {
  return type != MPI_DATATYPE_NULL && type->size() == 0 && is_valid(nullptr, nullptr, std::min(count, 0), type, op);
}

int copy(const void* from, void* to, int count, MPI_Datatype type) {
  if (from == MPI_IN_PLACE) return MPI_SUCCESS;
  return Datatype::copy(address(from), count, type, address(to), count, type);
}

// The buffers of a blocking reduction, packed if SMPI cannot handle the type.
class Buffers {
 public:
  Buffers(const void* from, long from_count, void* to, long to_count, MPI_Datatype type, MPI_Op op)
      : type_(type), to_(to), in(from), out(to), datatype(type), operation(op) {
    if (!is_scattered(type) || from_count < 0 || to_count < 0 || op == MPI_OP_NULL || op->is_predefined()) return;
    packed_type_ = std::make_unique<PackedType>(type, op);
    datatype = packed_type_->get();
    operation = packed_type_->op();
    if (from != MPI_IN_PLACE) {
      sent_ = packed(from, static_cast<std::size_t>(from_count), type);
      sent_.resize(sent_.size() + 1);
      in = sent_.data();
    }
    if (to == nullptr) return;
    // In place, the buffer also holds what is sent.
    received_ =
        packed(to, static_cast<std::size_t>(from == MPI_IN_PLACE ? std::max(from_count, to_count) : to_count), type);
    received_.resize(received_.size() + 1);
    out = received_.data();
  }
  /// Ends a reduction that returned `code`, with this number of elements as result.
  int done(int code, long count) {
    if (packed_type_ != nullptr && code == MPI_SUCCESS && to_ != nullptr && count > 0)
      unpack_to(to_, received_.data(), static_cast<std::size_t>(count), type_);
    return code;
  }

 private:
  MPI_Datatype type_;
  void* to_;
  std::unique_ptr<PackedType> packed_type_;
  std::vector<char> sent_, received_;

 public:
  const void* in;
  void* out;
  MPI_Datatype datatype;
  MPI_Op operation;
};

// One nonblocking reduction on this rank: what it sends, and the contributions of the ranks to its result.
class Reduction {
 public:
  Reduction(const void* from, std::size_t count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
      : type_(type), op_(op), comm_(comm), packed_type_(type), own_(packed(from, count, type)) {
    type_->ref();
    op_->ref();
    contributions_.resize(size_of(comm));
  }
  ~Reduction() {
    Datatype::unref(type_);
    simgrid::smpi::Op::unref(&op_);
  }
  Reduction(const Reduction&) = delete;
  Reduction& operator=(const Reduction&) = delete;

  /// `count` elements from the one with number `first`.
  void send(int rank, long first, int count) {
    parts.push_back(Request::isend_init(at(first), count, packed_type_.get(), rank, kTag, comm_));
  }
  void receive(int rank, int count) {
    std::vector<char>& data = contributions_[rank];
    data.resize(std::max<std::size_t>(1, bytes(count)));
    parts.push_back(Request::irecv_init(data.data(), count, packed_type_.get(), rank, kTag, comm_));
  }
  /// The calling rank's contribution.
  void contribute(int rank, long first, int count) {
    contributions_[rank].assign(at(first), at(first) + bytes(count));
    contributions_[rank].resize(std::max<std::size_t>(1, bytes(count)));
  }
  /// Combines the contributions in the order of the ranks. Ranks without one are left out.
  void finish(void* to, int count) {
    std::vector<char>* all = nullptr;
    for (auto data = contributions_.rbegin(); data != contributions_.rend(); ++data) {
      if (data->empty()) continue;
      if (all == nullptr) {
        all = &*data;
      } else {
        combine(op_, data->data(), all->data(), count, type_);
      }
    }
    if (all != nullptr) unpack_to(to, all->data(), static_cast<std::size_t>(count), type_);
  }

  std::vector<Request*> parts;

 private:
  std::size_t bytes(long count) const { return static_cast<std::size_t>(count) * type_->size(); }
  char* at(long first) { return own_.data() + bytes(first); }

  MPI_Datatype type_;
  MPI_Op op_;
  MPI_Comm comm_;
  PackedType packed_type_;
  std::vector<char> own_;
  std::vector<std::vector<char>> contributions_;  // by rank, packed
};

// `plan` adds the messages to the reduction. `count` elements of the result arrive at `to`, unless it is nullptr.
template <class Plan>
int start(const void* from, std::size_t from_count, void* to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
          MPI_Request* request, const Plan& plan) {
  return coded([&] {
    auto reduction = std::make_shared<Reduction>(from, from_count, type, op, comm);
    plan(*reduction);
    start_collective(request, reduction->parts, [reduction, to, count] {
      if (to != nullptr && count > 0) reduction->finish(to, count);
    });
    return static_cast<int>(MPI_SUCCESS);
  });
}

// The messages of a scan: to the ranks after this one, from those before it.
void scan(Reduction& r, int rank, int size, int count) {
  for (int other = 0; other < rank; ++other) r.receive(other, count);
  for (int other = rank + 1; other < size; ++other) r.send(other, 0, count);
}

// The messages of a reduction of which each rank gets a part.
void scatter(Reduction& r, const int* counts, int rank, int size) {
  long first = 0;
  for (int other = 0; other < size; first += counts[other++]) {
    if (other == rank) {
      r.contribute(rank, first, counts[rank]);
      continue;
    }
    r.send(other, first, counts[other]);
    r.receive(other, counts[rank]);
  }
}

bool is_intracomm(MPI_Comm comm) {
  int between = 1;
  return comm != MPI_COMM_NULL && PMPI_Comm_test_inter(comm, &between) == MPI_SUCCESS && between == 0;
}

// Whether this library carries out a nonblocking reduction. SMPI's blocking functions call its nonblocking ones.
bool starts_here(const void* from, const void* to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                 const MPI_Request* request) {
  return request != simgrid::smpi::blocking() && request != nullptr && is_intracomm(comm) &&
         is_valid(from, to, count, type, op);
}

const void* contribution(const void* from, const void* to) { return from == MPI_IN_PLACE ? to : from; }

long sum(const int* counts, int size) { return std::accumulate(counts, counts + size, 0L); }

bool has_order(MPI_Op op) { return op != MPI_OP_NULL && !op->is_commutative(); }

// Waits for the nonblocking scan.
int completed(decltype(PMPI_Iscan) start, const void* from, void* to, int count, MPI_Datatype type, MPI_Op op,
              MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = start(from, to, count, type, op, comm, &request);
  return code == MPI_SUCCESS ? STRATA_BEHIND(Wait)(&request, MPI_STATUS_IGNORE) : code;
}

bool all_valid(const int* counts, MPI_Comm comm) {
  return comm != MPI_COMM_NULL && counts != nullptr &&
         std::all_of(counts, counts + size_of(comm), [](int c) { return c >= 0; });
}

}  // namespace
}  // namespace strata::mpix

using namespace strata::mpix;

extern "C" {

// Open MPI and MPICH also return immediately if there are no elements.
int PMPI_Allreduce(const void* from, void* to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  if (count == 0 && comm != MPI_COMM_NULL) return MPI_SUCCESS;
  if (is_empty(count, type, op)) return MPI_SUCCESS;
  if (is_valid(from, to, count, type, op) && is_alone(comm)) return copy(from, to, count, type);
  Buffers b(from, count, to, count, type, op);
  return b.done(STRATA_BEHIND(Allreduce)(b.in, b.out, count, b.datatype, b.operation, comm), count);
}

int PMPI_Reduce(const void* from, void* to, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  if (count == 0 && comm != MPI_COMM_NULL) return MPI_SUCCESS;
  if (is_empty(count, type, op)) return MPI_SUCCESS;
  if (root == 0 && is_valid(from, to, count, type, op) && is_alone(comm)) return copy(from, to, count, type);
  const bool receives = comm != MPI_COMM_NULL && rank_of(comm) == root;
  Buffers b(from, count, receives ? to : nullptr, count, type, op);
  return b.done(STRATA_BEHIND(Reduce)(b.in, receives ? b.out : to, count, b.datatype, b.operation, root, comm),
                receives ? count : 0);
}

int PMPI_Scan(const void* from, void* to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  if (is_empty(count, type, op)) return MPI_SUCCESS;
  if (is_valid(from, to, count, type, op) && is_alone(comm)) return copy(from, to, count, type);
  if (has_order(op)) return completed(PMPI_Iscan, from, to, count, type, op, comm);
  Buffers b(from, count, to, count, type, op);
  return b.done(STRATA_BEHIND(Scan)(b.in, b.out, count, b.datatype, b.operation, comm), count);
}

// The result of rank 0 is undefined; its buffer does not change.
int PMPI_Exscan(const void* from, void* to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  if (is_empty(count, type, op)) return MPI_SUCCESS;
  if (is_valid(from, to, count, type, op) && is_alone(comm)) return MPI_SUCCESS;
  if (has_order(op)) return completed(PMPI_Iexscan, from, to, count, type, op, comm);
  Buffers b(from, count, to, count, type, op);
  const bool receives = comm != MPI_COMM_NULL && rank_of(comm) > 0;
  return b.done(STRATA_BEHIND(Exscan)(b.in, b.out, count, b.datatype, b.operation, comm), receives ? count : 0);
}

int PMPI_Reduce_scatter(const void* from, void* to, const int* counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  if (!all_valid(counts, comm)) return STRATA_BEHIND(Reduce_scatter)(from, to, counts, type, op, comm);
  if (is_empty(counts[0], type, op)) return MPI_SUCCESS;
  if (is_valid(from, to, counts[0], type, op) && is_alone(comm)) return copy(from, to, counts[0], type);
  const long own = counts[rank_of(comm)];
  char nothing = 0;  // SMPI refuses a null pointer even if no element comes
  Buffers b(from, sum(counts, size_of(comm)), to == nullptr && own == 0 ? &nothing : to, own, type, op);
  return b.done(STRATA_BEHIND(Reduce_scatter)(b.in, b.out, counts, b.datatype, b.operation, comm), own);
}

int PMPI_Reduce_scatter_block(const void* from, void* to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  if (is_empty(count, type, op)) return MPI_SUCCESS;
  if (is_valid(from, to, count, type, op) && is_alone(comm)) return copy(from, to, count, type);
  const long all = comm == MPI_COMM_NULL ? 0 : static_cast<long>(size_of(comm)) * count;
  Buffers b(from, all, to, count, type, op);
  return b.done(STRATA_BEHIND(Reduce_scatter_block)(b.in, b.out, count, b.datatype, b.operation, comm), count);
}

int PMPI_Ireduce(const void* from, void* to, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm,
                 MPI_Request* request) {
  need_intracomm(comm, "MPI_Ireduce");
  const bool receives = comm != MPI_COMM_NULL && rank_of(comm) == root;
  if (!starts_here(from, receives ? to : from, count, type, op, comm, request) || root < 0 || root >= size_of(comm))
    return STRATA_BEHIND(Ireduce)(from, to, count, type, op, root, comm, request);
  const auto elements = static_cast<std::size_t>(count);
  return start(contribution(from, to), elements, receives ? to : nullptr, count, type, op, comm, request,
               [&](Reduction& r) {
                 if (!receives) return r.send(root, 0, count);
                 r.contribute(root, 0, count);
                 for (int other = 0; other < size_of(comm); ++other) {
                   if (other != root) r.receive(other, count);
                 }
               });
}

int PMPI_Iallreduce(const void* from, void* to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                    MPI_Request* request) {
  need_intracomm(comm, "MPI_Iallreduce");
  if (!starts_here(from, to, count, type, op, comm, request))
    return STRATA_BEHIND(Iallreduce)(from, to, count, type, op, comm, request);
  const auto elements = static_cast<std::size_t>(count);
  return start(contribution(from, to), elements, to, count, type, op, comm, request, [&](Reduction& r) {
    const int rank = rank_of(comm);
    r.contribute(rank, 0, count);
    for (int other = 0; other < size_of(comm); ++other) {
      if (other == rank) continue;
      r.send(other, 0, count);
      r.receive(other, count);
    }
  });
}

int PMPI_Iscan(const void* from, void* to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
               MPI_Request* request) {
  if (!starts_here(from, to, count, type, op, comm, request))
    return STRATA_BEHIND(Iscan)(from, to, count, type, op, comm, request);
  const auto elements = static_cast<std::size_t>(count);
  return start(contribution(from, to), elements, to, count, type, op, comm, request, [&](Reduction& r) {
    r.contribute(rank_of(comm), 0, count);
    scan(r, rank_of(comm), size_of(comm), count);
  });
}

int PMPI_Iexscan(const void* from, void* to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                 MPI_Request* request) {
  if (!starts_here(from, to, count, type, op, comm, request))
    return STRATA_BEHIND(Iexscan)(from, to, count, type, op, comm, request);
  const auto elements = static_cast<std::size_t>(count);
  return start(contribution(from, to), elements, rank_of(comm) == 0 ? nullptr : to, count, type, op, comm, request,
               [&](Reduction& r) { scan(r, rank_of(comm), size_of(comm), count); });
}

int PMPI_Ireduce_scatter(const void* from, void* to, const int* counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                         MPI_Request* request) {
  need_intracomm(comm, "MPI_Ireduce_scatter");
  if (!all_valid(counts, comm) || !starts_here(from, to, counts[rank_of(comm)], type, op, comm, request))
    return STRATA_BEHIND(Ireduce_scatter)(from, to, counts, type, op, comm, request);
  const auto elements = static_cast<std::size_t>(sum(counts, size_of(comm)));
  return start(contribution(from, to), elements, to, counts[rank_of(comm)], type, op, comm, request,
               [&](Reduction& r) { scatter(r, counts, rank_of(comm), size_of(comm)); });
}

int PMPI_Ireduce_scatter_block(const void* from, void* to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                               MPI_Request* request) {
  need_intracomm(comm, "MPI_Ireduce_scatter_block");
  if (!starts_here(from, to, count, type, op, comm, request))
    return STRATA_BEHIND(Ireduce_scatter_block)(from, to, count, type, op, comm, request);
  const std::vector<int> counts(size_of(comm), count);
  return start(contribution(from, to), counts.size() * static_cast<std::size_t>(count), to, count, type, op, comm,
               request, [&](Reduction& r) { scatter(r, counts.data(), rank_of(comm), size_of(comm)); });
}
}
