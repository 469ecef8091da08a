// SPDX-License-Identifier: LGPL-2.1-only
// Leaks: objects that a rank has made and not freed when it calls MPI_Finalize, with where they were made. For
//
//   MPI_Comm_dup(MPI_COMM_WORLD, &copy);   leak.c:12
//   MPI_Finalize();
//
// each rank has a communicator that was made at leak.c:12. Also calls outside MPI_Init and MPI_Finalize.
#include <cstring>
#include <map>
#include <string>

#include "mpi_ext/preload/checks/by_rank.h"
#include "mpi_ext/preload/checks/checks.h"
#include "mpi_ext/preload/checks/current.h"
#include "mpi_ext/preload/checks/handles.h"
#include "mpi_ext/preload/checks/requests.h"
#include "mpi_ext/preload/checks/smpis.h"
#include "mpi_ext/preload/checks/unseen_calls.h"

namespace strata::mpix {
namespace {

enum class Phase { kBefore, kInside, kAfter };

Phase& phase_of(int rank) {
  static auto& phases = *new ByRank<Phase>;
  return phases[rank];
}

const void* at(const Call& call, int parameter) {
  const auto* handle = call.handle<const void* const*>(parameter);
  return handle == nullptr ? nullptr : *handle;
}

HandleTable* table_of(Kind kind) {
  switch (kind) {
    case Kind::kNewComm:
      return &handles().comms;
    case Kind::kNewType:
      return &handles().types;
    case Kind::kNewOp:
      return &handles().ops;
    case Kind::kNewWin:
      return &handles().windows;
    case Kind::kNewGroup:
      return &handles().groups;
    case Kind::kNewInfo:
      return &handles().infos;
    case Kind::kNewFile:
      return &handles().files;
    default:
      return nullptr;
  }
}

bool frees(Function function) {
  switch (function) {
    case kMPI_Comm_free:
    case kMPI_Comm_disconnect:
    case kMPI_Type_free:
    case kMPI_Op_free:
    case kMPI_Group_free:
    case kMPI_Info_free:
    case kMPI_Win_free:
    case kMPI_File_close:
      return true;
    default:
      return false;
  }
}

// Returns a handle that the program need not free, or that it has only later.
bool only_returns(Function function) {
  switch (function) {
    case kMPI_Comm_get_parent:
    case kMPI_Comm_idup:
    case kMPI_Type_commit:
    case kMPI_Type_create_f90_complex:
    case kMPI_Type_create_f90_integer:
    case kMPI_Type_create_f90_real:
    case kMPI_Type_match_size:
    case kMPI_Type_get_contents:
    case kMPI_File_get_view:
      return true;
    default:
      return false;
  }
}

bool predefined(Kind kind, const void* handle) {
  if (handle == nullptr) return true;
  switch (kind) {
    case Kind::kNewComm:
      return handle == MPI_COMM_WORLD || handle == MPI_COMM_SELF;
    case Kind::kNewGroup:
      return handle == MPI_GROUP_EMPTY;
    case Kind::kNewType:
      return handle == MPI_DATATYPE_NULL;
    default:
      return false;
  }
}

void note_types(const Call& call) {
  HandleTable& types = handles().types;
  if (call.function() == kMPI_Type_commit) {
    if (HandleTable::Made* made = types.live(call.rank(), at(call, 0))) made->committed = true;
  } else if (call.function() == kMPI_Type_get_contents) {
    const int number = static_cast<int>(call.value(3));
    for (int i = 0; i < number; ++i) types.see(call.rank(), call.handle<MPI_Datatype*>(6)[i]);
  }
}

bool committed_when_made(const Call& call) {
  if (call.function() != kMPI_Type_dup) return false;
  const HandleTable::Made* of = handles().types.live(call.rank(), call.type(Role::kType));
  return of == nullptr || of->committed;
}

void say_leaks(const PastCall& finalize, const HandleTable& table, const std::string& what, const char* check,
               const char* free, const char* source) {
  std::map<std::pair<const char*, Place>, std::pair<PastCall, int>> by_place;
  for (const PastCall& made : table.left(finalize.rank)) {
    auto& entry = by_place[{made.function, made.place}];
    entry.first = made;
    ++entry.second;
  }
  for (const auto& [place, entry] : by_place) {
    const auto& [made, number] = entry;
    const std::string which = number == 1 ? "a " + what + " is" : std::to_string(number) + " " + what + "s are";
    report({.kind = "leak",
            .check = check,
            .call = finalize,
            .text = which + " not freed",
            .others = {{made, "made here"}},
            .rule = free,
            .source = source});
  }
}

bool allowed_outside(const char* name) {
  constexpr const char* kPrefixes[] = {"MPI_Init",  "MPI_Finalized", "MPI_Get_",     "MPI_Info_",       "MPI_Wti",
                                       "MPI_Aint_", "MPI_Address",   "MPI_Error_",   "MPI_Abort",       "MPI_Pcontrol",
                                       "MPI_Add_",  "MPI_Session",   "MPI_Finalize", "MPI_Query_thread"};
  for (const char* prefix : kPrefixes) {
    if (std::strncmp(name, prefix, std::strlen(prefix)) == 0) return true;
  }
  return std::strstr(name, "_c2f") != nullptr || std::strstr(name, "_f2c") != nullptr ||
         std::strstr(name, "errhandler") != nullptr || std::strstr(name, "eyval") != nullptr;
}

}  // namespace

Handles& handles() {
  static auto& all = *new Handles;
  return all;
}

void note_before(const Call& call) {
  if (frees(call.function())) call.before().freed = at(call, 0);
  note_requests_before(call);
}

void note_after(const Call& call) {
  const int rank = call.rank();
  if (call.function() == kMPI_Init || call.function() == kMPI_Init_thread) phase_of(rank) = Phase::kInside;
  // Not at its beginning: if another rank ends the program meanwhile, destructors of this one still free what it has.
  if (call.function() == kMPI_Finalize) phase_of(rank) = Phase::kAfter;
  if (frees(call.function())) {
    const void* const handle = call.before().freed;
    const Kind kind = call.parameters()[0].kind;
    table_of(kind)->free(rank, handle, past(call));
    if (kind == Kind::kNewComm) forget_comm(static_cast<MPI_Comm>(const_cast<void*>(handle)));
    return;
  }
  note_types(call);
  const bool only = only_returns(call.function());
  for (std::size_t i = 0; i < call.parameters().size(); ++i) {
    const Kind kind = call.parameters()[i].kind;
    HandleTable* const table = table_of(kind);
    if (table == nullptr) continue;
    const void* const handle = at(call, static_cast<int>(i));
    if (predefined(kind, handle)) continue;
    if (kind == Kind::kNewComm) forget_comm(static_cast<MPI_Comm>(const_cast<void*>(handle)));
    if (only) {
      if (call.function() != kMPI_Type_commit) table->see(rank, handle);
    } else {
      table->make(rank, handle, {past(call), committed_when_made(call)});
    }
  }
}

void check_leaks(const Call& finalize) {
  if (has_unseen_calls()) return;
  const PastCall call = past(finalize);
  constexpr const char* kSource = "MPI 4.1, Section 11.2.2";
  requests().each(call.rank, [&](MPI_Request, const RequestState& state) {
    if (state.active) {
      report({.kind = "lifecycle",
              .check = "missing-wait",
              .call = call,
              .text = "an operation is not complete",
              .others = {{state.started, "started here"}},
              .rule = "MPI_Wait, MPI_Test or a function like them completes an operation before MPI_Finalize",
              .source = kSource});
    } else {
      report({.kind = "leak",
              .check = "request-leak",
              .call = call,
              .text = "a persistent request is not freed",
              .others = {{state.made, "made here"}},
              .rule = "MPI_Request_free frees a persistent request",
              .source = "MPI 4.1, Section 3.9"});
    }
  });
  Handles& h = handles();
  say_leaks(call, h.comms, "communicator", "communicator-leak", "MPI_Comm_free frees it", kSource);
  say_leaks(call, h.groups, "group", "group-leak", "MPI_Group_free frees it", kSource);
  say_leaks(call, h.types, "datatype", "type-leak", "MPI_Type_free frees it", kSource);
  say_leaks(call, h.ops, "operation", "operation-leak", "MPI_Op_free frees it", kSource);
  say_leaks(call, h.windows, "window", "window-leak", "MPI_Win_free frees it", kSource);
  say_leaks(call, h.infos, "info object", "info-leak", "MPI_Info_free frees it", kSource);
  say_leaks(call, h.files, "file", "file-leak", "MPI_File_close closes it", kSource);
}

void check_lifecycle(const Call& call) {
  const Phase phase = phase_of(call.rank());
  const Function f = call.function();
  const bool starts = f == kMPI_Init || f == kMPI_Init_thread;
  const auto say = [&](const char* check, const char* text, const char* rule) {
    report({.kind = "lifecycle",
            .check = check,
            .call = past(call),
            .text = text,
            .rule = rule,
            .source = "MPI 4.1, Section 11.2"});
  };
  if (starts && phase != Phase::kBefore) {
    say("second-init", "MPI is initialised already", "MPI_Init is called once");
  } else if (f == kMPI_Finalize && phase == Phase::kAfter) {
    say("second-finalize", "MPI is finalised already", "MPI_Finalize is called once");
  } else if (phase == Phase::kBefore && !starts && !allowed_outside(call.name()) && is_rank_itself()) {
    say("before-init", "MPI is not initialised", "MPI_Init is the first call of MPI");
  } else if (phase == Phase::kAfter && !allowed_outside(call.name())) {
    say("after-finalize", "it comes after MPI_Finalize", "MPI_Finalize is the last call of MPI");
  }
}

}  // namespace strata::mpix
