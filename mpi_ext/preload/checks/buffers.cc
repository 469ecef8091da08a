// SPDX-License-Identifier: LGPL-2.1-only
// Buffers that the program must not touch, or only read, while an operation is under way:
//
//   MPI_Isend(x, 4, MPI_INT, ...)     a hash of x
//   x[0] = 5;
//   MPI_Wait(&request, ...)           another hash: x was written while it was sent
//
// A buffer that is received is compared just before SMPI copies the message into it, and again when the operation is
// complete. So it is not known which line has written it, and reads are not seen. A buffer that overlaps one that an
// operation under way writes, or that is written itself, is a mistake without a hash.
//
// Only memory without gaps is compared, because the program may write into gaps.
#include "mpi_ext/preload/checks/buffers.h"

#include <dlfcn.h>
#include <xxhash.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <simgrid/kernel/resource/Action.hpp>
#include <string>
#include <unordered_map>
#include <utility>

#include "mpi_ext/preload/checks/by_rank.h"
#include "mpi_ext/preload/checks/checks.h"
#include "mpi_ext/preload/checks/current.h"
#include "mpi_ext/preload/checks/requests.h"
#include "mpi_ext/preload/checks/signature.h"
#include "mpi_ext/preload/checks/significant.h"
#include "mpi_ext/preload/checks/smpis.h"
#include "sim/simgrid/activity.h"
#include "sim/simgrid/communication.h"
#include "sim/simgrid/request.h"

namespace strata::mpix {

namespace {

using simgrid::kernel::activity::ActivityImplPtr;

// Only pieces of a long region are hashed, because a hash of it costs as much as sending it.
constexpr long kWhole = 4096;  // B: a region up to this length is hashed whole
constexpr long kPieces = 16, kPiece = kWhole / kPieces;

std::uint64_t hash_of(const Region& region) {
  if (region.bytes <= kWhole) return XXH3_64bits(region.begin, static_cast<std::size_t>(region.bytes));
  std::uint64_t hash = 0;
  const long apart = (region.bytes - kPiece) / (kPieces - 1);  // the first is at the begin, the last one near the end
  for (long i = 0; i < kPieces; ++i)
    hash = XXH3_64bits_withSeed(region.begin + i * apart, static_cast<std::size_t>(kPiece), hash);
  return hash;
}

// Memory into which SMPI copies one message.
struct Arriving {
  ActivityImplPtr message;  // keeps the address from being used again
  Region region;
  std::uint64_t hash = 0;
  bool arrived = false;
  bool changed = false;
};
using SharedArriving = std::shared_ptr<Arriving>;

}  // namespace

struct Operation {
  PastCall call;
  std::vector<Region> regions;
  std::vector<std::uint64_t>
      hashes;  // of the regions; of those that are written, only if their result comes at the end
  std::vector<SharedArriving> arriving;
  bool result_at_end = false, result_changed = false;
  bool ends_early = false;  // it ends before the call that completes it: messages may still arrive in that
};

namespace {

// By rank, where the regions of its operations begin.
class UnderWay {
 public:
  void add(const SharedOperation& operation) {
    for (const Region& region : operation->regions) {
      if (!region.own || region.bytes <= 0) continue;
      all_.emplace(region.begin, Entry{region, operation.get()});
      longest_ = std::max(longest_, region.bytes);
    }
  }
  void remove(const Operation* operation) {
    for (const Region& region : operation->regions) {
      const auto [from, to] = all_.equal_range(region.begin);
      const auto found = std::find_if(from, to, [&](const auto& entry) { return entry.second.of == operation; });
      if (found != to) all_.erase(found);
    }
    if (all_.empty()) longest_ = 0;
  }
  /// One that overlaps, if one of the two is written; nullptr: none.
  const Operation* conflict(const Region& region) const {
    if (region.bytes <= 0) return nullptr;
    for (auto it = all_.lower_bound(region.begin - longest_);
         it != all_.end() && it->first < region.begin + region.bytes; ++it) {
      const Region& other = it->second.region;
      if (other.begin + other.bytes > region.begin && (other.written || region.written)) return it->second.of;
    }
    return nullptr;
  }

 private:
  struct Entry {
    Region region;
    const Operation* of;
  };
  std::multimap<const char*, Entry> all_;
  long longest_ = 0;
};

UnderWay& under_way(int rank) {
  static auto& all = *new ByRank<UnderWay>;
  return all[rank];
}

// By the message.
std::unordered_map<const void*, SharedArriving>& arriving() {
  static auto& all = *new std::unordered_map<const void*, SharedArriving>;
  return all;
}

// The receives that SMPI has started during the call that a rank is in.
std::vector<SharedArriving>& started_receives(int rank) {
  static auto& all = *new ByRank<std::vector<SharedArriving>>;
  return all[rank];
}

// The operations of the program's requests. Persistent ones have their regions from the call that made them.
std::map<std::pair<int, MPI_Request>, SharedOperation>& of_requests() {
  static auto& all = *new std::map<std::pair<int, MPI_Request>, SharedOperation>;
  return all;
}
std::map<std::pair<int, MPI_Request>, std::vector<Region>>& persistent() {
  static auto& all = *new std::map<std::pair<int, MPI_Request>, std::vector<Region>>;
  return all;
}

// Memory that SMPI lets all ranks share to save space (SMPI_SHARED_MALLOC): what is in it means nothing.
bool is_shared(const void* memory) {
  using Blocks = std::vector<std::pair<std::size_t, std::size_t>>;
  static auto* const smpis = reinterpret_cast<int (*)(const void*, Blocks&, std::size_t*)>(
      ::dlsym(RTLD_DEFAULT, "_Z14smpi_is_sharedPKvRSt6vectorISt4pairImmESaIS3_EEPm"));
  if (smpis == nullptr) return false;
  Blocks blocks;
  std::size_t offset = 0;
  return smpis(memory, blocks, &offset) != 0;
}

void add_region(std::vector<Region>& regions, const char* buffer, long count, MPI_Datatype type, bool written) {
  if (buffer == nullptr || buffer == MPI_BOTTOM || buffer == MPI_IN_PLACE || count <= 0) return;
  if (type == nullptr || type == MPI_DATATYPE_NULL) return;
  const TypeSignature& t = signature_of(type);
  if (t.size == 0 || !t.dense || (count > 1 && t.extent != t.size)) return;
  const Region region{buffer + t.begin, count * t.size, written};
  if (!is_shared(region.begin)) regions.push_back(region);
}

// How many times its count a collective has at a buffer.
long multiple(const Call& call, Role buffer, int ranks) {
  switch (call.function()) {
    case kMPI_Gather:
    case kMPI_Igather:
    case kMPI_Allgather:
    case kMPI_Iallgather:
      return buffer == Role::kRecvBuffer ? ranks : 1;
    case kMPI_Scatter:
    case kMPI_Iscatter:
      return buffer == Role::kSendBuffer ? ranks : 1;
    case kMPI_Alltoall:
    case kMPI_Ialltoall:
      return ranks;
    default:
      return 1;
  }
}

bool is_neighborhood(const Call& call) { return std::string(call.name()).find("eighbor") != std::string::npos; }

void say_overlap(const Call& call, const PastCall& other) {
  report({.kind = "buffer",
          .check = "overlap",
          .call = past(call),
          .text = "its buffer overlaps that of an operation that is not complete, and one of them is written",
          .others = {{other, "started here"}},
          .rule = "a buffer belongs to an operation until it is complete",
          .source = "MPI 4.1, Section 3.7.2"});
}

// The buffers of one call.
void check_own_overlap(const Call& call, const std::vector<Region>& regions) {
  for (const Region& a : regions) {
    for (const Region& b : regions) {
      if (a.written || !b.written || a.bytes <= 0 || b.bytes <= 0) continue;
      if (a.begin >= b.begin + b.bytes || b.begin >= a.begin + a.bytes) continue;
      report({.kind = "argument",
              .check = "aliased-buffers",
              .call = past(call),
              .text = "its buffers overlap",
              .rule = "a buffer that is written does not overlap another argument",
              .source = "MPI 4.1, Section 2.3"});
      return;
    }
  }
}

void check_start(const Call& call, MPI_Request request) {
  const auto regions = persistent().find({call.rank(), request});
  if (regions == persistent().end()) return;
  for (const Region& region : regions->second) {
    if (const Operation* other = under_way(call.rank()).conflict(region)) return say_overlap(call, other->call);
  }
}

// SMPI combines the contributions elsewhere, and writes the result when the operation is complete.
bool has_result_at_end(Function function) {
  switch (function) {
    case kMPI_Ireduce:
    case kMPI_Iallreduce:
    case kMPI_Iscan:
    case kMPI_Iexscan:
    case kMPI_Ireduce_scatter:
    case kMPI_Ireduce_scatter_block:
      return std::getenv("STRATA_COLLECTIVES") == nullptr;  // other libraries' algorithms write it earlier
    default:
      return false;
  }
}

// Messages arrive in the buffers of these directly.
bool receives_in_place(Function function) {
  switch (function) {
    case kMPI_Irecv:
    case kMPI_Start:
    case kMPI_Startall:
    case kMPI_Ibcast:
    case kMPI_Igather:
    case kMPI_Igatherv:
    case kMPI_Iscatter:
    case kMPI_Iscatterv:
    case kMPI_Iallgather:
    case kMPI_Iallgatherv:
    case kMPI_Ialltoall:
    case kMPI_Ialltoallv:
    case kMPI_Put:
    case kMPI_Rput:
    case kMPI_Get:
    case kMPI_Rget:
      return true;
    default:
      return false;
  }
}

// Whether the receives that a rank starts now are noted.
bool& noting(int rank) {
  static auto& all = *new ByRank<bool>;
  return all[rank];
}

bool is_inside(const Region& part, const std::vector<Region>& regions) {
  return std::any_of(regions.begin(), regions.end(), [&](const Region& r) {
    return r.written && r.own && r.begin <= part.begin && part.begin + part.bytes <= r.begin + r.bytes;
  });
}

void begin_request(const Call& call, MPI_Request request, std::vector<Region> regions) {
  const SharedOperation operation = begin_operation(past(call), std::move(regions), false);
  of_requests()[{call.rank(), request}] = operation;
  operation->result_at_end = has_result_at_end(call.function());
  if (!operation->result_at_end) return;
  for (std::size_t i = 0; i < operation->regions.size(); ++i) operation->hashes[i] = hash_of(operation->regions[i]);
}

// At the first call that may complete an operation whose result comes only then.
void check_results(const Call& call) {
  const bool many = call.has(Role::kRequests);
  const auto* const given = call.pointer<const MPI_Request*>(many ? Role::kRequests : Role::kRequest);
  const int count = many ? call.number(Role::kCount) : 1;
  for (int i = 0; i < count && given != nullptr; ++i) {
    const auto known = of_requests().find({call.rank(), given[i]});
    if (known == of_requests().end() || !known->second->result_at_end) continue;
    Operation& operation = *known->second;
    operation.result_at_end = false;
    for (std::size_t r = 0; r < operation.regions.size(); ++r) {
      if (operation.regions[r].written && hash_of(operation.regions[r]) != operation.hashes[r])
        operation.result_changed = true;
    }
  }
}

}  // namespace

std::vector<Region> regions_of(const Call& call) {
  std::vector<Region> regions;
  if (is_neighborhood(call)) return regions;
  for (const DataArguments& d : data_of_call(call)) {
    if (!significant(call, d.buffer)) continue;
    const auto* const buffer = call.pointer<const char*>(d.buffer);
    const int ranks = call.comm() == MPI_COMM_NULL ? 1 : comm_info(call.comm()).size;
    if (d.counts == Role::kNone) {
      const bool one = d.count == Role::kNone;
      if (one && call.win() == MPI_WIN_NULL) continue;
      const long count = one ? 1 : call.number(d.count);
      add_region(regions, buffer, count * multiple(call, d.buffer, ranks), call.type(d.type), d.written);
      continue;
    }
    MPI_Datatype const type = call.type(d.type);
    if (type == nullptr || type == MPI_DATATYPE_NULL || call.numbers(d.counts) == nullptr) continue;
    if (buffer == nullptr || buffer == MPI_IN_PLACE || call.numbers(d.places) == nullptr) continue;
    const long extent = signature_of(type).extent;
    for (int r = 0; r < ranks; ++r)
      add_region(regions, buffer + call.numbers(d.places)[r] * extent, call.numbers(d.counts)[r], type, d.written);
  }
  return regions;
}

SharedOperation begin_operation(const PastCall& call, std::vector<Region> regions, bool ends_early) {
  auto operation = std::make_shared<Operation>();
  operation->call = call;
  operation->regions = std::move(regions);
  operation->ends_early = ends_early;
  for (const Region& region : operation->regions) operation->hashes.push_back(region.written ? 0 : hash_of(region));
  operation->arriving.swap(started_receives(call.rank));
  std::erase_if(operation->arriving, [&](const SharedArriving& part) {
    return part->region.own && !is_inside(part->region, operation->regions);
  });
  for (const SharedArriving& part : operation->arriving) {
    part->hash = hash_of(part->region);
    arriving()[part->message.get()] = part;
  }
  under_way(call.rank).add(operation);
  return operation;
}

void drop_operation(const SharedOperation& operation) {
  under_way(operation->call.rank).remove(operation.get());
  for (const SharedArriving& part : operation->arriving) {
    const auto known = arriving().find(part->message.get());
    if (known != arriving().end() && known->second == part) arriving().erase(known);
    part->message = nullptr;
  }
}

void end_operation(const SharedOperation& operation, const PastCall& by) {
  bool sent = false, received = operation->result_changed, targets = false;
  for (std::size_t i = 0; i < operation->regions.size(); ++i) {
    const Region& region = operation->regions[i];
    if (region.written || hash_of(region) == operation->hashes[i]) continue;
    (region.own ? sent : targets) = true;
  }
  for (const SharedArriving& part : operation->arriving) {
    const bool comparable = part->arrived || operation->ends_early;
    const bool changed = part->changed || (comparable && hash_of(part->region) != part->hash);
    if (changed) (part->region.own ? received : targets) = true;
  }
  drop_operation(operation);
  const auto say = [&](const char* kind, const char* check, const char* text, const char* rule, const char* source) {
    report({.kind = kind,
            .check = check,
            .call = by,
            .text = text,
            .others = {{operation->call, "started here"}},
            .rule = rule,
            .source = source});
  };
  constexpr const char* kSource = "MPI 4.1, Section 3.7.2";
  if (sent) {
    say("buffer", "written-while-sent", "the program has written the buffer of an operation that was not complete",
        "a buffer is not written until its operation is complete", kSource);
  }
  if (received) {
    say("buffer", "written-while-received", "the program has written the buffer of an operation that was not complete",
        "a buffer is not accessed until its operation is complete", kSource);
  }
  if (targets) {
    say("race", "window-store", "another access has changed the memory of an operation that was not complete",
        "accesses to the same memory of a window are ordered, if one of them writes", "MPI 4.1, Section 12.7");
  }
}

void note_started_receive(int rank, const simgrid::smpi::Request& receive) {
  // Data of derived types arrive elsewhere, and are unpacked later; accumulated data are combined.
  if (receive.users_buffer() != nullptr && receive.users_buffer() != receive.buffer()) return;
  if ((receive.flags() & simgrid::smpi::Request::kAccumulate) != 0) return;
  if (receive.message() == nullptr || receive.buffer() == nullptr || receive.size() == 0) return;
  if (!noting(rank) || receive.message()->done() || is_shared(receive.buffer())) return;
  auto part = std::make_shared<Arriving>();
  part->message = const_cast<simgrid::kernel::activity::ActivityImpl*>(receive.message());
  part->region = {static_cast<const char*>(receive.buffer()), static_cast<long>(receive.size()), true,
                  receive.receiver() == rank + 1};
  started_receives(rank).push_back(std::move(part));
}

void check_buffers(const Call& call) {
  started_receives(call.rank()).clear();
  noting(call.rank()) = receives_in_place(call.function());
  if (ends_requests(call.function())) return check_results(call);
  if (call.function() == kMPI_Start) return check_start(call, *call.pointer<MPI_Request*>(Role::kRequest));
  if (call.function() == kMPI_Startall) {
    for (int i = 0; i < call.number(Role::kCount); ++i)
      check_start(call, call.pointer<MPI_Request*>(Role::kRequests)[i]);
    return;
  }
  if (call.comm() == MPI_COMM_NULL && call.win() == MPI_WIN_NULL) return;
  if (is_persistent(call.function())) return;
  const std::vector<Region> regions = regions_of(call);
  if (regions.empty()) return;
  if (call.win() == MPI_WIN_NULL) check_own_overlap(call, regions);
  for (const Region& region : regions) {
    if (const Operation* other = under_way(call.rank()).conflict(region)) return say_overlap(call, other->call);
  }
}

void end_buffers(const Call& call, MPI_Request request) {
  const auto operation = of_requests().find({call.rank(), request});
  if (operation == of_requests().end()) return;
  end_operation(operation->second, past(call));
  of_requests().erase(operation);
}

void note_buffers(const Call& call) {
  const int rank = call.rank();
  if (call.function() == kMPI_Request_free) return;
  const auto start = [&](MPI_Request request) {
    const auto regions = persistent().find({rank, request});
    if (regions != persistent().end()) begin_request(call, request, regions->second);
  };
  if (call.function() == kMPI_Start) return start(*call.pointer<MPI_Request*>(Role::kRequest));
  if (call.function() == kMPI_Startall) {
    for (int i = 0; i < call.number(Role::kCount); ++i) start(call.pointer<MPI_Request*>(Role::kRequests)[i]);
    return;
  }
  if (!call.has(Role::kRequest) || !makes_request(call.function())) return;
  const auto* const made = call.pointer<const MPI_Request*>(Role::kRequest);
  if (made == nullptr || *made == MPI_REQUEST_NULL || call.comm() == MPI_COMM_NULL) return;
  if (is_persistent(call.function())) {
    persistent()[{rank, *made}] = regions_of(call);
  } else {
    begin_request(call, *made, regions_of(call));
  }
}

void forget_buffers(int rank, MPI_Request request) {
  persistent().erase({rank, request});
  const auto operation = of_requests().find({rank, request});
  if (operation == of_requests().end()) return;
  drop_operation(operation->second);
  of_requests().erase(operation);
}

namespace {

// Just before SMPI copies the message, and after it.
SharedArriving before_arrival(const void* message) {
  if (arriving().empty()) return nullptr;
  const auto known = arriving().find(message);
  if (known == arriving().end()) return nullptr;
  SharedArriving part = known->second;
  if (!part->message->done()) return nullptr;
  part->changed = hash_of(part->region) != part->hash;
  arriving().erase(known);
  return part;
}

void after_arrival(Arriving& part) {
  part.arrived = true;
  part.hash = hash_of(part.region);
}

}  // namespace
}  // namespace strata::mpix

namespace simgrid::kernel::activity {

void CommImpl::finish() {
  static const auto next = reinterpret_cast<void (*)(CommImpl*)>(::dlsym(RTLD_NEXT, kFinish));
  const strata::mpix::SharedArriving part = strata::mpix::before_arrival(this);
  next(this);
  if (part != nullptr) strata::mpix::after_arrival(*part);
}

}  // namespace simgrid::kernel::activity
