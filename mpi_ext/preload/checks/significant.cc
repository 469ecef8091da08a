// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/preload/checks/significant.h"

#include "mpi_ext/preload/checks/handles.h"
#include "mpi_ext/preload/checks/smpis.h"

namespace strata::mpix {
namespace {

enum class Shape { kOther, kSend, kReceive, kExchange, kBcast, kToRoot, kFromRoot, kReduceToRoot, kPut, kGet };

Shape shape_of(Function function) {
  switch (function) {
    case kMPI_Send:
    case kMPI_Bsend:
    case kMPI_Ssend:
    case kMPI_Rsend:
    case kMPI_Isend:
    case kMPI_Ibsend:
    case kMPI_Issend:
    case kMPI_Irsend:
    case kMPI_Send_init:
    case kMPI_Bsend_init:
    case kMPI_Ssend_init:
    case kMPI_Rsend_init:
      return Shape::kSend;
    case kMPI_Recv:
    case kMPI_Irecv:
    case kMPI_Recv_init:
      return Shape::kReceive;
    case kMPI_Sendrecv:
    case kMPI_Sendrecv_replace:
      return Shape::kExchange;
    case kMPI_Bcast:
    case kMPI_Ibcast:
      return Shape::kBcast;
    case kMPI_Gather:
    case kMPI_Gatherv:
    case kMPI_Igather:
    case kMPI_Igatherv:
      return Shape::kToRoot;
    case kMPI_Scatter:
    case kMPI_Scatterv:
    case kMPI_Iscatter:
    case kMPI_Iscatterv:
      return Shape::kFromRoot;
    case kMPI_Reduce:
    case kMPI_Ireduce:
      return Shape::kReduceToRoot;
    default:
      break;
  }
  const std::optional<Access> access = access_of(function);
  if (!access) return Shape::kOther;
  return *access == Access::kGet ? Shape::kGet : Shape::kPut;
}

bool reads(Role role) {
  return role == Role::kSendBuffer || role == Role::kSendCount || role == Role::kSendCounts ||
         role == Role::kSendPlaces || role == Role::kSendType || role == Role::kSendTypes;
}
bool writes(Role role) {
  return role == Role::kRecvBuffer || role == Role::kRecvCount || role == Role::kRecvCounts ||
         role == Role::kRecvPlaces || role == Role::kRecvType || role == Role::kRecvTypes;
}

bool in_place(const Call& call, Role role) { return call.pointer<const void*>(role) == MPI_IN_PLACE; }

}  // namespace

std::optional<Access> access_of(Function function) {
  switch (function) {
    case kMPI_Put:
    case kMPI_Rput:
      return Access::kPut;
    case kMPI_Get:
    case kMPI_Rget:
      return Access::kGet;
    case kMPI_Accumulate:
    case kMPI_Raccumulate:
    case kMPI_Get_accumulate:
    case kMPI_Rget_accumulate:
    case kMPI_Fetch_and_op:
    case kMPI_Compare_and_swap:
      return Access::kAccumulate;
    default:
      return {};
  }
}

bool is_root(const Call& call) {
  const CommInfo& comm = comm_info(call.comm());
  return !comm.inter && comm.rank == call.number(Role::kRoot);
}

bool significant(const Call& call, Role role) {
  if (!call.has(role)) return false;
  const Shape shape = shape_of(call.function());
  const bool no_comm = call.comm() == MPI_COMM_NULL || handles().comms.freed(call.rank(), call.comm()) != nullptr;
  if (call.has(Role::kRank) && call.number(Role::kRank) == MPI_PROC_NULL) return false;
  switch (shape) {
    case Shape::kSend:
      return call.number(Role::kDest) != MPI_PROC_NULL;
    case Shape::kReceive:
      return call.number(Role::kSource) != MPI_PROC_NULL;
    case Shape::kExchange:
      if (reads(role)) return call.number(Role::kDest) != MPI_PROC_NULL;
      if (writes(role)) return call.number(Role::kSource) != MPI_PROC_NULL;
      return call.number(Role::kDest) != MPI_PROC_NULL || call.number(Role::kSource) != MPI_PROC_NULL;
    case Shape::kToRoot:
      if (no_comm || comm_info(call.comm()).inter) return false;
      if (reads(role)) return !in_place(call, Role::kSendBuffer);
      return !writes(role) || is_root(call);
    case Shape::kFromRoot:
      if (no_comm || comm_info(call.comm()).inter) return false;
      if (writes(role)) return !in_place(call, Role::kRecvBuffer);
      return !reads(role) || is_root(call);
    case Shape::kReduceToRoot:
      if (no_comm || comm_info(call.comm()).inter) return false;
      if (role == Role::kSendBuffer) return !in_place(call, role);
      return role != Role::kRecvBuffer || is_root(call);
    case Shape::kBcast:
      return !no_comm && !comm_info(call.comm()).inter;
    case Shape::kPut:
      if (call.op() == MPI_NO_OP && (role == Role::kBuffer || role == Role::kCount || role == Role::kType))
        return false;
      return true;
    case Shape::kGet:
      return true;
    case Shape::kOther:
      if (!no_comm && comm_info(call.comm()).inter) return !reads(role) && !writes(role);
      if (reads(role) && call.has(Role::kSendBuffer) && in_place(call, Role::kSendBuffer)) return false;
      return true;
  }
  return true;
}

std::vector<DataArguments> data_of_call(const Call& call) {
  std::vector<DataArguments> all;
  const Shape shape = shape_of(call.function());
  const auto one_type = [&](Role own) { return call.has(own) ? own : Role::kType; };
  const auto one_count = [&](Role own) {
    return call.has(own) ? own : call.has(Role::kCount) ? Role::kCount : Role::kNone;
  };
  if (call.comm() == MPI_COMM_NULL && call.win() == MPI_WIN_NULL) return all;
  if (call.has(Role::kBuffer) && call.has(Role::kType)) {
    bool written = shape == Shape::kReceive || shape == Shape::kGet || call.function() == kMPI_Sendrecv_replace;
    if (shape == Shape::kBcast) written = !is_root(call);
    if (shape == Shape::kOther) return all;  // files
    all.push_back({.buffer = Role::kBuffer, .count = one_count(Role::kCount), .type = Role::kType, .written = written});
  }
  if (call.has(Role::kSendBuffer)) {
    const bool reduce_scatter = !call.has(Role::kSendCount) && !call.has(Role::kSendCounts) && !call.has(Role::kCount);
    if (call.has(Role::kSendTypes)) return all;
    if (reduce_scatter) {
      // All blocks of the result, which MPI_Reduce_scatter does not name by one count.
    } else if (call.has(Role::kSendCounts)) {
      all.push_back({.buffer = Role::kSendBuffer,
                     .count = Role::kNone,
                     .type = Role::kSendType,
                     .counts = Role::kSendCounts,
                     .places = call.has(Role::kSendPlaces) ? Role::kSendPlaces : Role::kPlaces,
                     .written = false});
    } else {
      all.push_back({.buffer = Role::kSendBuffer,
                     .count = one_count(Role::kSendCount),
                     .type = one_type(Role::kSendType),
                     .written = false});
    }
  }
  if (call.has(Role::kRecvBuffer)) {
    const bool per_rank = call.has(Role::kRecvCounts);
    if (per_rank && !call.has(Role::kRecvType)) return all;  // MPI_Reduce_scatter
    if (per_rank) {
      all.push_back({.buffer = Role::kRecvBuffer,
                     .count = Role::kNone,
                     .type = Role::kRecvType,
                     .counts = Role::kRecvCounts,
                     .places = call.has(Role::kRecvPlaces) ? Role::kRecvPlaces : Role::kPlaces,
                     .written = true});
    } else {
      all.push_back({.buffer = Role::kRecvBuffer,
                     .count = one_count(Role::kRecvCount),
                     .type = one_type(Role::kRecvType),
                     .written = true});
    }
  }
  if (call.has(Role::kResultBuffer)) {
    all.push_back({.buffer = Role::kResultBuffer,
                   .count = call.has(Role::kResultCount) ? Role::kResultCount : Role::kNone,
                   .type = one_type(Role::kResultType),
                   .written = true});
  }
  return all;
}

}  // namespace strata::mpix
