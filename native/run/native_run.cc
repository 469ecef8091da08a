// SPDX-License-Identifier: LGPL-2.1-only
#include "native/run/native_run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>

#include "base/system_error.h"
#include "native/board/function_names.h"
#include "native/coordinator/coordinator.h"
#include "native/coordinator/one_sided_memory.h"
#include "native/launch/launched_ranks.h"
#include "native/run/awaited.h"
#include "native/run/board_memory.h"
#include "native/run/computation_file.h"
#include "native/run/further_ranks.h"
#include "native/run/watch.h"
#include "native/run/witness_records.h"
#include "platforms/memory.h"
#include "platforms/node_names.h"
#include "platforms/node_tree.h"
#include "platforms/payload.h"
#include "records/exchange/exchanged_words.h"
#include "sim/launcher/diagnosis.h"
#include "sim/launcher/stage.h"

namespace strata::native {
namespace {

namespace fs = std::filesystem;

// "openmpi-4.1.4"; empty: unknown.
std::string version_text(const Library& library) {
  if (library.version.empty()) return "";
  if (library.kind == Library::Kind::kOpenMpi) return "openmpi-" + library.version;
  return library.kind == Library::Kind::kMpich ? "mpich-" + library.version : "";
}

// A reading of a clock takes this long: as in the other engine (smpi/wtime). It only ends loops that wait for a clock.
constexpr double kClockCost_s = 10e-9;
// Where the machine states no overhead, a test for a message costs what it costs in the other engine: the default of
// SimGrid 3.32's smpi/test and smpi/iprobe.
constexpr double kPollCost_s = 1e-4;

// Ranks that end make room for others, so there may be more in all than at a time. Slots are addresses only.
constexpr std::size_t kRanksForAPlace = 64, kMostFurther = 4096;

constexpr double kLook_s = 0.02;  // the coordinator looks at least this often whether processes have ended

// The file of each node's hwloc topology in the folder of a saved machine. If a node has only a description, the
// file is made from it.
std::vector<std::string> files_by_node(const Machine& machine, const fs::path& folder) {
  std::vector<std::string> files = node_files(machine);
  for (std::size_t kind = 0; kind < files.size(); ++kind) {
    if (!files[kind].empty()) continue;
    const NodeSource& source = machine.kinds.empty() ? machine.node : machine.kinds[kind].source;
    files[kind] = fmt::format("described-{}.xml", kind + 1);
    export_synthetic_as_xml(source.synthetic, folder / files[kind]);
  }
  if (machine.kinds.empty())
    return std::vector<std::string>(static_cast<std::size_t>(machine.topology->num_nodes()), files.front());
  std::vector<std::string> by_node;
  for (std::size_t kind = 0; kind < machine.kinds.size(); ++kind)
    by_node.insert(by_node.end(), static_cast<std::size_t>(machine.kinds[kind].count), files[kind]);
  return by_node;
}

Places places_of(const NativeRequest& request, const fs::path& folder) {
  Places places;
  save_machine(request.machine, folder);
  const std::vector<std::string> names = node_names(request.machine), files = files_by_node(request.machine, folder);
  for (int n = 0; n < request.machine.topology->num_nodes(); ++n) {
    const auto node = static_cast<std::size_t>(n);
    const std::string host = names.empty() ? fmt::format("node{}", n) : names[node];
    places.nodes.push_back({.host = host, .xml = folder / files[node]});
  }
  for (const Binding& b : request.ranks) places.ranks.push_back({.node = b.node, .cpuset = b.cpuset.list()});
  number_local_ranks(places);
  places.universe = places.size() + static_cast<int>(request.room.size());
  return places;
}

void describe_run(Board& board, const NativeRequest& request, const Places& places) {
  board.eager_bytes = static_cast<std::uint64_t>(request.machine.eager_limit.si);
  board.clock_cost_s = kClockCost_s;
  const double overhead_s = sim::least_overhead(request.machine);
  board.poll_cost_s = overhead_s > 0 ? overhead_s : kPollCost_s;
  // Little data are in the cache.
  board.copy_s = 1 / request.machine.copy_bandwidth.si;
  board.combine_s = request.machine.memory ? kMovedByCombine / cache_bandwidth(request.machine).si
                                           : 1 / request.machine.combine_bandwidth().si;
  board.shares_memory = request.machine.memory ? 1 : 0;
  board.goes_by_buffers = is_cached_by_buffers(request.machine) ? 1 : 0;
  board.computation = request.computation;
  board.computation_s = request.computation_s;
  for (int r = 0; r < places.size(); ++r) {
    Slot& slot = board.slot(r);
    slot.node = places.ranks[r].node;
    std::snprintf(slot.host, sizeof slot.host, "%s", places.node_of(r).host.c_str());
  }
}

std::vector<Ending> stuck_ranks(Board& board) {
  std::vector<Ending> endings;
  for (int r = 0; r < static_cast<int>(board.ranks); ++r) {
    const Slot& slot = board.slot(r);
    if (slot.block == Block::kFinish || slot.state.load() == static_cast<std::uint32_t>(State::kGone)) continue;
    Ending e = {.rank = r, .how = Ending::How::kDeadlock, .code = 0, .call = "", .awaits = awaited_by(slot.call)};
    e.call = slot.call.function < 0 ? "its own code" : std::string(function_name(slot.call.function));
    endings.push_back(std::move(e));
  }
  return endings;
}

// Why ranks cannot start others in this run; empty: they can.
std::string no_further_ranks(const NativeRequest& request) {
  if (request.trace) return "--record does not hold ranks that MPI_Comm_spawn starts; leave it out";
  if (!request.computation_file.empty())
    return "--compute-file does not hold ranks that MPI_Comm_spawn starts; leave it out";
  return "";
}

// A file that is open as long as this lives; an empty name: none.
class OpenFile {
 public:
  OpenFile(const fs::path& file, int how) {
    if (file.empty()) return;
    number_ = ::open(file.c_str(), how | O_CLOEXEC);
    if (number_ < 0) throw SystemError(file, errno);
  }
  ~OpenFile() {
    if (number_ >= 0) ::close(number_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int number() const { return number_; }

 private:
  int number_ = -1;
};

double seconds_since(std::chrono::steady_clock::time_point begun) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
}

// A failure that the end of another rank has caused. The launcher will end the run for that rank, and give its reason;
// after a while without, the failure counts.
class FollowUp {
 public:
  void begin(const std::string& text) {
    text_ = text;
    begun_ = std::chrono::steady_clock::now();
  }
  bool waits() const { return !text_.empty(); }
  static void pause() { ::usleep(static_cast<useconds_t>(kLook_s * 1e6)); }
  bool is_cause() const { return waits() && seconds_since(begun_) > kLong_s; }
  const std::string& text() const { return text_; }

 private:
  static constexpr double kLong_s = 2;  // the launcher takes a few ms
  std::string text_;
  std::chrono::steady_clock::time_point begun_;
};

}  // namespace

sim::Executed run_natively(const NativeRequest& request) {
  const auto begun = std::chrono::steady_clock::now();
  const fs::path machine_folder = request.scratch / "machine", server_folder = request.scratch / "server";
  fs::create_directories(machine_folder);
  fs::create_directories(server_folder);
  const Places places = places_of(request, machine_folder);
  const std::vector<int> cores = core_indexes(*request.machine.topology, request.ranks);
  const std::size_t room = request.room.size();
  BoardMemory memory(places.size(), places.size() + static_cast<int>(std::min(room * kRanksForAPlace, kMostFurther)));
  Board& board = memory.board();
  describe_run(board, request, places);

  sim::Executed executed;
  executed.traffic = request.scratch / words::kTrafficFolder;
  if (request.events) executed.events = request.scratch / words::kEventsFile;
  const std::string program = fs::path(request.words.front()).filename().string();
  std::optional<Recording> recording;
  if (request.trace) {
    executed.trace = request.scratch / words::kTraceFile;
    recording.emplace(board, program, version_text(request.library), request.machine, cores, executed.trace,
                      request.computation == Computation::kMeasured || request.computation == Computation::kRecorded);
    board.is_recorded = 1;
  }
  WitnessRecords records(board, request.machine, cores, program, executed.events, recording ? &*recording : nullptr);
  const fs::path times = request.scratch / "computation";
  fs::create_directories(times);
  if (request.computation == Computation::kRecorded) spread_computation(request.computation_file, places.size(), times);
  VirtualTime time(request.machine, cores, records);
  FurtherRanks further(board, request.machine, places.nodes, request.room, no_further_ranks(request));
  records.begin(time.flows());
  Coordinator coordinator(board, time);

  JobRequest job = {.words = request.words,
                    .folder = request.folder,
                    .places = places,
                    .library = request.library,
                    .scratch = server_folder,
                    .environment = inherited(::environ)};
  for (const auto& [name, value] : request.environment) job.environment[name] = value;
  job.environment.try_emplace("HOME", request.scratch.string());  // Open MPI 5 does not start without one
  job.variables = [&](int rank) {
    Environment variables;
    for (const auto& [name, value] : memory.variables(rank)) variables[name] = value;
    variables["LD_PRELOAD"] = request.transport.string();
    if (!request.computation_file.empty()) variables[kComputationVariable] = times.string();
    return variables;
  };
  job.kept = {memory.file()};
  const OpenFile input(request.input, O_RDONLY), output(request.silent ? "/dev/null" : "", O_WRONLY);
  if (input.number() >= 0) job.input = input.number();
  if (output.number() >= 0) job.output = output.number();
  job.admit = [&further](const SpawnOrder& order, const std::string& name) { return further.admit(order, name); };
  job.on_name = [&](const std::string& name) {
    for (int r = 0; r < places.size(); ++r) std::snprintf(board.slot(r).job, sizeof(Slot::job), "%s", name.c_str());
  };
  job.on_event = [&board] { call_coordinator(board); };
  check_settings(job.environment, request.library.kind);
  Ranks ranks(std::move(job));

  Watch watch(board);
  std::optional<Ending> first;
  const auto fail = [&](const std::string& failure) {
    if (!executed.failure.empty()) return;
    executed.failure = failure;
    ranks.end(1, failure);
  };
  FollowUp follow_up;
  while (!ranks.ended()) {
    try {
      follow_up.waits() ? follow_up.pause() : coordinator.serve(kLook_s);
    } catch (const OneSidedFailed& e) {
      e.peer_has_ended ? follow_up.begin(e.what()) : fail(e.what());
    }
    if (follow_up.is_cause()) fail(follow_up.text());
    for (const RankEvent& event : ranks.poll()) {
      switch (event.kind) {
        case RankEvent::Kind::kAborted:
          if (!first) first = Ending{.rank = event.rank, .how = Ending::How::kAbort, .code = event.code};
          break;
        case RankEvent::Kind::kExited:
          if (const char* const failure = board.slots[event.rank].failure; failure[0] != '\0') fail(failure);
          if (event.code != 0 && !first)
            first = Ending{.rank = event.rank, .how = Ending::How::kExit, .code = event.code};
          coordinator.gone(event.rank);
          break;
        case RankEvent::Kind::kKilled:
          // A process that it has forked has ended it.
          if (const char* const failure = board.slots[event.rank].failure; failure[0] != '\0') fail(failure);
          coordinator.gone(event.rank);
          break;
        default:
          break;
      }
    }
    watch.look(coordinator);
    if (coordinator.stuck() && executed.failure.empty()) {
      const std::vector<Ending> stuck = stuck_ranks(board);
      for (const Ending& e : stuck) records.tell(e);
      fail(sim::deadlock_text(stuck));
    }
    if (request.limit_s > 0 && seconds_since(begun) > request.limit_s)
      fail(sim::no_end_after(request.limit_s) + watch.absent());
  }
  ranks.wait();
  SignalGuard::check();
  const JobResult result = ranks.result();
  if (!coordinator.started() && executed.failure.empty() && result.exit_code == 0)
    std::fputs("strata: no rank has called MPI_Init, so no time has passed on the simulated machine\n", stderr);
  executed.exit_code = result.exit_code;
  if (first && executed.failure.empty()) {
    records.tell(*first);
    executed.ending = first->rank < places.size() ? sim::ending_text(*first) : result.reason;
  } else if (result.exit_code != 0 && executed.failure.empty()) {
    executed.failure = result.reason;
    executed.crashed = true;
  }
  double end_s = time.now();
  executed.spawned = further.started();
  for (int r = 0; r < static_cast<int>(board.ranks); ++r) end_s = std::max(end_s, time.clock(r));
  executed.profile = records.finish(end_s);
  executed.levels = records.traffic().levels();
  executed.links = records.traffic().links();
  records.traffic().write(executed.traffic);
  if (request.computation == Computation::kMeasured && !request.computation_file.empty() && executed.failure.empty())
    collect_computation(times, places.size(), request.computation_file);
  if (recording && executed.failure.empty())
    recording->write(request.words.front(), sim::packed_machine(request.machine, machine_folder));
  return executed;
}

}  // namespace strata::native
