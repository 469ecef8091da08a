// SPDX-License-Identifier: LGPL-2.1-only
#include "tests/command/scorep_writer.h"

#include <otf2/otf2.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <stdexcept>

namespace strata {
namespace {

constexpr std::uint64_t kTicksPerSecond = 1'000'000'000'000;
constexpr int kSelf = 1000;  // MPI_COMM_SELF, which Score-P also defines

OTF2_FlushType flush(void* /*user*/, OTF2_FileType /*type*/, OTF2_LocationRef /*location*/, void* /*caller*/,
                     bool /*final*/) {
  return OTF2_FLUSH;
}
constexpr OTF2_FlushCallbacks kFlush = {flush, nullptr};

void check(OTF2_ErrorCode code) {
  if (code != OTF2_SUCCESS) throw std::runtime_error(OTF2_Error_GetDescription(code));
}

OTF2_CollectiveOp operation(const std::string& name) {
  static const std::map<std::string, OTF2_CollectiveOp> kKnown = {
      {"BARRIER", OTF2_COLLECTIVE_OP_BARRIER},
      {"BCAST", OTF2_COLLECTIVE_OP_BCAST},
      {"GATHER", OTF2_COLLECTIVE_OP_GATHER},
      {"GATHERV", OTF2_COLLECTIVE_OP_GATHERV},
      {"SCATTER", OTF2_COLLECTIVE_OP_SCATTER},
      {"SCATTERV", OTF2_COLLECTIVE_OP_SCATTERV},
      {"ALLGATHER", OTF2_COLLECTIVE_OP_ALLGATHER},
      {"ALLGATHERV", OTF2_COLLECTIVE_OP_ALLGATHERV},
      {"ALLTOALL", OTF2_COLLECTIVE_OP_ALLTOALL},
      {"ALLTOALLV", OTF2_COLLECTIVE_OP_ALLTOALLV},
      {"ALLREDUCE", OTF2_COLLECTIVE_OP_ALLREDUCE},
      {"REDUCE", OTF2_COLLECTIVE_OP_REDUCE},
      {"REDUCE_SCATTER", OTF2_COLLECTIVE_OP_REDUCE_SCATTER},
      {"REDUCE_SCATTER_BLOCK", OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK},
      {"SCAN", OTF2_COLLECTIVE_OP_SCAN},
      {"EXSCAN", OTF2_COLLECTIVE_OP_EXSCAN},
      {"CREATE_HANDLE", OTF2_COLLECTIVE_OP_CREATE_HANDLE},
      {"DESTROY_HANDLE", OTF2_COLLECTIVE_OP_DESTROY_HANDLE}};
  return kKnown.at(name);
}

class Archive {
 public:
  explicit Archive(const std::filesystem::path& folder, const std::string& creator)
      : archive_(OTF2_Archive_Open(folder.c_str(), "traces", OTF2_FILEMODE_WRITE, 1 << 20, 4 << 20,
                                   OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE)) {
    if (archive_ == nullptr) throw std::runtime_error("no archive in " + folder.string());
    check(OTF2_Archive_SetFlushCallbacks(archive_, &kFlush, nullptr));
    check(OTF2_Archive_SetSerialCollectiveCallbacks(archive_));
    check(OTF2_Archive_SetCreator(archive_, creator.c_str()));
  }
  ~Archive() { OTF2_Archive_Close(archive_); }
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;

  void write_events(const std::vector<std::vector<std::string>>& ranks) {
    check(OTF2_Archive_OpenEvtFiles(archive_));
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      writer_ = OTF2_Archive_GetEvtWriter(archive_, r);
      for (const std::string& line : ranks[r]) write_event(line);
      std::uint64_t count = 0;
      check(OTF2_EvtWriter_GetNumberOfEvents(writer_, &count));
      counts_.push_back(count);
      check(OTF2_Archive_CloseEvtWriter(archive_, writer_));
    }
    check(OTF2_Archive_CloseEvtFiles(archive_));
    check(OTF2_Archive_OpenDefFiles(archive_));
    for (std::size_t r = 0; r < ranks.size(); ++r)
      check(OTF2_Archive_CloseDefWriter(archive_, OTF2_Archive_GetDefWriter(archive_, r)));
    check(OTF2_Archive_CloseDefFiles(archive_));
  }

  void write_definitions(const std::vector<std::vector<int>>& communicators) {
    definitions_ = OTF2_Archive_GetGlobalDefWriter(archive_);
    check(OTF2_GlobalDefWriter_WriteClockProperties(definitions_, kTicksPerSecond, 0, last_ + 1,
                                                    OTF2_UNDEFINED_TIMESTAMP));
    const OTF2_StringRef none = text("");
    const OTF2_StringRef machine = text("machine");
    check(OTF2_GlobalDefWriter_WriteSystemTreeNode(definitions_, 0, machine, machine, OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    for (const auto& [name, number] : regions_) {
      const OTF2_StringRef ref = text(name);
      check(OTF2_GlobalDefWriter_WriteRegion(definitions_, number, ref, ref, none, OTF2_REGION_ROLE_FUNCTION,
                                             name.starts_with("MPI_") ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_USER,
                                             OTF2_REGION_FLAG_NONE, none, 0, 0));
    }
    std::vector<std::uint64_t> locations;
    for (std::size_t r = 0; r < counts_.size(); ++r) {
      const OTF2_StringRef name = text("rank " + std::to_string(r));
      check(OTF2_GlobalDefWriter_WriteLocationGroup(definitions_, static_cast<OTF2_LocationGroupRef>(r), name,
                                                    OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                    OTF2_UNDEFINED_LOCATION_GROUP));
      check(OTF2_GlobalDefWriter_WriteLocation(definitions_, r, name, OTF2_LOCATION_TYPE_CPU_THREAD, counts_[r],
                                               static_cast<OTF2_LocationGroupRef>(r)));
      locations.push_back(r);
    }
    write_group(0, OTF2_GROUP_TYPE_COMM_LOCATIONS, locations);
    for (std::size_t c = 0; c < communicators.size(); ++c) {
      const auto number = static_cast<OTF2_CommRef>(c);
      write_group(number + 1, OTF2_GROUP_TYPE_COMM_GROUP, {communicators[c].begin(), communicators[c].end()});
      check(OTF2_GlobalDefWriter_WriteComm(definitions_, number, none, number + 1, OTF2_UNDEFINED_COMM,
                                           OTF2_COMM_FLAG_NONE));
    }
    write_group(kSelf, OTF2_GROUP_TYPE_COMM_SELF, {});
    check(OTF2_GlobalDefWriter_WriteComm(definitions_, kSelf, none, kSelf, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
    check(OTF2_Archive_CloseGlobalDefWriter(archive_, definitions_));
  }

 private:
  void write_group(OTF2_GroupRef self, OTF2_GroupType type, const std::vector<std::uint64_t>& members) {
    const OTF2_StringRef none = text("");
    check(OTF2_GlobalDefWriter_WriteGroup(definitions_, self, none, type, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
                                          static_cast<std::uint32_t>(members.size()), members.data()));
  }

  OTF2_StringRef text(const std::string& text) {
    const auto [at, added] = texts_.try_emplace(text, static_cast<OTF2_StringRef>(texts_.size()));
    if (added) check(OTF2_GlobalDefWriter_WriteString(definitions_, at->second, text.c_str()));
    return at->second;
  }

  void write_event(const std::string& line) {
    std::istringstream words(line);
    std::string kind;
    double seconds = 0;
    words >> kind >> seconds;
    const auto time = static_cast<OTF2_TimeStamp>(std::llround(seconds * static_cast<double>(kTicksPerSecond)));
    last_ = std::max(last_, time);
    if (kind == "enter") {
      std::string name;
      words >> name;
      open_.push_back(regions_.try_emplace(name, static_cast<OTF2_RegionRef>(regions_.size())).first->second);
      return check(OTF2_EvtWriter_Enter(writer_, nullptr, time, open_.back()));
    }
    if (kind == "leave") {
      if (open_.empty()) throw std::runtime_error("a leave without its enter: " + line);
      const OTF2_RegionRef region = open_.back();
      open_.pop_back();
      return check(OTF2_EvtWriter_Leave(writer_, nullptr, time, region));
    }
    if (kind == "put") return check(OTF2_EvtWriter_RmaPut(writer_, nullptr, time, 0, 0, 8, 0));
    std::string name;
    if (kind == "collective" || kind == "collective-complete") words >> name;
    std::vector<long> n;
    for (long number = 0; words >> number;) n.push_back(number);
    const auto small = [&](std::size_t i) { return static_cast<std::uint32_t>(n.at(i)); };
    const auto large = [&](std::size_t i) { return static_cast<std::uint64_t>(n.at(i)); };
    if (kind == "send") {
      check(OTF2_EvtWriter_MpiSend(writer_, nullptr, time, small(0), small(1), small(2), large(3)));
    } else if (kind == "recv") {
      check(OTF2_EvtWriter_MpiRecv(writer_, nullptr, time, small(0), small(1), small(2), large(3)));
    } else if (kind == "isend") {
      check(OTF2_EvtWriter_MpiIsend(writer_, nullptr, time, small(0), small(1), small(2), large(3), large(4)));
    } else if (kind == "irecv") {
      check(OTF2_EvtWriter_MpiIrecv(writer_, nullptr, time, small(0), small(1), small(2), large(3), large(4)));
    } else if (kind == "isend-complete") {
      check(OTF2_EvtWriter_MpiIsendComplete(writer_, nullptr, time, large(0)));
    } else if (kind == "irecv-request") {
      check(OTF2_EvtWriter_MpiIrecvRequest(writer_, nullptr, time, large(0)));
    } else if (kind == "cancelled") {
      check(OTF2_EvtWriter_MpiRequestCancelled(writer_, nullptr, time, large(0)));
    } else if (kind == "collective") {
      check(OTF2_EvtWriter_MpiCollectiveBegin(writer_, nullptr, time));
      check(OTF2_EvtWriter_MpiCollectiveEnd(writer_, nullptr, time, operation(name), small(0), small(1), large(2),
                                            large(3)));
    } else if (kind == "collective-request") {
      check(OTF2_EvtWriter_NonBlockingCollectiveRequest(writer_, nullptr, time, large(0)));
    } else if (kind == "collective-complete") {
      check(OTF2_EvtWriter_NonBlockingCollectiveComplete(writer_, nullptr, time, operation(name), small(0), small(1),
                                                         large(2), large(3), large(4)));
    } else {
      throw std::runtime_error("no such event: " + line);
    }
  }

  OTF2_Archive* archive_;
  OTF2_EvtWriter* writer_ = nullptr;
  OTF2_GlobalDefWriter* definitions_ = nullptr;
  OTF2_TimeStamp last_ = 0;
  std::vector<OTF2_RegionRef> open_;
  std::vector<std::uint64_t> counts_;
  std::map<std::string, OTF2_RegionRef> regions_;
  std::map<std::string, OTF2_StringRef> texts_;
};

}  // namespace

void write_archive(const std::vector<std::vector<std::string>>& events,
                   const std::vector<std::vector<int>>& communicators, const std::string& creator,
                   const std::filesystem::path& folder) {
  Archive archive(folder, creator);
  archive.write_events(events);
  archive.write_definitions(communicators);
}

}  // namespace strata
