// SPDX-License-Identifier: LGPL-2.1-only
// Messages simulated per second of wall time: a halo exchange run by bare smpirun on a flat XML cluster, and by smpirun
// with our plugin, started as `strata run` starts it.
//   bazel run -c opt //tests/benchmarks:messages_benchmark
//
// Every repetition runs three variants one after the other, so that other load on the computer affects all of them:
//   ours   through the launcher, on the machine in the benchmark's name
//   plain  smpirun with the XML cluster; the only option lets ranks share the program's image (-no-privatize)
//   same   the same with our launcher's options, which also save SMPI work (computation is not timed, acknowledgements
//          take no bandwidth) and set the size from which messages wait for their receiver
//
// Machines: `flat`, nodes of one core under one switch, equivalent to the XML cluster; `wide`, nodes of 128 cores;
// `ntw10e5`, nodes of 24 cores with that machine's costs. In the last two, ranks share links, so each message's
// bandwidth is recomputed whenever a message starts or ends. The flat cluster does not have this work. Messages are of
// 8 KiB: eager on `ntw10e5` (limit 12 KiB) and for `plain` (SMPI's default, 64 KiB), rendezvous on the other two (4
// KiB).
//
// On `ntw10e5` there are two more variants:
//   memory   ours, with figures of each NUMA node's memory, which the other three do not have
//   buffers  the same, whose caches go by the buffers of ranks
// Their messages are of 8 KiB, which stay in a cache, and of 4 MiB, which do not.
//
// On 16,384 ranks of `blue-waters` (nodes of 16 on a torus, with shared links), the fourth variant is:
//   nodecart  ours, with the ranks' communicator made by MPIX_Nodecart_create, which keeps neighbours on one node
// There, two exchanges are simulated with messages of 1 KiB (eager) and of 16 KiB (rendezvous). `plain` is left out: it
// sends both eagerly, and had not ended after six minutes.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "flow/precision.h"
#include "sim/launcher/installation.h"
#include "sim/launcher/simulation.h"
#include "sim/simgrid/version.h"
#include "tests/benchmarks/measured_child.h"
#include "tests/benchmarks/simulated.h"

namespace strata::benchmarks {
namespace {

enum MachineKind { kFlat, kWide, kNtw10e5, kBlueWaters };
constexpr int kMessages = 102'400;   // per run: 100 exchanges of 256 ranks, fewer exchanges of more ranks
constexpr int kLeastExchanges = 2;   // at least this many, for 16,384 ranks
constexpr double kTimeLimit = 1800;  // s of wall time, for a run

Machine machine(int kind, int ranks) {
  switch (kind) {
    case kFlat:
      return flat_nodes(ranks);
    case kWide:
      return wide_nodes(ranks / 128);
    case kBlueWaters:
      return find_machine("blue-waters", sim::find_installation().machines);
    default: {
      Machine m = ntw10e5_of((ranks + 23) / 24);
      m.memory.reset();
      return m;
    }
  }
}

// The same machine with the memory of an E5-2695 v3 in Cluster-on-Die mode (kerncraft, HaswellEP_E5-2695v3_CoD.yml:
// copy and daxpy).
Machine with_memory(Machine m) {
  const auto measured = [](double gb_per_s) {
    return Figure{.value = gb_per_s, .unit = "GB/s", .source = "measured: kerncraft", .si = gb_per_s * 1e9};
  };
  m.memory.emplace().bandwidth = measured(17.6);
  m.memory->stated_combine_bandwidth = measured(26.4);
  return m;
}

void write(const std::filesystem::path& file, const std::string& text) {
  std::ofstream out(file);
  out << text;
  if (!out.flush()) throw std::runtime_error(file.string() + " cannot be written");
}

// smpirun's command line for a flat XML cluster whose links equal those of the machine's nodes.
std::vector<std::string> bare_command(const std::filesystem::path& folder, int ranks, const Machine& like) {
  const LevelCosts& network = *like.costs_at(0);
  write_flat_cluster(folder / "flat.xml", ranks, like.core_speed.si, network.link_bandwidth.si, network.latency.si / 2);
  std::string hosts;
  for (int r = 0; r < ranks; ++r) hosts += "host" + std::to_string(r) + "\n";
  write(folder / "hosts", hosts);
  return {"smpirun",        "-platform", folder / "flat.xml",   "-hostfile",
          folder / "hosts", "-np",       std::to_string(ranks), "-no-privatize"};
}

// The launcher's options (sim/launcher/simulation.cc), and two that correspond to our network model: no
// acknowledgements on the links, and no window that limits a message.
std::vector<std::string> same_options(const Machine& machine) {
  const std::string limit = std::to_string(static_cast<long>(machine.eager_limit.si));
  return {fmt::format("--cfg={}:{}", sim::kPrecision, flow::kTimePrecision),
          "--cfg=network/crosstraffic:no",
          "--cfg=network/TCP-gamma:1e30",
          "--cfg=smpi/coll-selector:ompi",
          "--cfg=smpi/wtime:0",
          "--cfg=smpi/simulate-computation:no",
          "--cfg=smpi/async-small-thresh:" + limit,
          "--cfg=smpi/send-is-detached-thresh:" + limit,
          "--cfg=contexts/stack-size:1024",
          "--log=root.thres:warning"};
}

// A variant that simulates the same messages, and the measurements of its repetitions.
struct Way {
  std::string name;
  std::function<Usage()> run;
  std::vector<double> wall = {}, cpu = {}, peak = {};

  void repeat() {
    const Usage u = run();
    wall.push_back(u.wall_s);
    cpu.push_back(u.cpu_s);
    peak.push_back(u.peak_bytes);
  }
};

std::vector<std::string> joined(std::vector<std::string> list, const std::vector<std::string>& more) {
  list.insert(list.end(), more.begin(), more.end());
  return list;
}

void BM_Halo(benchmark::State& state) {
  const int kind = static_cast<int>(state.range(0)), ranks = static_cast<int>(state.range(1));
  const int bytes = static_cast<int>(state.range(2));
  const Machine m = machine(kind, ranks);
  const sim::ScratchFolder scratch;
  const std::string halo = benchmark_program("halo.so");
  const int exchanges = std::max(kMessages / 4 / ranks, kLeastExchanges);
  const double messages = 4.0 * ranks * exchanges;
  const std::vector<std::string> arguments = {"--iterations", std::to_string(exchanges), "--bytes",
                                              std::to_string(bytes)};
  const std::vector<std::string> plain = bare_command(scratch.path(), ranks, m);
  const std::vector<std::string> same = joined(plain, same_options(m)), program = joined({halo}, arguments);

  std::vector<Way> ways = {{"ours", [&] { return run_simulated(m, ranks, halo, arguments, kTimeLimit); }},
                           {"same", [&] { return run_command(joined(same, program)); }}};
  if (kind != kBlueWaters) ways.push_back({"plain", [&] { return run_command(joined(plain, program)); }});
  const Machine shared = with_memory(m);
  Machine by_buffers = shared;
  by_buffers.memory->cached = CachedBy::kBuffers;
  if (kind == kNtw10e5) {
    ways.push_back({"memory", [&] { return run_simulated(shared, ranks, halo, arguments, kTimeLimit); }});
    ways.push_back({"buffers", [&] { return run_simulated(by_buffers, ranks, halo, arguments, kTimeLimit); }});
  }
  if (kind == kBlueWaters) {
    const std::vector<std::string> nodecart = joined(arguments, {"--comm", "nodecart"});
    ways.push_back({"nodecart", [&, nodecart] { return run_simulated(m, ranks, halo, nodecart, kTimeLimit); }});
  }
  for (auto _ : state) {
    for (Way& way : ways) way.repeat();
    state.SetIterationTime(ways.front().wall.back());
  }
  for (const Way& way : ways) {
    state.counters[way.name + " min s"] = minimum(way.wall);
    state.counters[way.name + " median s"] = median(way.wall);
    state.counters[way.name + " cpu s"] = minimum(way.cpu);
    state.counters[way.name + " messages/s"] = messages / minimum(way.wall);
    state.counters[way.name + " MB"] = median(way.peak) / 1e6;
    if (&way == &ways.front()) continue;
    state.counters["ours/" + way.name + " wall"] = minimum(ways.front().wall) / minimum(way.wall);
    state.counters["ours/" + way.name + " cpu"] = minimum(ways.front().cpu) / minimum(way.cpu);
  }
  static constexpr const char* kNames[] = {"flat", "wide", "ntw10e5", "blue-waters"};
  state.SetLabel(std::string(kNames[kind]) + ", " + std::to_string(ranks) + " ranks");
}
BENCHMARK(BM_Halo)
    ->ArgNames({"machine", "ranks", "bytes"})
    ->ArgsProduct({{kFlat, kWide, kNtw10e5}, {256, 1024}, {8192}})
    ->Iterations(5)
    ->UseManualTime()
    ->Unit(benchmark::kSecond);
BENCHMARK(BM_Halo)
    ->ArgNames({"machine", "ranks", "bytes"})
    ->ArgsProduct({{kNtw10e5}, {256, 1024}, {4 << 20}})
    ->Iterations(5)
    ->UseManualTime()
    ->Unit(benchmark::kSecond);
BENCHMARK(BM_Halo)
    ->ArgNames({"machine", "ranks", "bytes"})
    ->ArgsProduct({{kFlat, kWide, kNtw10e5}, {4096}, {8192}})
    ->Iterations(3)
    ->UseManualTime()
    ->Unit(benchmark::kSecond);
BENCHMARK(BM_Halo)
    ->ArgNames({"machine", "ranks", "bytes"})
    ->ArgsProduct({{kBlueWaters}, {16384}, {1024, 16384}})
    ->Iterations(1)
    ->UseManualTime()
    ->Unit(benchmark::kSecond);

}  // namespace
}  // namespace strata::benchmarks

BENCHMARK_MAIN();
