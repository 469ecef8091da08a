// SPDX-License-Identifier: LGPL-2.1-only
#include "records/foreign/otf2_archive.h"

#include <fmt/format.h>
#include <otf2/otf2.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <limits>
#include <memory>
#include <utility>

#include "base/error.h"
#include "records/foreign/collective_sizes.h"
#include "records/foreign/message_matching.h"
#include "records/foreign/otf2_definitions.h"
#include "records/foreign/rank_calls.h"
#include "records/otf2_errors.h"

namespace strata {
namespace {

namespace fs = std::filesystem;

// The state of reading one rank's events.
struct Reading {
  const Otf2Definitions& definitions;
  const Otf2Communicators& communicators;
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
    if (number == Otf2Communicators::kSelf)
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

// Exceptions must not propagate through the library.
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

// Calls handle(collective, communicator, root) if the collective communicates.
template <class Handle>
void collective_of(const Reading& r, OTF2_CollectiveOp operation, OTF2_CommRef communicator, std::uint32_t root,
                   std::uint64_t sent, std::uint64_t received, const Handle& handle) {
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
  if (known == kKnown.end()) return;  // it frees an object
  const int number = r.communicators.number(communicator);
  if (number == Otf2Communicators::kSelf) return;
  constexpr std::uint64_t kMost = std::uint64_t{1} << 50;  // B; sums over all ranks must fit into 64 bits
  if (sent > kMost || received > kMost)
    throw InputError(r.archive, fmt::format("a collective call sends {} B and receives {} B", sent, received),
                     "the archive is damaged");
  handle(known->second, number, root >= OTF2_COLLECTIVE_ROOT_THIS_GROUP ? 0 : static_cast<int>(root));
}
OTF2_CallbackCode collective(Place, Time, Position, void* user, Attributes*, OTF2_CollectiveOp operation,
                             OTF2_CommRef communicator, std::uint32_t root, std::uint64_t sent,
                             std::uint64_t received) {
  return take(user, [&](Reading& r) {
    collective_of(r, operation, communicator, root, sent, received, [&](Collective collective, int number, int of) {
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
    collective_of(r, operation, communicator, root, sent, received, [&](Collective collective, int number, int of) {
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

  Otf2Definitions definitions() {
    Otf2Definitions all;
    const std::unique_ptr<OTF2_GlobalDefReaderCallbacks, DeleteDefinitions> to(OTF2_GlobalDefReaderCallbacks_New());
    take_definitions(to.get());
    OTF2_GlobalDefReader* global = OTF2_Reader_GetGlobalDefReader(reader_.get());
    if (global == nullptr) fail();
    check(OTF2_Reader_RegisterGlobalDefCallbacks(reader_.get(), global, to.get(), &all));
    std::uint64_t read = 0;
    check(OTF2_Reader_ReadAllGlobalDefinitions(reader_.get(), global, &read));
    check(OTF2_Reader_CloseGlobalDefReader(reader_.get(), global));
    return all;
  }

  /// Call this before reading events. Opens the files, and reads how each location maps its local numbers to global
  /// ones.
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
    throw InputError(shown, "it was written by strata replay timeline, with messages but without the calls' requests",
                     "replay the recording of strata exec --record");
  const Otf2Definitions definitions = archive.definitions();
  if (definitions.locations.empty()) throw InputError(shown, "it has no ranks of MPI", "trace a program of MPI");
  summary.ranks = static_cast<int>(definitions.locations.size());
  CommonCalls common;
  const Otf2Communicators communicators(definitions, common, shown);
  std::vector<RankCalls> ranks(definitions.locations.size());
  archive.open(definitions.locations);
  long abandoned = 0;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    Reading reading{definitions, communicators, shown, ranks[r]};
    archive.read(definitions.locations[r], reading);
    if (!ranks[r].fault.empty())
      throw InputError(shown, fmt::format("rank {} {}", r, ranks[r].fault), "the archive is damaged");
    ranks[r].end();
    for (const auto& [function, count] : ranks[r].doubts) summary.doubts[function] += count;
    summary.seconds = std::max(summary.seconds, ranks[r].seconds);
    abandoned += ranks[r].abandoned;
    for (const Call& c : ranks[r].calls) common.buffer = std::max(common.buffer, c.bytes);
  }
  if (abandoned > 0)
    summary.notes.push_back(fmt::format("{} requests that were never completed are left out", abandoned));
  match_messages(ranks, common, shown, summary.notes);
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
