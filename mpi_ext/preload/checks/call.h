// SPDX-License-Identifier: LGPL-2.1-only
// A call of an MPI function as a value, the same for all functions, so that a check needs no wrapper for each. For
//
//   MPI_Send(buffer, 10, MPI_INT, 1, 7, MPI_COMM_WORLD)
//
// call.function is kMPI_Send, call.number(Role::kCount) is 10, call.type(Role::kType) is MPI_INT,
// call.number(Role::kDest) is 1. The roles follow from the names of the parameters in SMPI's header.
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace strata::mpix {

enum Function : short {
#define PROFILED(TYPE, NAME, PARAMETERS, ARGUMENTS) k##NAME,
#include "sim/simgrid/calls.inc"
#undef PROFILED
  kFunctions
};

/// The type of a parameter.
enum class Kind : char {
  kInt,
  kInts,  // an array that is read
  kAddress,
  kBuffer,
  kComm,
  kNewComm,
  kType,
  kTypes,
  kNewType,
  kOp,
  kNewOp,
  kWin,
  kNewWin,
  kGroup,
  kNewGroup,
  kInfo,
  kNewInfo,
  kFile,
  kNewFile,
  kRequest,
  kRequests,  // one or more that are read or written
  kOther
};

/// Its meaning.
enum class Role : char {
  kBuffer,  // of a message, or of a collective with only one
  kSendBuffer,
  kRecvBuffer,
  kResultBuffer,
  kCompareBuffer,
  kCount,
  kSendCount,
  kRecvCount,
  kResultCount,
  kTargetCount,
  kSendCounts,
  kRecvCounts,
  kPlaces,
  kSendPlaces,
  kRecvPlaces,
  kType,
  kSendType,
  kRecvType,
  kResultType,
  kTargetType,
  kSendTypes,
  kRecvTypes,
  kDest,
  kSource,
  kRoot,
  kTag,
  kSendTag,
  kRecvTag,
  kRank,  // of a target, or of a lock
  kDisplacement,
  kAssert,
  kOp,
  kComm,
  kWin,
  kRequest,
  kRequests,
  kFlag,
  kIndex,
  kOutcount,
  kIndices,
  kNone
};
inline constexpr int kRoles = static_cast<int>(Role::kNone);

struct Parameter {
  Kind kind;
  Role role;
  std::string name;
};

/// An MPI function of SMPI's header.
struct FunctionInfo {
  Function function;
  const char* name;  // MPI_Send
  std::vector<Parameter> parameters;
  std::array<signed char, kRoles + 1> index;  // of the parameter with a role; -1: none, as for Role::kNone
};

/// A place in the program: the address after the call.
using Place = const void*;

/// Arguments as they were before the call, because it changes them. The program may call MPI inside the call, as
/// in a function that deletes an attribute, so this belongs to the call and not to the rank.
struct BeforeCall {
  const void* freed = nullptr;        // the handle that it frees
  std::vector<MPI_Request> requests;  // those that it may complete or free
};

/// A call that is under way; its arguments live as long as it.
class Call {
 public:
  Call(const FunctionInfo& info, const std::intptr_t* values, int rank, Place place)
      : info_(&info), values_(values), rank_(rank), place_(place) {}

  Function function() const { return info_->function; }
  const char* name() const { return info_->name; }
  const std::vector<Parameter>& parameters() const { return info_->parameters; }
  int rank() const { return rank_; }  // in MPI_COMM_WORLD
  Place place() const { return place_; }
  BeforeCall& before() const { return before_; }

  std::intptr_t value(int parameter) const { return values_[parameter]; }
  template <class T>
  T handle(int parameter) const {
    return reinterpret_cast<T>(values_[parameter]);  // NOLINT(performance-no-int-to-ptr): as it was given
  }
  bool has(Role role) const { return index(role) >= 0; }
  int number(Role role) const { return has(role) ? static_cast<int>(values_[index(role)]) : 0; }
  std::intptr_t address(Role role) const { return has(role) ? values_[index(role)] : 0; }
  template <class T = void*>
  T pointer(Role role) const {
    return has(role) ? handle<T>(index(role)) : nullptr;
  }
  MPI_Comm comm() const { return pointer<MPI_Comm>(Role::kComm); }
  MPI_Win win() const { return pointer<MPI_Win>(Role::kWin); }
  MPI_Op op() const { return pointer<MPI_Op>(Role::kOp); }
  MPI_Datatype type(Role role) const { return pointer<MPI_Datatype>(role); }
  const int* numbers(Role role) const { return pointer<const int*>(role); }

 private:
  int index(Role role) const { return info_->index[static_cast<int>(role)]; }

  const FunctionInfo* info_;
  const std::intptr_t* values_;
  int rank_;
  Place place_;
  mutable BeforeCall before_;
};

/// A call that has returned, to be named in a report.
struct PastCall {
  int rank = 0;
  const char* function = "";
  Place place = nullptr;
};
inline PastCall past(const Call& call) { return {call.rank(), call.name(), call.place()}; }

}  // namespace strata::mpix
