// SPDX-License-Identifier: LGPL-2.1-only
#include "native/run/native_run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstring>

#include "native/board/mpi_functions.h"
#include "native/coordinator/coordinator.h"
#include "native/launch/launched_ranks.h"
#include "native/run/awaited.h"
#include "native/run/board_memory.h"
#include "native/run/witness_records.h"
#include "platforms/core_name.h"
#include "platforms/node_names.h"
#include "records/exchange/exchanged_words.h"
#include "sim/launcher/diagnosis.h"
#include "sim/launcher/stage.h"

namespace strata::native {
namespace {

namespace fs = std::filesystem;

// A reading of a clock takes this long: as in the other engine (smpi/wtime). It only ends loops that wait for a clock.
constexpr double kClockCost_s = 10e-9;
// Where the machine states no overhead, a test for a message costs what the other engine takes: smpi/test's default.
constexpr double kPollCost_s = 1e-6;

constexpr double kLook_s = 0.02;  // the coordinator looks at least this often whether processes have ended

// By node: its file in a saved machine; empty: none.
std::vector<std::string> files_by_node(const Machine& machine) {
  const std::vector<std::string> files = node_files(machine);
  const auto nodes = static_cast<std::size_t>(machine.topology->num_nodes());
  if (machine.kinds.empty()) return std::vector<std::string>(nodes, files.front());
  std::vector<std::string> by_node;
  for (std::size_t kind = 0; kind < machine.kinds.size(); ++kind)
    by_node.insert(by_node.end(), static_cast<std::size_t>(machine.kinds[kind].count), files[kind]);
  return by_node;
}

Places places_of(const NativeRequest& request, const fs::path& folder) {
  Places places;
  save_machine(request.machine, folder);
  const std::vector<std::string> names = node_names(request.machine), files = files_by_node(request.machine);
  for (int n = 0; n < request.machine.topology->num_nodes(); ++n) {
    const auto node = static_cast<std::size_t>(n);
    const std::string host = names.empty() ? fmt::format("node{}", n) : names[node];
    places.nodes.push_back({.host = host, .xml = files[node].empty() ? fs::path() : folder / files[node]});
  }
  for (const Binding& b : request.ranks) places.ranks.push_back({.node = b.node, .cpuset = b.cpuset.list()});
  number_local_ranks(places);
  return places;
}

void describe_run(Board& board, const NativeRequest& request, const Places& places) {
  board.eager_bytes = static_cast<std::uint64_t>(request.machine.eager_limit.si);
  board.clock_cost_s = kClockCost_s;
  const double overhead_s = sim::least_overhead(request.machine);
  board.poll_cost_s = overhead_s > 0 ? overhead_s : kPollCost_s;
  board.computation = request.computation;
  for (int r = 0; r < places.size(); ++r) {
    Slot& slot = board.slot(r);
    slot.node = places.ranks[static_cast<std::size_t>(r)].node;
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

double seconds_since(std::chrono::steady_clock::time_point begun) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
}

}  // namespace

sim::Executed run_natively(const NativeRequest& request) {
  const auto begun = std::chrono::steady_clock::now();
  const fs::path machine_folder = request.scratch / "machine", server_folder = request.scratch / "server";
  fs::create_directories(machine_folder);
  fs::create_directories(server_folder);
  const Places places = places_of(request, machine_folder);
  const std::vector<int> cores = core_indexes(*request.machine.topology, request.ranks);
  BoardMemory memory(places.size());
  Board& board = memory.board();
  describe_run(board, request, places);

  sim::Executed executed;
  executed.traffic = request.scratch / words::kTrafficFolder;
  if (request.events) executed.events = request.scratch / words::kEventsFile;
  WitnessRecords records(board, request.machine, cores, fs::path(request.words.front()).filename().string(),
                         executed.events);
  VirtualTime time(request.machine, cores, records);
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
    return variables;
  };
  job.kept = {memory.file()};
  job.on_event = [&board] { call_coordinator(board); };
  Ranks ranks(std::move(job));

  std::optional<Ending> first;
  while (!ranks.ended()) {
    coordinator.serve(kLook_s);
    for (const RankEvent& event : ranks.poll()) {
      switch (event.kind) {
        case RankEvent::Kind::kAborted:
          if (!first) first = Ending{.rank = event.rank, .how = Ending::How::kAbort, .code = event.code};
          break;
        case RankEvent::Kind::kExited:
          if (event.code != 0 && !first)
            first = Ending{.rank = event.rank, .how = Ending::How::kExit, .code = event.code};
          coordinator.gone(event.rank);
          break;
        case RankEvent::Kind::kKilled:
          coordinator.gone(event.rank);
          break;
        default:
          break;
      }
    }
    if (coordinator.stuck() && executed.failure.empty()) {
      const std::vector<Ending> stuck = stuck_ranks(board);
      for (const Ending& e : stuck) records.tell(e);
      executed.failure = sim::deadlock_text(stuck);
      ranks.end(1, executed.failure);
    }
    if (request.limit_s > 0 && seconds_since(begun) > request.limit_s && executed.failure.empty()) {
      executed.failure = sim::no_end_after(request.limit_s);
      ranks.end(1, executed.failure);
    }
  }
  ranks.wait();
  sim::SignalGuard::check();
  const JobResult result = ranks.result();
  if (!coordinator.started() && executed.failure.empty() && result.exit_code == 0)
    std::fputs("strata: no rank has called MPI_Init, so no time has passed on the simulated machine\n", stderr);
  executed.exit_code = result.exit_code;
  if (first && executed.failure.empty()) {
    records.tell(*first);
    executed.ending = sim::ending_text(*first);
  } else if (result.exit_code != 0 && executed.failure.empty()) {
    executed.failure = result.reason;
    executed.crashed = true;
  }
  double end_s = time.now();
  for (int r = 0; r < places.size(); ++r) end_s = std::max(end_s, time.clock(r));
  executed.profile = records.finish(end_s);
  executed.levels = records.traffic().levels();
  executed.links = records.traffic().links();
  records.traffic().write(executed.traffic);
  return executed;
}

}  // namespace strata::native
