// SPDX-License-Identifier: LGPL-2.1-only
#include "records/timeline/otf2_writer.h"

#include <fmt/format.h>
#include <otf2/otf2.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/fnv.h"
#include "base/output_error.h"
#include "records/otf2_errors.h"

namespace strata {
namespace {

namespace fs = std::filesystem;
using State = RankState::Kind;

constexpr const char* kName = "traces";
constexpr const char* kAnchor = "traces.otf2";
constexpr std::uint64_t kTicksPerSecond = 1'000'000'000'000;

// Limits for a group of ranks that are written at the same time: fewer files than the usual limit of 1,024 open files
// for a process, and this much memory for buffers. A rank needs a chunk, and up to 4 MiB for file contents that are not
// written yet.
constexpr size_t kMostFiles = 256;
constexpr std::uint64_t kMostBuffers = 256 << 20, kFileBuffer = 4 << 20;
constexpr std::uint64_t kBytesOfEvent = 40;  // the maximum: time, kind, fields, attribute
// OTF2 accepts 256 KiB to 16 MiB. Each definition must fit; the longest lists all ranks, with 10 B each.
constexpr std::uint64_t kEventChunk = 256 << 10, kLeastDefinitions = 256 << 10, kMostDefinitions = 16 << 20;
constexpr std::uint64_t kDefinitionPerRank = 16;
// After a failed flush, closing the writer tries again, which appends a byte or two.
constexpr std::uint64_t kSlack = 64;

constexpr OTF2_CommRef kComm = 0;
constexpr OTF2_AttributeRef kWaitsFor = 0;

OTF2_TimeStamp ticks(double seconds) {
  return static_cast<OTF2_TimeStamp>(std::llround(seconds * static_cast<double>(kTicksPerSecond)));
}

// --- the library's callbacks ---

OTF2_FlushType flush(void* /*user*/, OTF2_FileType /*type*/, OTF2_LocationRef /*location*/, void* /*caller*/,
                     bool /*final*/) {
  return OTF2_FLUSH;
}
constexpr OTF2_FlushCallbacks kFlush = {flush, nullptr};

// One chunk for each buffer, which is written to the file when it is full. OTF2's default is up to 128 MiB.
void* allocate(void* /*user*/, OTF2_FileType /*type*/, OTF2_LocationRef /*location*/, void** of_buffer,
               std::uint64_t size) {
  if (*of_buffer != nullptr) return nullptr;
  return *of_buffer = std::malloc(size + kSlack);
}
void free_all(void* /*user*/, OTF2_FileType /*type*/, OTF2_LocationRef /*location*/, void** of_buffer, bool /*final*/) {
  std::free(*of_buffer);
  *of_buffer = nullptr;
}
constexpr OTF2_MemoryCallbacks kMemory = {allocate, free_all};

// --- names ---

OTF2_RegionRole role_of(std::string_view function) {
  static const std::map<std::string_view, OTF2_RegionRole> kRoles = {
      {"MPI_Allgather", OTF2_REGION_ROLE_COLL_ALL2ALL},
      {"MPI_Allgatherv", OTF2_REGION_ROLE_COLL_ALL2ALL},
      {"MPI_Allreduce", OTF2_REGION_ROLE_COLL_ALL2ALL},
      {"MPI_Alltoall", OTF2_REGION_ROLE_COLL_ALL2ALL},
      {"MPI_Alltoallv", OTF2_REGION_ROLE_COLL_ALL2ALL},
      {"MPI_Alltoallw", OTF2_REGION_ROLE_COLL_ALL2ALL},
      {"MPI_Barrier", OTF2_REGION_ROLE_BARRIER},
      {"MPI_Bcast", OTF2_REGION_ROLE_COLL_ONE2ALL},
      {"MPI_Bsend", OTF2_REGION_ROLE_POINT2POINT},
      {"MPI_Exscan", OTF2_REGION_ROLE_COLL_OTHER},
      {"MPI_Gather", OTF2_REGION_ROLE_COLL_ALL2ONE},
      {"MPI_Gatherv", OTF2_REGION_ROLE_COLL_ALL2ONE},
      {"MPI_Irecv", OTF2_REGION_ROLE_POINT2POINT},
      {"MPI_Isend", OTF2_REGION_ROLE_POINT2POINT},
      {"MPI_Issend", OTF2_REGION_ROLE_POINT2POINT},
      {"MPI_Recv", OTF2_REGION_ROLE_POINT2POINT},
      {"MPI_Reduce", OTF2_REGION_ROLE_COLL_ALL2ONE},
      {"MPI_Reduce_scatter", OTF2_REGION_ROLE_COLL_ALL2ALL},
      {"MPI_Reduce_scatter_block", OTF2_REGION_ROLE_COLL_ALL2ALL},
      {"MPI_Rsend", OTF2_REGION_ROLE_POINT2POINT},
      {"MPI_Scan", OTF2_REGION_ROLE_COLL_OTHER},
      {"MPI_Scatter", OTF2_REGION_ROLE_COLL_ONE2ALL},
      {"MPI_Scatterv", OTF2_REGION_ROLE_COLL_ONE2ALL},
      {"MPI_Send", OTF2_REGION_ROLE_POINT2POINT},
      {"MPI_Sendrecv", OTF2_REGION_ROLE_POINT2POINT},
      {"MPI_Sendrecv_replace", OTF2_REGION_ROLE_POINT2POINT},
      {"MPI_Ssend", OTF2_REGION_ROLE_POINT2POINT},
      {"MPI_Wait", OTF2_REGION_ROLE_POINT2POINT},
      {"MPI_Waitall", OTF2_REGION_ROLE_POINT2POINT},
      {"MPI_Waitany", OTF2_REGION_ROLE_POINT2POINT},
      {"MPI_Waitsome", OTF2_REGION_ROLE_POINT2POINT}};
  const auto known = kRoles.find(function);
  return known == kRoles.end() ? OTF2_RegionRole{OTF2_REGION_ROLE_FUNCTION} : known->second;
}

std::uint64_t hash_of(std::istream& in) {
  std::uint64_t hash = kFnvOffsetBasis;
  for (char c = 0; in.get(c);) hash = fnv1a({&c, 1}, hash);
  return hash;
}

// --- the archive ---

class Archive : public TimelineSink {
 public:
  Archive(EventTimeline& timeline, const RankPlaces& places, const fs::path& shown, const fs::path& folder)
      : timeline_(timeline), places_(places), shown_(shown), folder_(folder) {
    const auto ranks = static_cast<std::uint64_t>(timeline.ranks().size());
    archive_ = OTF2_Archive_Open(folder.c_str(), kName, OTF2_FILEMODE_WRITE, kEventChunk,
                                 std::clamp(ranks * kDefinitionPerRank, kLeastDefinitions, kMostDefinitions),
                                 OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (archive_ == nullptr) fail();
    number_.assign(timeline.header().cores.size(), -1);
    for (size_t i = 0; i < timeline.ranks().size(); ++i) number_[timeline.ranks()[i]] = static_cast<int>(i);
    for (const bool called : timeline.called()) functions_.push_back(called ? regions_++ : OTF2_UNDEFINED_REGION);
    program_ = regions_++;
    waits_ = regions_++;
    awaited_ = OTF2_AttributeList_New();
  }
  ~Archive() override {
    OTF2_AttributeList_Delete(awaited_);
    if (archive_ != nullptr) OTF2_Archive_Close(archive_);
  }

  void write() {
    check(OTF2_Archive_SetFlushCallbacks(archive_, &kFlush, nullptr));
    check(OTF2_Archive_SetMemoryCallbacks(archive_, &kMemory, nullptr));
    check(OTF2_Archive_SetSerialCollectiveCallbacks(archive_));
    check(OTF2_Archive_SetCreator(archive_, "Strata"));
    check(OTF2_Archive_SetMachineName(archive_, timeline_.header().machine.c_str()));
    check(OTF2_Archive_SetDescription(archive_, timeline_.header().program.c_str()));
    write_events();
    // Without these files, readers consider the archive damaged.
    check(OTF2_Archive_OpenDefFiles(archive_));
    for (const int r : timeline_.ranks())
      check(OTF2_Archive_CloseDefWriter(archive_, OTF2_Archive_GetDefWriter(archive_, r)));
    check(OTF2_Archive_CloseDefFiles(archive_));
    write_definitions();
    OTF2_Archive* archive = std::exchange(archive_, nullptr);
    check(OTF2_Archive_Close(archive));
    name_trace();
  }

  void enter(double time, int rank, const RankState& state) override {
    OTF2_AttributeList* attributes = nullptr;
    if (state.kind == State::kWait && state.other >= 0) {
      attributes = awaited_;  // OTF2 clears it after writing the event
      check(OTF2_AttributeList_AddUint32(attributes, kWaitsFor, static_cast<std::uint32_t>(state.other)));
    }
    check(OTF2_EvtWriter_Enter(writers_[rank], attributes, ticks(time), region(state)));
  }
  void leave(double time, int rank, const RankState& state) override {
    check(OTF2_EvtWriter_Leave(writers_[rank], nullptr, ticks(time), region(state)));
  }
  void send(double time, const RankMessage& m) override {
    check(OTF2_EvtWriter_MpiSend(writers_[m.sender], nullptr, ticks(time),
                                 static_cast<std::uint32_t>(number_[m.receiver]), kComm,
                                 static_cast<std::uint32_t>(m.tag), static_cast<std::uint64_t>(m.bytes)));
  }
  void receive(double time, const RankMessage& m) override {
    check(OTF2_EvtWriter_MpiRecv(writers_[m.receiver], nullptr, ticks(time),
                                 static_cast<std::uint32_t>(number_[m.sender]), kComm,
                                 static_cast<std::uint32_t>(m.tag), static_cast<std::uint64_t>(m.bytes)));
  }

 private:
  [[noreturn]] void fail() const {
    const OTF2_ErrorCode first = errors_.first();
    const OTF2_ErrorCode code = first == OTF2_SUCCESS ? OTF2_ERROR_PROCESSED_WITH_FAULTS : first;
    throw OutputError(shown_.string(), std::string("cannot be written: ") + OTF2_Error_GetDescription(code),
                      "free space or choose another place");
  }
  // Also reports errors that only reach the callback: closing a file that cannot be written returns success.
  void check(OTF2_ErrorCode code) const {
    if (code != OTF2_SUCCESS || errors_.first() != OTF2_SUCCESS) fail();
  }

  void write_events() {
    check(OTF2_Archive_OpenEvtFiles(archive_));
    const std::vector<int>& ranks = timeline_.ranks();
    writers_.resize(timeline_.header().cores.size());
    events_.resize(timeline_.header().cores.size());
    for (size_t first = 0; first < ranks.size();) {
      std::vector<int> group;
      for (std::uint64_t bytes = 0; first < ranks.size() && group.size() < kMostFiles && bytes < kMostBuffers;
           ++first) {
        group.push_back(ranks[first]);
        bytes += kEventChunk + std::min(kFileBuffer, kBytesOfEvent * timeline_.events(ranks[first]));
      }
      for (const int r : group) {
        writers_[r] = OTF2_Archive_GetEvtWriter(archive_, r);
        if (writers_[r] == nullptr) fail();
      }
      timeline_.replay(group, true, *this);
      for (const int r : group) {
        check(OTF2_EvtWriter_GetNumberOfEvents(writers_[r], &events_[r]));
        check(OTF2_Archive_CloseEvtWriter(archive_, writers_[r]));
      }
    }
    check(OTF2_Archive_CloseEvtFiles(archive_));
  }

  OTF2_RegionRef region(const RankState& state) {
    switch (state.kind) {
      case State::kProgram:
        return program_;
      case State::kCall:
        return functions_[state.function];
      case State::kWait:
        return waits_;
      case State::kPhase:
        break;
    }
    const auto [at, added] = phases_.try_emplace(state.phase, regions_);
    if (added) ++regions_;
    return at->second;
  }

  // Returns the definition number of a text; writes the definition if it is new.
  OTF2_StringRef text(const std::string& text) {
    const auto [at, added] = texts_.try_emplace(text, static_cast<OTF2_StringRef>(texts_.size()));
    if (added) check(OTF2_GlobalDefWriter_WriteString(definitions_, at->second, text.c_str()));
    return at->second;
  }

  OTF2_SystemTreeNodeRef tree_node(const std::string& name, const char* kind, OTF2_SystemTreeNodeRef parent,
                                   OTF2_SystemTreeDomain domain) {
    const OTF2_SystemTreeNodeRef self = tree_nodes_++;
    const OTF2_StringRef name_ref = text(name), kind_ref = text(kind);
    check(OTF2_GlobalDefWriter_WriteSystemTreeNode(definitions_, self, name_ref, kind_ref, parent));
    check(OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(definitions_, self, domain));
    return self;
  }

  void define_region(OTF2_RegionRef self, const std::string& name, OTF2_RegionRole role, OTF2_Paradigm paradigm) {
    const OTF2_StringRef name_ref = text(name), none = text("");
    check(OTF2_GlobalDefWriter_WriteRegion(definitions_, self, name_ref, name_ref, none, role, paradigm,
                                           OTF2_REGION_FLAG_NONE, none, 0, 0));
  }

  void define_regions() {
    const EventsHeader& header = timeline_.header();
    for (size_t f = 0; f < header.functions.size(); ++f) {
      if (!timeline_.called()[f]) continue;
      define_region(functions_[f], header.functions[f], role_of(header.functions[f]), OTF2_PARADIGM_MPI);
    }
    define_region(program_, header.program, OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_USER);
    define_region(waits_, "waits", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_MPI);
    std::map<OTF2_RegionRef, std::string> phases;
    for (const auto& [name, number] : phases_) phases[number] = name;
    for (const auto& [number, name] : phases) define_region(number, name, OTF2_REGION_ROLE_CODE, OTF2_PARADIGM_USER);
    const OTF2_StringRef name = text("waits for rank"), about = text("the rank whose message or arrival ends the wait");
    check(OTF2_GlobalDefWriter_WriteAttribute(definitions_, kWaitsFor, name, about, OTF2_TYPE_UINT32));
  }

  void define_ranks() {
    const OTF2_SystemTreeNodeRef machine = tree_node(timeline_.header().machine, "machine",
                                                     OTF2_UNDEFINED_SYSTEM_TREE_NODE, OTF2_SYSTEM_TREE_DOMAIN_MACHINE);
    std::map<int, OTF2_SystemTreeNodeRef> nodes;
    std::map<std::pair<int, int>, OTF2_SystemTreeNodeRef> packages;
    for (const int r : timeline_.ranks()) {
      const RankPlace& p = places_[r];
      if (!nodes.contains(p.node))
        nodes[p.node] =
            tree_node(fmt::format("node{}", p.node), "node", machine, OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY);
      OTF2_SystemTreeNodeRef parent = nodes[p.node];
      if (p.package >= 0) {
        const auto key = std::make_pair(p.node, p.package);
        if (!packages.contains(key)) {
          packages[key] = tree_node(fmt::format("node{}.package{}", p.node, p.package), "package", parent,
                                    OTF2_SYSTEM_TREE_DOMAIN_SOCKET);
        }
        parent = packages[key];
      }
      const OTF2_StringRef group = text(fmt::format("rank {}", r)), name = text(places_.name(r));
      const auto number = static_cast<OTF2_LocationGroupRef>(number_[r]);
      check(OTF2_GlobalDefWriter_WriteLocationGroup(definitions_, number, group, OTF2_LOCATION_GROUP_TYPE_PROCESS,
                                                    parent, OTF2_UNDEFINED_LOCATION_GROUP));
      check(OTF2_GlobalDefWriter_WriteLocation(definitions_, static_cast<OTF2_LocationRef>(r), name,
                                               OTF2_LOCATION_TYPE_CPU_THREAD, events_[r], number));
    }
  }

  void define_communicator() {
    const auto ranks = static_cast<std::uint32_t>(timeline_.ranks().size());
    std::vector<std::uint64_t> locations, numbers;
    for (const int r : timeline_.ranks()) {
      numbers.push_back(locations.size());
      locations.push_back(static_cast<std::uint64_t>(r));
    }
    const OTF2_StringRef none = text(""), name = text("MPI_COMM_WORLD");
    check(OTF2_GlobalDefWriter_WriteGroup(definitions_, 0, none, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                          OTF2_GROUP_FLAG_NONE, ranks, locations.data()));
    check(OTF2_GlobalDefWriter_WriteGroup(definitions_, 1, none, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                          OTF2_GROUP_FLAG_NONE, ranks, numbers.data()));
    check(OTF2_GlobalDefWriter_WriteComm(definitions_, kComm, name, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
  }

  void write_definitions() {
    definitions_ = OTF2_Archive_GetGlobalDefWriter(archive_);
    if (definitions_ == nullptr) fail();
    const OTF2_TimeStamp from = ticks(timeline_.from());
    check(OTF2_GlobalDefWriter_WriteClockProperties(definitions_, kTicksPerSecond, from, ticks(timeline_.to()) - from,
                                                    OTF2_UNDEFINED_TIMESTAMP));
    check(
        OTF2_GlobalDefWriter_WriteParadigm(definitions_, OTF2_PARADIGM_MPI, text("MPI"), OTF2_PARADIGM_CLASS_PROCESS));
    define_regions();
    define_ranks();
    define_communicator();
  }

  // Makes the trace's identifier a hash of the definitions, so that equal timelines give equal bytes. The library
  // computes it from the time, the process and the host. The anchor file ends with the identifier (8 B), the numbers of
  // snapshots and of thumbnails (4 B each), and the end marks of file, buffer and chunk.
  void name_trace() const {
    constexpr std::streamoff kFromEnd = 19, kId = 8;
    const std::string expected("\0\0\0\0\0\0\0\0\2\1\0", kFromEnd - kId);
    std::ifstream definitions(folder_ / (std::string(kName) + ".def"), std::ios::binary);
    const std::uint64_t id = hash_of(definitions);
    std::fstream anchor(folder_ / kAnchor, std::ios::binary | std::ios::in | std::ios::out);
    std::string end(kFromEnd, '\0');
    anchor.seekg(-kFromEnd, std::ios::end);
    anchor.read(end.data(), kFromEnd);
    if (!anchor || end.substr(kId) != expected) return;  // unknown layout
    std::memcpy(end.data(), &id, sizeof id);
    anchor.seekp(-kFromEnd, std::ios::end);
    anchor.write(end.data(), kFromEnd);
    anchor.flush();
    if (!anchor) {
      throw OutputError(shown_.string(), std::string("cannot be written: ") + std::strerror(errno),
                        "free space or choose another place");
    }
  }

  EventTimeline& timeline_;
  const RankPlaces& places_;
  fs::path shown_, folder_;  // final path, and temporary path
  Otf2Errors errors_;
  OTF2_Archive* archive_ = nullptr;
  OTF2_GlobalDefWriter* definitions_ = nullptr;
  OTF2_AttributeList* awaited_ = nullptr;
  std::vector<OTF2_EvtWriter*> writers_;  // by rank
  std::vector<std::uint64_t> events_;     // number of events by rank
  std::vector<int> number_;               // by rank: its number among the selected ranks
  // Readers expect definitions to be numbered in order, without gaps.
  OTF2_RegionRef regions_ = 0, program_ = 0, waits_ = 0;
  std::vector<OTF2_RegionRef> functions_;  // by number in the events
  OTF2_SystemTreeNodeRef tree_nodes_ = 0;
  std::map<std::string, OTF2_RegionRef> phases_;
  std::map<std::string, OTF2_StringRef> texts_;
};

}  // namespace

void refuse_other_folders(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::exists(folder, ignored) || fs::exists(folder / kAnchor, ignored)) return;
  throw OutputError(folder.string(), "is there, and is not an archive of OTF2", "give another name");
}

void write_otf2_timeline(EventTimeline& timeline, const RankPlaces& places, const fs::path& folder) {
  refuse_other_folders(folder);
  const fs::path temporary = folder.string() + ".new";
  std::error_code error;
  fs::remove_all(temporary, error);
  try {
    fs::create_directory(temporary, error);
    if (error) throw OutputError(folder.string(), "cannot be made: " + error.message(), "choose another place");
    Archive(timeline, places, folder, temporary).write();
    fs::remove_all(folder, error);
    if (!error) fs::rename(temporary, folder, error);
    if (error) throw OutputError(folder.string(), "cannot be replaced: " + error.message(), "choose another place");
  } catch (...) {
    fs::remove_all(temporary, error);
    throw;
  }
}

}  // namespace strata
