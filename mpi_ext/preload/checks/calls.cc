// SPDX-License-Identifier: LGPL-2.1-only
// Defines all MPI functions of SMPI's header. SMPI's MPI_Send, and that of its Fortran interface, call PMPI_Send
// through the procedure linkage table, where this library comes first. Each function makes a Call of its arguments,
// lets the checks look at it, and calls the function behind it:
//
//   MPI_Send  ->  PMPI_Send here: before(call); PMPI_Send of the next library; after(call, code)
//
// A function that SMPI itself calls inside another, as MPI_Bcast calls PMPI_Ibcast, is passed on. A function that the
// program calls inside another, as in a function that deletes an attribute, is the program's.
#include <dlfcn.h>

#include <cctype>
#include <cstring>
#include <map>
#include <string_view>
#include <type_traits>
#include <utility>

#include "mpi_ext/preload/checks/by_rank.h"
#include "mpi_ext/preload/checks/call.h"
#include "mpi_ext/preload/checks/checks.h"
#include "mpi_ext/preload/checks/current.h"
#include "mpi_ext/preload/checks/program_place.h"

namespace strata::mpix {
namespace {

template <class F>
F* behind(F&, const char* name) {
  return reinterpret_cast<F*>(::dlsym(RTLD_NEXT, name));
}

template <class T>
constexpr Kind kKindOf = std::is_same_v<T, int>                                       ? Kind::kInt
                         : std::is_same_v<T, const int*>                              ? Kind::kInts
                         : std::is_same_v<T, MPI_Aint>                                ? Kind::kAddress
                         : std::is_same_v<T, MPI_Comm>                                ? Kind::kComm
                         : std::is_same_v<T, MPI_Comm*>                               ? Kind::kNewComm
                         : std::is_same_v<T, MPI_Datatype>                            ? Kind::kType
                         : std::is_same_v<T, MPI_Datatype*>                           ? Kind::kNewType
                         : std::is_same_v<T, const MPI_Datatype*>                     ? Kind::kTypes
                         : std::is_same_v<T, MPI_Op>                                  ? Kind::kOp
                         : std::is_same_v<T, MPI_Op*>                                 ? Kind::kNewOp
                         : std::is_same_v<T, MPI_Win>                                 ? Kind::kWin
                         : std::is_same_v<T, MPI_Win*>                                ? Kind::kNewWin
                         : std::is_same_v<T, MPI_Group>                               ? Kind::kGroup
                         : std::is_same_v<T, MPI_Group*>                              ? Kind::kNewGroup
                         : std::is_same_v<T, MPI_Info>                                ? Kind::kInfo
                         : std::is_same_v<T, MPI_Info*>                               ? Kind::kNewInfo
                         : std::is_same_v<T, MPI_File>                                ? Kind::kFile
                         : std::is_same_v<T, MPI_File*>                               ? Kind::kNewFile
                         : std::is_same_v<T, MPI_Request>                             ? Kind::kRequest
                         : std::is_same_v<T, MPI_Request*>                            ? Kind::kRequests
                         : std::is_same_v<T, void*> || std::is_same_v<T, const void*> ? Kind::kBuffer
                                                                                      : Kind::kOther;

// Whether a parameter of this kind may have the role: the `dest` of MPI_Cart_shift is a result.
bool fits(Role role, Kind kind) {
  switch (role) {
    case Role::kCount:
    case Role::kSendCount:
    case Role::kRecvCount:
    case Role::kResultCount:
    case Role::kTargetCount:
    case Role::kDest:
    case Role::kSource:
    case Role::kRoot:
    case Role::kTag:
    case Role::kSendTag:
    case Role::kRecvTag:
    case Role::kRank:
    case Role::kAssert:
      return kind == Kind::kInt;
    case Role::kSendCounts:
    case Role::kRecvCounts:
    case Role::kPlaces:
    case Role::kSendPlaces:
    case Role::kRecvPlaces:
      return kind == Kind::kInts;
    case Role::kType:
    case Role::kSendType:
    case Role::kRecvType:
    case Role::kResultType:
    case Role::kTargetType:
      return kind == Kind::kType;
    case Role::kSendTypes:
    case Role::kRecvTypes:
      return kind == Kind::kTypes;
    case Role::kDisplacement:
      return kind == Kind::kAddress;
    case Role::kOp:
      return kind == Kind::kOp;
    case Role::kComm:
      return kind == Kind::kComm;
    case Role::kWin:
      return kind == Kind::kWin;
    case Role::kRequest:
    case Role::kRequests:
      return kind == Kind::kRequests;
    case Role::kFlag:
    case Role::kIndex:
    case Role::kOutcount:
    case Role::kIndices:
      return kind == Kind::kOther;  // a pointer to a result
    default:
      return kind == Kind::kBuffer;
  }
}

// By the names of parameters in SMPI's header. Those of functions with other meanings are never looked at.
Role role_of(std::string_view name, Kind kind) {
  static const std::map<std::string_view, Role> roles = {{"buf", Role::kBuffer},
                                                         {"sendbuf", Role::kSendBuffer},
                                                         {"recvbuf", Role::kRecvBuffer},
                                                         {"origin_addr", Role::kBuffer},
                                                         {"result_addr", Role::kResultBuffer},
                                                         {"compare_addr", Role::kCompareBuffer},
                                                         {"count", Role::kCount},
                                                         {"incount", Role::kCount},
                                                         {"origin_count", Role::kCount},
                                                         {"sendcount", Role::kSendCount},
                                                         {"recvcount", Role::kRecvCount},
                                                         {"result_count", Role::kResultCount},
                                                         {"target_count", Role::kTargetCount},
                                                         {"sendcounts", Role::kSendCounts},
                                                         {"sendcnts", Role::kSendCounts},
                                                         {"recvcounts", Role::kRecvCounts},
                                                         {"recvcnts", Role::kRecvCounts},
                                                         {"displs", Role::kPlaces},
                                                         {"senddisps", Role::kSendPlaces},
                                                         {"sdispls", Role::kSendPlaces},
                                                         {"recvdisps", Role::kRecvPlaces},
                                                         {"rdispls", Role::kRecvPlaces},
                                                         {"datatype", Role::kType},
                                                         {"origin_datatype", Role::kType},
                                                         {"sendtype", Role::kSendType},
                                                         {"recvtype", Role::kRecvType},
                                                         {"result_datatype", Role::kResultType},
                                                         {"target_datatype", Role::kTargetType},
                                                         {"sendtypes", Role::kSendTypes},
                                                         {"recvtypes", Role::kRecvTypes},
                                                         {"dst", Role::kDest},
                                                         {"dest", Role::kDest},
                                                         {"src", Role::kSource},
                                                         {"source", Role::kSource},
                                                         {"root", Role::kRoot},
                                                         {"tag", Role::kTag},
                                                         {"sendtag", Role::kSendTag},
                                                         {"recvtag", Role::kRecvTag},
                                                         {"rank", Role::kRank},
                                                         {"target_rank", Role::kRank},
                                                         {"target_disp", Role::kDisplacement},
                                                         {"assert", Role::kAssert},
                                                         {"op", Role::kOp},
                                                         {"comm", Role::kComm},
                                                         {"comm_old", Role::kComm},
                                                         {"win", Role::kWin},
                                                         {"request", Role::kRequest},
                                                         {"requests", Role::kRequests},
                                                         {"flag", Role::kFlag},
                                                         {"index", Role::kIndex},
                                                         {"outcount", Role::kOutcount},
                                                         {"indices", Role::kIndices}};
  const auto found = roles.find(name);
  return found != roles.end() && fits(found->second, kind) ? found->second : Role::kNone;
}

// "(buf, count)" gives "buf" and "count".
std::vector<std::string> words_of(std::string_view arguments) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : arguments) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  return words;
}

FunctionInfo info_of(Function function, const char* name, const char* arguments, const std::vector<Kind>& kinds) {
  FunctionInfo info{.function = function, .name = name, .parameters = {}, .index = {}};
  info.index.fill(-1);
  const std::vector<std::string> names = words_of(arguments);
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const Role role = role_of(names[i], kinds[i]);
    info.parameters.push_back({kinds[i], role, names[i]});
    if (role != Role::kNone) info.index[static_cast<int>(role)] = static_cast<signed char>(i);
  }
  return info;
}

template <class T>
std::intptr_t value_of(const T& argument) {
  if constexpr (std::is_pointer_v<T>) {
    return reinterpret_cast<std::intptr_t>(argument);
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<std::intptr_t>(argument);
  } else {
    return 0;
  }
}

// How many of these functions a rank is in.
class Inside {
 public:
  explicit Inside(int rank) : depth_(&depth_of(rank)) { ++*depth_; }
  ~Inside() { --*depth_; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
  bool outermost() const { return *depth_ == 1; }

 private:
  static int& depth_of(int rank) {
    static auto& depths = *new ByRank<int>;
    return depths[rank];
  }
  int* depth_;
};

template <class R, class... A>
struct Wrapper {
  const FunctionInfo& info;
  R (*next)(A...);
  const void* returns_to;
  const void* frame;

  R operator()(A... arguments) const {
    const int rank = current_rank();
    if (rank < 0 || !checking()) return next(arguments...);
    const Inside inside(rank);
    const Caller caller = caller_of_mpi(returns_to, frame);
    if (!inside.outermost() && !caller.is_program) return next(arguments...);
    const std::array<std::intptr_t, sizeof...(A) + 1> values = {value_of(arguments)..., 0};
    const Call call(info, values.data(), rank, caller.place);
    if constexpr (std::is_same_v<R, int>) {
      if (const int refused = before(call); refused != MPI_SUCCESS) return refused;
      const int code = next(arguments...);
      after(call, code);
      return code;
    } else {
      before(call);
      return next(arguments...);
    }
  }
};

template <class R, class... A>
FunctionInfo make_info(R (*)(A...), Function function, const char* name, const char* arguments) {
  return info_of(function, name, arguments, {kKindOf<A>...});
}

template <class R, class... A>
Wrapper<R, A...> wrapper(const FunctionInfo& info, R (*next)(A...), const void* returns_to, const void* frame) {
  return {info, next, returns_to, frame};
}

}  // namespace
}  // namespace strata::mpix

extern "C" {

// NOLINTBEGIN(bugprone-macro-parentheses): the arguments have parentheses of their own
#define PROFILED(TYPE, NAME, PARAMETERS, ARGUMENTS)                                                           \
  TYPE P##NAME PARAMETERS {                                                                                   \
    static const auto next_one = strata::mpix::behind(P##NAME, "P" #NAME);                                    \
    static const auto this_one = strata::mpix::make_info(next_one, strata::mpix::k##NAME, #NAME, #ARGUMENTS); \
    const void* const returns_here = __builtin_return_address(0);                                             \
    return strata::mpix::wrapper(this_one, next_one, returns_here, __builtin_frame_address(0)) ARGUMENTS;     \
  }
#include "sim/simgrid/calls.inc"
#undef PROFILED
// NOLINTEND(bugprone-macro-parentheses)
}
