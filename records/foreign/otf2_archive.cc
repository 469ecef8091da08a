// SPDX-License-Identifier: LGPL-2.1-only
#include "records/foreign/otf2_archive.h"

#include <fmt/format.h>
#include <otf2/otf2.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>

#include "platforms/error.h"
#include "records/foreign/collective_sizes.h"
#include "records/foreign/rank_calls.h"
#include "records/otf2_errors.h"

namespace strata {
namespace {

namespace fs = std::filesystem;

constexpr const char* kWholeArchive = "give the traces.otf2 of a whole archive, with its other files beside it";

struct Group {
  OTF2_GroupType type = OTF2_GROUP_TYPE_UNKNOWN;
  std::vector<std::uint64_t> members = {};
};

// The definitions that all ranks share.
struct Definitions {
  std::uint64_t ticks_per_second = 1;
  std::map<OTF2_StringRef, std::string> strings = {};
  struct Region {
    OTF2_StringRef name;
    OTF2_Paradigm paradigm;
  };
  std::map<OTF2_RegionRef, Region> regions = {};
  std::map<OTF2_GroupRef, Group> groups = {};
  std::map<OTF2_CommRef, OTF2_GroupRef> communicators = {};
  std::map<OTF2_CommRef, bool> between = {};  // inter-communicators
  std::vector<std::uint64_t> locations = {};  // of MPI, by rank
};

OTF2_CallbackCode clock(void* user, std::uint64_t ticks, std::uint64_t /*offset*/, std::uint64_t /*length*/,
                        std::uint64_t /*realtime*/) {
  static_cast<Definitions*>(user)->ticks_per_second = std::max<std::uint64_t>(ticks, 1);
  return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode string(void* user, OTF2_StringRef self, const char* text) {
  static_cast<Definitions*>(user)->strings[self] = text;
  return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode region(void* user, OTF2_RegionRef self, OTF2_StringRef name, OTF2_StringRef /*canonical*/,
                         OTF2_StringRef /*description*/, OTF2_RegionRole /*role*/, OTF2_Paradigm paradigm,
                         OTF2_RegionFlag /*flags*/, OTF2_StringRef /*file*/, std::uint32_t /*begin*/,
                         std::uint32_t /*end*/) {
  static_cast<Definitions*>(user)->regions[self] = {name, paradigm};
  return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode group(void* user, OTF2_GroupRef self, OTF2_StringRef /*name*/, OTF2_GroupType type,
                        OTF2_Paradigm paradigm, OTF2_GroupFlag /*flags*/, std::uint32_t count,
                        const std::uint64_t* members) {
  if (paradigm != OTF2_PARADIGM_MPI) return OTF2_CALLBACK_SUCCESS;
  auto& all = *static_cast<Definitions*>(user);
  all.groups[self] = {type, {members, members + count}};
  if (type == OTF2_GROUP_TYPE_COMM_LOCATIONS) all.locations = all.groups[self].members;
  return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode communicator(void* user, OTF2_CommRef self, OTF2_StringRef /*name*/, OTF2_GroupRef group,
                               OTF2_CommRef /*parent*/, OTF2_CommFlag /*flags*/) {
  static_cast<Definitions*>(user)->communicators[self] = group;
  return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode inter_communicator(void* user, OTF2_CommRef self, OTF2_StringRef /*name*/, OTF2_GroupRef /*a*/,
                                     OTF2_GroupRef /*b*/, OTF2_CommRef /*common*/, OTF2_CommFlag /*flags*/) {
  static_cast<Definitions*>(user)->between[self] = true;
  return OTF2_CALLBACK_SUCCESS;
}

// The communicators: 0 is all ranks, the others are numbered as they are defined.
class Communicators {
 public:
  Communicators(const Definitions& definitions, CommonCalls& common, const std::string& archive)
      : definitions_(definitions), common_(common), archive_(archive) {
    std::vector<int> world(definitions.locations.size());
    std::iota(world.begin(), world.end(), 0);
    common_.communicators.push_back(std::move(world));
    for (const auto& [self, group] : definitions.communicators) {
      if (definitions.groups.contains(group)) numbers_[self] = add(definitions.groups.at(group));
    }
  }

  static constexpr int kSelf = -1;

  /// Its number; kSelf for one that has this rank alone.
  int number(OTF2_CommRef self) const {
    if (const auto known = numbers_.find(self); known != numbers_.end()) return known->second;
    if (definitions_.between.contains(self))
      throw InputError(archive_, "it has an inter-communicator", "archives with those cannot be replayed");
    throw InputError(archive_, fmt::format("communicator {} is not defined", self), kWholeArchive);
  }

 private:
  int add(const Group& group) {
    if (group.type == OTF2_GROUP_TYPE_COMM_SELF || group.members.size() == 1) return kSelf;
    std::vector<int> ranks;
    for (const std::uint64_t member : group.members) {
      if (member >= definitions_.locations.size() && group.type == OTF2_GROUP_TYPE_COMM_GROUP)
        throw InputError(archive_,
                         fmt::format("a communicator has rank {} of {}", member, definitions_.locations.size()),
                         kWholeArchive);
      ranks.push_back(group.type == OTF2_GROUP_TYPE_COMM_GROUP ? static_cast<int>(member)
                                                               : static_cast<int>(ranks.size()));
    }
    // The first with all ranks is MPI_COMM_WORLD, the others are its copies.
    if (!named_world_ && ranks == common_.communicators.front()) {
      named_world_ = true;
      return 0;
    }
    common_.communicators.push_back(std::move(ranks));
    return static_cast<int>(common_.communicators.size()) - 1;
  }

  const Definitions& definitions_;
  CommonCalls& common_;
  const std::string& archive_;
  std::map<OTF2_CommRef, int> numbers_;
  bool named_world_ = false;
};

// One rank's events on their way to its calls.
struct Reading {
  const Definitions& definitions;
  const Communicators& communicators;
  const std::string& archive;
  RankCalls& calls;
  std::string shown = {};
  std::exception_ptr failure = nullptr;

  double seconds(OTF2_TimeStamp time) const {
    return static_cast<double>(time) / static_cast<double>(definitions.ticks_per_second);
  }
  std::string name(OTF2_RegionRef region) const {
    const auto found = definitions.regions.find(region);
    if (found == definitions.regions.end()) return "";
    const auto name = definitions.strings.find(found->second.name);
    return name == definitions.strings.end() ? "" : name->second;
  }
  RankCalls::Region kind(OTF2_RegionRef region) const {
    const auto found = definitions.regions.find(region);
    if (found == definitions.regions.end()) return RankCalls::Region::kProgram;
    if (found->second.paradigm == OTF2_PARADIGM_MPI) return RankCalls::Region::kMpi;
    return found->second.paradigm == OTF2_PARADIGM_MEASUREMENT_SYSTEM ? RankCalls::Region::kMeasurement
                                                                      : RankCalls::Region::kProgram;
  }
  RankCalls::Message message(std::uint32_t peer, OTF2_CommRef communicator, std::uint32_t tag,
                             std::uint64_t bytes) const {
    const int number = communicators.number(communicator);
    if (number == Communicators::kSelf)
      throw InputError(archive, "a rank sends to itself on a communicator of its own", "that cannot be replayed");
    if (bytes > static_cast<std::uint64_t>(std::numeric_limits<int>::max()))
      throw InputError(archive, fmt::format("a message has {} B", bytes),
                       fmt::format("replayed calls count up to {} B", std::numeric_limits<int>::max()));
    return {static_cast<int>(peer), number, static_cast<int>(tag), static_cast<long>(bytes)};
  }
};

using Time = OTF2_TimeStamp;
using Place = OTF2_LocationRef;
using Attributes = OTF2_AttributeList;
using Position = std::uint64_t;

// An exception must not pass through the library.
template <class Do>
OTF2_CallbackCode take(void* user, const Do& action) {
  auto& reading = *static_cast<Reading*>(user);
  try {
    action(reading);
    return OTF2_CALLBACK_SUCCESS;
  } catch (...) {
    reading.failure = std::current_exception();
    return OTF2_CALLBACK_INTERRUPT;
  }
}

OTF2_CallbackCode enter(Place, Time time, Position, void* user, Attributes*, OTF2_RegionRef region) {
  return take(user, [&](Reading& r) { r.calls.enter(r.seconds(time), r.kind(region), r.name(region)); });
}
OTF2_CallbackCode leave(Place, Time time, Position, void* user, Attributes*, OTF2_RegionRef) {
  return take(user, [&](Reading& r) { r.calls.leave(r.seconds(time)); });
}
OTF2_CallbackCode send(Place, Time, Position, void* user, Attributes*, std::uint32_t receiver,
                       OTF2_CommRef communicator, std::uint32_t tag, std::uint64_t bytes) {
  return take(user, [&](Reading& r) { r.calls.sent(r.message(receiver, communicator, tag, bytes)); });
}
OTF2_CallbackCode receive(Place, Time, Position, void* user, Attributes*, std::uint32_t sender,
                          OTF2_CommRef communicator, std::uint32_t tag, std::uint64_t bytes) {
  return take(user, [&](Reading& r) { r.calls.received(r.message(sender, communicator, tag, bytes)); });
}
OTF2_CallbackCode isend(Place, Time, Position, void* user, Attributes*, std::uint32_t receiver,
                        OTF2_CommRef communicator, std::uint32_t tag, std::uint64_t bytes, std::uint64_t request) {
  return take(user, [&](Reading& r) { r.calls.send_started(r.message(receiver, communicator, tag, bytes), request); });
}
OTF2_CallbackCode isend_complete(Place, Time, Position, void* user, Attributes*, std::uint64_t request) {
  return take(user, [&](Reading& r) { r.calls.send_completed(request); });
}
OTF2_CallbackCode irecv_request(Place, Time, Position, void* user, Attributes*, std::uint64_t request) {
  return take(user, [&](Reading& r) { r.calls.receive_started(request); });
}
OTF2_CallbackCode irecv(Place, Time, Position, void* user, Attributes*, std::uint32_t sender, OTF2_CommRef communicator,
                        std::uint32_t tag, std::uint64_t bytes, std::uint64_t request) {
  return take(user,
              [&](Reading& r) { r.calls.receive_completed(r.message(sender, communicator, tag, bytes), request); });
}
OTF2_CallbackCode cancelled(Place, Time, Position, void* user, Attributes*, std::uint64_t request) {
  return take(user, [&](Reading& r) { r.calls.cancelled(request); });
}

// Calls handle(collective, communicator, root) for what is communication.
template <class Handle>
void collective_of(const Reading& r, OTF2_CollectiveOp operation, OTF2_CommRef communicator, std::uint32_t root,
                   const Handle& handle) {
  static const std::map<OTF2_CollectiveOp, Collective> kKnown = {
      {OTF2_COLLECTIVE_OP_BARRIER, Collective::kBarrier},
      {OTF2_COLLECTIVE_OP_BCAST, Collective::kBcast},
      {OTF2_COLLECTIVE_OP_GATHER, Collective::kGather},
      {OTF2_COLLECTIVE_OP_GATHERV, Collective::kGatherv},
      {OTF2_COLLECTIVE_OP_SCATTER, Collective::kScatter},
      {OTF2_COLLECTIVE_OP_SCATTERV, Collective::kScatterv},
      {OTF2_COLLECTIVE_OP_ALLGATHER, Collective::kAllgather},
      {OTF2_COLLECTIVE_OP_ALLGATHERV, Collective::kAllgatherv},
      {OTF2_COLLECTIVE_OP_ALLTOALL, Collective::kAlltoall},
      {OTF2_COLLECTIVE_OP_ALLTOALLV, Collective::kAlltoallv},
      {OTF2_COLLECTIVE_OP_ALLTOALLW, Collective::kAlltoallv},
      {OTF2_COLLECTIVE_OP_ALLREDUCE, Collective::kAllreduce},
      {OTF2_COLLECTIVE_OP_REDUCE, Collective::kReduce},
      {OTF2_COLLECTIVE_OP_REDUCE_SCATTER, Collective::kReduceScatter},
      {OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK, Collective::kReduceScatterBlock},
      {OTF2_COLLECTIVE_OP_SCAN, Collective::kScan},
      {OTF2_COLLECTIVE_OP_EXSCAN, Collective::kExscan},
      {OTF2_COLLECTIVE_OP_CREATE_HANDLE, Collective::kBarrier},
      {OTF2_COLLECTIVE_OP_CREATE_HANDLE_AND_ALLOCATE, Collective::kBarrier}};
  const auto known = kKnown.find(operation);
  if (known == kKnown.end()) return;  // something is freed
  const int number = r.communicators.number(communicator);
  if (number == Communicators::kSelf) return;
  handle(known->second, number, root >= OTF2_COLLECTIVE_ROOT_THIS_GROUP ? 0 : static_cast<int>(root));
}
OTF2_CallbackCode collective(Place, Time, Position, void* user, Attributes*, OTF2_CollectiveOp operation,
                             OTF2_CommRef communicator, std::uint32_t root, std::uint64_t sent,
                             std::uint64_t received) {
  return take(user, [&](Reading& r) {
    collective_of(r, operation, communicator, root, [&](Collective collective, int number, int of) {
      r.calls.collective(collective, number, of, {static_cast<long>(sent), static_cast<long>(received)});
    });
  });
}
OTF2_CallbackCode collective_request(Place, Time, Position, void* user, Attributes*, std::uint64_t request) {
  return take(user, [&](Reading& r) { r.calls.collective_started(request); });
}
OTF2_CallbackCode collective_complete(Place, Time, Position, void* user, Attributes*, OTF2_CollectiveOp operation,
                                      OTF2_CommRef communicator, std::uint32_t root, std::uint64_t sent,
                                      std::uint64_t received, std::uint64_t request) {
  return take(user, [&](Reading& r) {
    bool communicates = false;
    collective_of(r, operation, communicator, root, [&](Collective collective, int number, int of) {
      communicates = true;
      r.calls.collective_completed(collective, number, of, {static_cast<long>(sent), static_cast<long>(received)},
                                   request);
    });
    if (!communicates) r.calls.cancelled(request);
  });
}

OTF2_CallbackCode one_sided(void* user) {
  return take(user, [](Reading& r) {
    throw InputError(r.archive, "the program uses one-sided communication, which is not taken from archives of OTF2",
                     "record it with strata exec --record");
  });
}
OTF2_CallbackCode put_or_get(Place, Time, Position, void* user, Attributes*, OTF2_RmaWinRef, std::uint32_t,
                             std::uint64_t, std::uint64_t) {
  return one_sided(user);
}
OTF2_CallbackCode atomic(Place, Time, Position, void* user, Attributes*, OTF2_RmaWinRef, std::uint32_t,
                         OTF2_RmaAtomicType, std::uint64_t, std::uint64_t, std::uint64_t) {
  return one_sided(user);
}

struct CloseReader {
  void operator()(OTF2_Reader* reader) const { OTF2_Reader_Close(reader); }
};
struct DeleteEvents {
  void operator()(OTF2_EvtReaderCallbacks* callbacks) const { OTF2_EvtReaderCallbacks_Delete(callbacks); }
};
struct DeleteDefinitions {
  void operator()(OTF2_GlobalDefReaderCallbacks* callbacks) const { OTF2_GlobalDefReaderCallbacks_Delete(callbacks); }
};

class Archive {
 public:
  explicit Archive(const fs::path& anchor) : shown_(anchor.string()), reader_(OTF2_Reader_Open(anchor.c_str())) {
    if (reader_ == nullptr) fail();
    check(OTF2_Reader_SetSerialCollectiveCallbacks(reader_.get()));
  }

  std::string creator() {
    char* text = nullptr;
    check(OTF2_Reader_GetCreator(reader_.get(), &text));
    std::string creator = text == nullptr ? "" : text;
    std::free(text);
    return creator;
  }

  Definitions definitions() {
    Definitions all;
    const std::unique_ptr<OTF2_GlobalDefReaderCallbacks, DeleteDefinitions> to(OTF2_GlobalDefReaderCallbacks_New());
    OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(to.get(), clock);
    OTF2_GlobalDefReaderCallbacks_SetStringCallback(to.get(), string);
    OTF2_GlobalDefReaderCallbacks_SetRegionCallback(to.get(), region);
    OTF2_GlobalDefReaderCallbacks_SetGroupCallback(to.get(), group);
    OTF2_GlobalDefReaderCallbacks_SetCommCallback(to.get(), communicator);
    OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(to.get(), inter_communicator);
    OTF2_GlobalDefReader* global = OTF2_Reader_GetGlobalDefReader(reader_.get());
    if (global == nullptr) fail();
    check(OTF2_Reader_RegisterGlobalDefCallbacks(reader_.get(), global, to.get(), &all));
    std::uint64_t read = 0;
    check(OTF2_Reader_ReadAllGlobalDefinitions(reader_.get(), global, &read));
    check(OTF2_Reader_CloseGlobalDefReader(reader_.get(), global));
    return all;
  }

  /// Before the events: opens the files, and learns how each location's own numbers are those of all.
  void open(const std::vector<std::uint64_t>& locations) {
    for (const std::uint64_t location : locations) check(OTF2_Reader_SelectLocation(reader_.get(), location));
    if (OTF2_Reader_OpenDefFiles(reader_.get()) == OTF2_SUCCESS) {
      for (const std::uint64_t location : locations) {
        OTF2_DefReader* own = OTF2_Reader_GetDefReader(reader_.get(), location);
        if (own == nullptr) fail();
        std::uint64_t read = 0;
        check(OTF2_Reader_ReadAllLocalDefinitions(reader_.get(), own, &read));
        check(OTF2_Reader_CloseDefReader(reader_.get(), own));
      }
      check(OTF2_Reader_CloseDefFiles(reader_.get()));
    }
    check(OTF2_Reader_OpenEvtFiles(reader_.get()));
  }

  /// Reads the events of one location.
  void read(std::uint64_t location, Reading& reading) {
    const std::unique_ptr<OTF2_EvtReaderCallbacks, DeleteEvents> to(OTF2_EvtReaderCallbacks_New());
    OTF2_EvtReaderCallbacks_SetEnterCallback(to.get(), enter);
    OTF2_EvtReaderCallbacks_SetLeaveCallback(to.get(), leave);
    OTF2_EvtReaderCallbacks_SetMpiSendCallback(to.get(), send);
    OTF2_EvtReaderCallbacks_SetMpiRecvCallback(to.get(), receive);
    OTF2_EvtReaderCallbacks_SetMpiIsendCallback(to.get(), isend);
    OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(to.get(), isend_complete);
    OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(to.get(), irecv_request);
    OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(to.get(), irecv);
    OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(to.get(), cancelled);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(to.get(), collective);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(to.get(), collective_request);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(to.get(), collective_complete);
    OTF2_EvtReaderCallbacks_SetRmaPutCallback(to.get(), put_or_get);
    OTF2_EvtReaderCallbacks_SetRmaGetCallback(to.get(), put_or_get);
    OTF2_EvtReaderCallbacks_SetRmaAtomicCallback(to.get(), atomic);
    OTF2_EvtReader* events = OTF2_Reader_GetEvtReader(reader_.get(), location);
    if (events == nullptr) fail();
    check(OTF2_Reader_RegisterEvtCallbacks(reader_.get(), events, to.get(), &reading));
    std::uint64_t read = 0;
    const OTF2_ErrorCode code = OTF2_Reader_ReadAllLocalEvents(reader_.get(), events, &read);
    if (reading.failure != nullptr) std::rethrow_exception(reading.failure);
    check(code);
    check(OTF2_Reader_CloseEvtReader(reader_.get(), events));
  }

 private:
  [[noreturn]] void fail() const {
    const OTF2_ErrorCode first = errors_.first();
    throw InputError(shown_,
                     fmt::format("cannot be read as an archive of OTF2: {}",
                                 first == OTF2_SUCCESS ? "it is damaged" : OTF2_Error_GetDescription(first)),
                     kWholeArchive);
  }
  void check(OTF2_ErrorCode code) const {
    if (code != OTF2_SUCCESS) fail();
  }

  std::string shown_;
  Otf2Errors errors_;
  std::unique_ptr<OTF2_Reader, CloseReader> reader_;
};

}  // namespace

bool is_otf2(const std::string& bytes) { return bytes.find("OTF2", 0) == 2; }

Otf2Summary write_calls_of(const fs::path& anchor, const fs::path& folder) {
  const std::string shown = anchor.string();
  Archive archive(anchor);
  Otf2Summary summary{.creator = archive.creator()};
  if (summary.creator.starts_with("Strata"))
    throw InputError(shown, "it was written by strata timeline, with messages but without the calls' requests",
                     "replay the recording of strata exec --record");
  const Definitions definitions = archive.definitions();
  if (definitions.locations.empty()) throw InputError(shown, "it has no ranks of MPI", "trace a program of MPI");
  summary.ranks = static_cast<int>(definitions.locations.size());
  CommonCalls common;
  const Communicators communicators(definitions, common, shown);
  std::vector<RankCalls> ranks(definitions.locations.size());
  archive.open(definitions.locations);
  long abandoned = 0;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    Reading reading{definitions, communicators, shown, ranks[r]};
    archive.read(definitions.locations[r], reading);
    ranks[r].end();
    for (const auto& [function, count] : ranks[r].doubts) summary.doubts[function] += count;
    summary.seconds = std::max(summary.seconds, ranks[r].seconds);
    abandoned += ranks[r].abandoned;
    for (const Call& c : ranks[r].calls) common.buffer = std::max(common.buffer, c.bytes);
  }
  if (abandoned > 0)
    summary.notes.push_back(fmt::format("{} requests that were never completed are left out", abandoned));
  resolve_collectives(ranks, common, shown);
  const auto used = [&](Collective collective) {
    return std::any_of(ranks.begin(), ranks.end(), [&](const RankCalls& r) {
      return std::any_of(r.calls.begin(), r.calls.end(), [&](const Call& c) {
        return (c.kind == Call::Kind::kCollective || c.kind == Call::Kind::kICollective) && c.collective == collective;
      });
    });
  };
  if (used(Collective::kAlltoallv))
    summary.notes.push_back(
        "MPI_Alltoallv: an archive has each rank's total, which is dealt out in proportion to what the others receive");
  write_common(common, folder);
  for (std::size_t r = 0; r < ranks.size(); ++r) write_calls(ranks[r].calls, static_cast<int>(r), folder);
  return summary;
}

}  // namespace strata
