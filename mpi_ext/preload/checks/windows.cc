// SPDX-License-Identifier: LGPL-2.1-only
// One-sided operations: their epochs (epochs.h), the bounds of the target's window, and races. A race is two accesses
// to the same memory of a window, of which one writes, that nothing orders:
//
//   rank 0: MPI_Put(... target 1, displacement 0)   rank 2: MPI_Put(... target 1, displacement 0)   between two fences
//
// An access is under way until its rank closes the epoch or flushes. One that begins while another is under way is not
// ordered after it. It is not ordered before it either, because it begins later. Accesses to a target that one of the
// ranks has locked exclusively are ordered by the lock.
#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "mpi_ext/preload/checks/buffers.h"
#include "mpi_ext/preload/checks/checks.h"
#include "mpi_ext/preload/checks/epochs.h"
#include "mpi_ext/preload/checks/signature.h"
#include "mpi_ext/preload/checks/significant.h"
#include "mpi_ext/preload/checks/smpis.h"
#include "sim/simgrid/window.h"

namespace strata::mpix {
namespace {

// An operation that is under way.
struct Pending {
  PastCall call;
  MPI_Win win = MPI_WIN_NULL;  // the caller's
  int target = 0;
  const void* of = nullptr;  // the target's window
  Access access = Access::kPut;
  long begin = 0, end = 0;  // of the bytes of the target's window
  bool exclusive = false, by_fence = false;
  bool local = false;                      // of the target's own memory, as the buffer of another operation
  MPI_Request request = MPI_REQUEST_NULL;  // of MPI_Rput and the like
  bool complete_with_request = false;      // at the target too, because it returns what it has read
  SharedOperation operation = {};
};

// More per target are not compared.
constexpr std::size_t kMostPending = 1024;

struct Memory {
  const char* base = nullptr;
  long bytes = 0;
  int unit = 1;
  bool dynamic = false;
};

struct Window {
  Memory memory;
  Epochs<PastCall> epochs;
};

// By the rank's own handle.
std::unordered_map<const void*, Window>& windows() {
  static auto& all = *new std::unordered_map<const void*, Window>;
  return all;
}

// By the target's window.
std::unordered_map<const void*, std::deque<Pending>>& pending() {
  static auto& all = *new std::unordered_map<const void*, std::deque<Pending>>;
  return all;
}

// The target's window, by the request of an operation.
std::map<std::pair<int, MPI_Request>, const void*>& of_requests() {
  static auto& all = *new std::map<std::pair<int, MPI_Request>, const void*>;
  return all;
}

void say(const Epochs<PastCall>::Mistake& mistake) {
  if (!mistake) return;
  std::vector<OtherCall> others;
  if (mistake->other) others.push_back({*mistake->other, "opened here"});
  report({.kind = "epoch",
          .check = mistake->check,
          .call = mistake->call,
          .text = mistake->text,
          .others = std::move(others),
          .rule = mistake->rule,
          .source = "MPI 4.1, Section 12.5"});
}

Memory memory_of(MPI_Win win) {
  Memory memory{nullptr, static_cast<long>(win->size()), win->disp_unit(), win->dynamic()};
  void* base = nullptr;
  int found = 0;
  STRATA_SMPIS(Win_get_attr)(win, MPI_WIN_BASE, static_cast<void*>(&base), &found);
  if (found != 0) memory.base = static_cast<const char*>(base);
  return memory;
}

// The window of any rank.
Window& window_of(MPI_Win win) {
  const auto known = windows().find(win);
  return known != windows().end() ? known->second : windows().emplace(win, Window{memory_of(win), {}}).first->second;
}

// The ranks of a group in the communicator of the window.
std::set<int> targets_of(MPI_Group group, MPI_Win win) {
  std::set<int> targets;
  int size = 0;
  STRATA_SMPIS(Group_size)(group, &size);
  const std::vector<long>& members = *comm_info(win->comm()).members;
  for (int r = 0; r < size; ++r) {
    const long rank = group->actor(r) - 1;
    const auto found = std::find(members.begin(), members.end(), rank);
    if (found != members.end()) targets.insert(static_cast<int>(found - members.begin()));
  }
  return targets;
}

// The part of the target's window that an operation accesses.
struct Extent {
  long begin = 0, end = 0;
};

std::optional<Extent> extent_of(const Call& call, const Memory& target) {
  const bool one = !call.has(Role::kTargetCount);
  MPI_Datatype const type = call.type(call.has(Role::kTargetType) ? Role::kTargetType : Role::kType);
  const long count = one ? 1 : call.number(Role::kTargetCount);
  if (count <= 0 || type == nullptr || type == MPI_DATATYPE_NULL) return {};
  const TypeSignature& t = signature_of(type);
  if (t.size == 0) return {};
  const long at = static_cast<long>(call.address(Role::kDisplacement)) * target.unit;
  const long last = at + (count - 1) * t.extent;
  return Extent{std::min(at, last) + t.begin, std::max(at, last) + t.end};
}

// Whether an element of the type has gaps, so that two of them may lie between each other.
bool has_gaps(const Call& call) {
  MPI_Datatype const type = call.type(call.has(Role::kTargetType) ? Role::kTargetType : Role::kType);
  const TypeSignature& t = signature_of(type);
  return !t.dense || t.extent != t.size;
}

bool in_conflict(const Pending& a, const Pending& b) {
  if (a.end <= b.begin || b.end <= a.begin) return false;
  if (a.access == Access::kGet && b.access == Access::kGet) return false;
  if (a.access == Access::kAccumulate && b.access == Access::kAccumulate) return false;
  const bool same_rank = a.call.rank == b.call.rank;
  return same_rank || !(a.exclusive || b.exclusive);
}

// The part of a rank's own window that is a buffer of its call.
std::optional<Pending> local_access(const Call& call, const Region& region, MPI_Win win, const Window& window) {
  const Memory& memory = window.memory;
  const long begin = region.begin - memory.base;
  if (memory.dynamic || memory.base == nullptr || begin + region.bytes <= 0 || begin >= memory.bytes) return {};
  const int self = comm_info(win->comm()).rank;
  return Pending{.call = past(call),
                 .win = win,
                 .target = self,
                 .of = win,
                 .access = region.written ? Access::kPut : Access::kGet,
                 .begin = std::max(begin, 0L),
                 .end = std::min(begin + region.bytes, memory.bytes),
                 .exclusive = window.epochs.exclusive(self),
                 .by_fence = window.epochs.by_fence(self),
                 .local = true};
}

const char* name_of(Access access) {
  return access == Access::kPut ? "writes" : access == Access::kGet ? "reads" : "updates";
}

std::string text_of(const Pending& p) {
  return std::string("it ") + name_of(p.access) + " bytes " + std::to_string(p.begin) + " to " +
         std::to_string(p.end - 1) + " of the window of rank " + std::to_string(p.target);
}

void check_race(const Pending& next) {
  for (const Pending& other : pending()[next.of]) {
    // The buffers of one rank are checked as such (buffers.cc).
    if (next.local && other.local) continue;
    if (!in_conflict(other, next)) continue;
    report({.kind = "race",
            .check = "window-race",
            .call = next.call,
            .text = text_of(next),
            .others = {{other.call, text_of(other)}},
            .rule = "accesses to the same memory of a window are ordered, if one of them writes",
            .source = "MPI 4.1, Section 12.7"});
    return;
  }
}

void check_bounds(const Call& call, const Extent& extent, const Memory& target) {
  if (target.dynamic || (extent.begin >= 0 && extent.end <= target.bytes)) return;
  report({.kind = "argument",
          .check = "window-bounds",
          .call = past(call),
          .text = "it accesses bytes " + std::to_string(extent.begin) + " to " + std::to_string(extent.end - 1) +
                  " of a window of " + std::to_string(target.bytes) + " B",
          .rule = "an operation stays inside the window of its target",
          .source = "MPI 4.1, Section 12.3"});
}

MPI_Win window_of_target(const Call& call) {
  return const_cast<MPI_Win>(call.win()->of(call.number(Role::kRank)));  // of which SMPI calls only const functions
}

// The operation that a call will begin; none if it accesses nothing.
std::optional<Pending> pending_of(const Call& call, const Window& own) {
  const int target = call.number(Role::kRank);
  MPI_Win const of = window_of_target(call);
  const std::optional<Extent> extent = extent_of(call, window_of(of).memory);
  if (!extent) return {};
  return Pending{.call = past(call),
                 .win = call.win(),
                 .target = target,
                 .of = of,
                 .access = *access_of(call.function()),
                 .begin = extent->begin,
                 .end = extent->end,
                 .exclusive = own.epochs.exclusive(target),
                 .by_fence = own.epochs.by_fence(target)};
}

bool is_rank(const Call& call) {
  const int target = call.number(Role::kRank);
  const CommInfo& comm = comm_info(call.win()->comm());
  if (target >= 0 && target < comm.size) return true;
  report({.kind = "argument",
          .check = "target",
          .call = past(call),
          .text = "its target is " + std::to_string(target) + ", and the window has " + std::to_string(comm.size) +
                  (comm.size == 1 ? " rank" : " ranks"),
          .rule = "a target is the rank of a process of the window",
          .source = "MPI 4.1, Section 12.3"});
  return false;
}

void add_pending(Pending next) {
  std::deque<Pending>& all = pending()[next.of];
  all.push_back(std::move(next));
  if (all.size() <= kMostPending) return;
  if (all.front().operation != nullptr) drop_operation(all.front().operation);
  all.pop_front();
}

// Other ranks continue while the call is under way, so it is compared with theirs from now on.
void check_operation(const Call& call, Window& own) {
  if (call.number(Role::kRank) == MPI_PROC_NULL || !is_rank(call)) return;
  say(own.epochs.operation(past(call), call.number(Role::kRank)));
  std::optional<Pending> next = pending_of(call, own);
  if (!next) return;
  const Memory& memory = window_of(window_of_target(call)).memory;
  check_bounds(call, {next->begin, next->end}, memory);
  if (has_gaps(call) || memory.dynamic) {
    next->begin = next->end = 0;  // compared with nothing
  } else {
    check_race(*next);
  }
  add_pending(std::move(*next));
  for (const Region& region : regions_of(call)) {
    if (auto local = local_access(call, region, call.win(), own)) {
      check_race(*local);
      add_pending(std::move(*local));
    }
  }
}

// The operation has begun.
void note_operation(const Call& call) {
  const int target = call.number(Role::kRank);
  if (target == MPI_PROC_NULL || target < 0) return;
  MPI_Win const of = window_of_target(call);
  std::deque<Pending>& all = pending()[of];
  const auto found = std::find_if(all.rbegin(), all.rend(), [&](const Pending& p) {
    return p.call.rank == call.rank() && !p.local && p.call.place == call.place() && p.operation == nullptr;
  });
  if (found == all.rend()) return;
  const Memory& memory = window_of(of).memory;
  std::vector<Region> regions = regions_of(call);
  // The memory that it reads may not change until the operation is complete.
  const bool inside = found->begin >= 0 && found->begin < found->end && found->end <= memory.bytes;
  if (found->access == Access::kGet && inside && memory.base != nullptr)
    regions.push_back({memory.base + found->begin, found->end - found->begin, false, false});
  found->operation = begin_operation(past(call), std::move(regions), true);
  if (!call.has(Role::kRequest)) return;
  found->request = *call.pointer<MPI_Request*>(Role::kRequest);
  found->complete_with_request = call.function() == kMPI_Rget || call.function() == kMPI_Rget_accumulate;
  of_requests()[{call.rank(), found->request}] = of;
}

// The window is freed; another may have its address later.
void forget_window(const void* window) {
  windows().erase(window);
  for (const Pending& p : pending()[window]) {
    if (p.operation != nullptr) drop_operation(p.operation);
  }
  pending().erase(window);
}

// The operations of this rank on the window, to one target or to all.
template <class Visit>
void each_pending(const Call& call, MPI_Win win, std::optional<int> target, const Visit& visit) {
  const int ranks = comm_info(win->comm()).size;
  for (int r = target.value_or(0); r < (target ? *target + 1 : ranks); ++r) {
    const auto known = pending().find(win->of(r));
    if (known == pending().end()) continue;
    for (Pending& p : known->second) {
      if (p.call.rank == call.rank()) visit(p);
    }
  }
}

// Their own buffers are free from now on.
void end_buffers_of(const Call& call, MPI_Win win, std::optional<int> target) {
  each_pending(call, win, target, [&](Pending& p) {
    if (p.operation != nullptr) end_operation(p.operation, past(call));
    p.operation = nullptr;
  });
}

void end_accesses(const Call& call, MPI_Win win, std::optional<int> target, bool only_fence) {
  const int ranks = comm_info(win->comm()).size;
  for (int r = target.value_or(0); r < (target ? *target + 1 : ranks); ++r) {
    const auto known = pending().find(win->of(r));
    if (known == pending().end()) continue;
    std::erase_if(known->second,
                  [&](const Pending& p) { return p.call.rank == call.rank() && (!only_fence || p.by_fence); });
  }
}

}  // namespace

void check_window(const Call& call) {
  const Function f = call.function();
  MPI_Win const win = f == kMPI_Win_free ? *call.handle<const MPI_Win*>(0) : call.win();
  if (win == MPI_WIN_NULL) return;
  Window& window = window_of(win);
  Epochs<PastCall>& epochs = window.epochs;
  const PastCall here = past(call);
  const int target = call.number(Role::kRank);
  const int assertion = call.number(Role::kAssert);
  if (access_of(f)) return check_operation(call, window);
  switch (f) {
    case kMPI_Win_fence:
      say(epochs.fence(here, (assertion & MPI_MODE_NOPRECEDE) == 0, (assertion & MPI_MODE_NOSUCCEED) == 0));
      return end_buffers_of(call, win, {});
    case kMPI_Win_lock:
      if (target != MPI_PROC_NULL && is_rank(call))
        say(epochs.lock(here, target, static_cast<int>(call.value(0)) == MPI_LOCK_EXCLUSIVE));
      return;
    case kMPI_Win_lock_all:
      return say(epochs.lock_all(here));
    case kMPI_Win_unlock:
      if (target == MPI_PROC_NULL || !is_rank(call)) return;
      say(epochs.unlock(here, target));
      return end_buffers_of(call, win, target);
    case kMPI_Win_unlock_all:
      say(epochs.unlock_all(here));
      return end_buffers_of(call, win, {});
    case kMPI_Win_flush:
    case kMPI_Win_flush_local:
      if (target == MPI_PROC_NULL || !is_rank(call)) return;
      say(epochs.flush(here, target));
      return end_buffers_of(call, win, target);
    case kMPI_Win_flush_all:
    case kMPI_Win_flush_local_all:
      say(epochs.flush(here, {}));
      return end_buffers_of(call, win, {});
    case kMPI_Win_start:
      return say(epochs.start(here, targets_of(call.handle<MPI_Group>(0), win)));
    case kMPI_Win_complete:
      say(epochs.complete(here));
      return end_buffers_of(call, win, {});
    case kMPI_Win_post:
      return say(epochs.post(here));
    case kMPI_Win_wait:
      return say(epochs.wait(here));
    case kMPI_Win_free:
      say(epochs.free(here));
      return end_buffers_of(call, win, {});
    default:
      return;
  }
}

void note_window(const Call& call) {
  const Function f = call.function();
  if (f == kMPI_Win_free) return forget_window(call.before().freed);
  MPI_Win const win = call.win();
  if (win == MPI_WIN_NULL) return;
  if (access_of(f)) return note_operation(call);
  const int target = call.number(Role::kRank);
  switch (f) {
    case kMPI_Win_fence:
      return end_accesses(call, win, {}, true);
    case kMPI_Win_unlock:
    case kMPI_Win_flush:
      if (target >= 0) end_accesses(call, win, target, false);
      return;
    case kMPI_Win_unlock_all:
    case kMPI_Win_flush_all:
    case kMPI_Win_complete:
      return end_accesses(call, win, {}, false);
    case kMPI_Win_test:
      if (*call.pointer<const int*>(Role::kFlag) != 0) window_of(win).epochs.waited();
      return;
    default:
      return;
  }
}

void end_window_request(const Call& call, MPI_Request request) {
  const auto known = of_requests().find({call.rank(), request});
  if (known == of_requests().end()) return;
  std::deque<Pending>& all = pending()[known->second];
  of_requests().erase(known);
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const Pending& p) { return p.request == request && p.call.rank == call.rank(); });
  if (found == all.end()) return;
  if (found->operation != nullptr) end_operation(found->operation, past(call));
  found->operation = nullptr;
  found->request = MPI_REQUEST_NULL;
  if (found->complete_with_request) all.erase(found);
}

}  // namespace strata::mpix
