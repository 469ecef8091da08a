// Messages simulated per second of wall time: a halo exchange run by bare smpirun on a flat XML cluster, and by smpirun
// with our plugin, started as `strata run` starts it.
//   bazel run -c opt //tests/benchmarks:messages_benchmark
//
// Three ways, one after the other in every repetition, so that what else the computer does falls on all alike:
//   ours   through the launcher, on the machine that the benchmark's name says
//   plain  smpirun with the XML cluster and no option but that ranks may share the program's image (-no-privatize)
//   same   the same with our launcher's options, which spare SMPI work too (computation is not timed, acknowledgements
//          take no bandwidth) and say from which size on messages wait for their receiver
//
// The machines: `flat`, a node a core under one switch, which is what the XML describes; `wide`, nodes of 128 cores;
// `ntw10e5`, nodes of 24 cores with that machine's costs. The last two have links that ranks share: what
// each message gets is then found anew at every start and end of a message, work that the flat cluster does not have.
// Messages are of 8 KiB: eager on `ntw10e5` (limit 12 KiB) and for `plain` (SMPI's default, 64 KiB), rendezvous on the
// other two (4 KiB).
#include <benchmark/benchmark.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "sim/launcher/simulation.h"
#include "tests/benchmarks/child.h"
#include "tests/benchmarks/simulated.h"

namespace strata::benchmarks {
namespace {

enum MachineKind { kFlat, kWide, kNtw10e5 };
constexpr int kMessages = 102'400;   // a run: 100 exchanges of 256 ranks, fewer of more
constexpr double kTimeLimit = 1800;  // s of wall time, for a run

Machine machine(int kind, int ranks) {
  switch (kind) {
    case kFlat:
      return flat_nodes(ranks);
    case kWide:
      return wide_nodes(ranks / 128);
    default:
      return ntw10e5_of((ranks + 23) / 24);
  }
}

void write(const std::filesystem::path& file, const std::string& text) {
  std::ofstream out(file);
  out << text;
  if (!out.flush()) throw std::runtime_error(file.string() + " cannot be written");
}

// smpirun's command line on a flat XML cluster whose hosts are linked as the machine's nodes are.
std::vector<std::string> bare_command(const std::filesystem::path& folder, int ranks, const Machine& like) {
  const LevelCosts& network = *like.costs_at(0);
  char xml[512];
  std::snprintf(xml, sizeof xml,
                "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                "<platform version=\"4.1\"><cluster id=\"flat\" prefix=\"host\" suffix=\"\" radical=\"0-%d\" "
                "speed=\"%.0ff\" bw=\"%.0fBps\" lat=\"%.3gs\"/></platform>\n",
                ranks - 1, like.core_speed.si, network.link_bandwidth.si, network.latency.si / 2);
  write(folder / "flat.xml", xml);
  std::string hosts;
  for (int r = 0; r < ranks; ++r) hosts += "host" + std::to_string(r) + "\n";
  write(folder / "hosts", hosts);
  return {"smpirun",        "-platform", folder / "flat.xml",   "-hostfile",
          folder / "hosts", "-np",       std::to_string(ranks), "-no-privatize"};
}

// The launcher's options (sim/launcher/simulation.cc), and the two that our network model does without: no
// acknowledgements on the links, and no window that bounds a message.
std::vector<std::string> same_options(const Machine& machine) {
  const std::string limit = std::to_string(static_cast<long>(machine.eager_limit.si));
  return {"--cfg=surf/precision:1e-12",
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

void BM_Halo(benchmark::State& state) {
  const int kind = static_cast<int>(state.range(0));
  const int ranks = static_cast<int>(state.range(1));
  const Machine m = machine(kind, ranks);
  const sim::ScratchFolder scratch;
  const std::string halo = benchmark_program("halo.so");
  const std::vector<std::string> arguments = {"--iterations", std::to_string(kMessages / 4 / ranks)};
  std::vector<std::string> plain = bare_command(scratch.path(), ranks, m), same = plain;
  for (const std::string& option : same_options(m)) same.push_back(option);
  for (std::vector<std::string>* command : {&plain, &same}) {
    command->push_back(halo);
    command->insert(command->end(), arguments.begin(), arguments.end());
  }
  struct Figures {
    std::vector<double> wall, cpu, peak;
    void add(const Usage& u) {
      wall.push_back(u.wall_s);
      cpu.push_back(u.cpu_s);
      peak.push_back(u.peak_bytes);
    }
  } of_ours, of_plain, of_same;
  for (auto _ : state) {
    const Usage u = run_simulated(m, ranks, halo, arguments, kTimeLimit);
    of_ours.add(u);
    state.SetIterationTime(u.wall_s);
    of_plain.add(run_command(plain));
    of_same.add(run_command(same));
  }
  const auto tell = [&](const std::string& name, const Figures& f) {
    state.counters[name + " min s"] = minimum(f.wall);
    state.counters[name + " median s"] = median(f.wall);
    state.counters[name + " cpu s"] = minimum(f.cpu);
    state.counters[name + " messages/s"] = kMessages / minimum(f.wall);
    state.counters[name + " MB"] = median(f.peak) / 1e6;
  };
  tell("ours", of_ours);
  tell("plain", of_plain);
  tell("same", of_same);
  for (const auto& [name, f] : {std::pair{"plain", &of_plain}, std::pair{"same", &of_same}}) {
    state.counters[std::string("ours/") + name + " wall"] = minimum(of_ours.wall) / minimum(f->wall);
    state.counters[std::string("ours/") + name + " cpu"] = minimum(of_ours.cpu) / minimum(f->cpu);
  }
  static constexpr const char* kNames[] = {"flat", "wide", "ntw10e5"};
  state.SetLabel(std::string(kNames[kind]) + ", " + std::to_string(ranks) + " ranks");
}
BENCHMARK(BM_Halo)
    ->ArgNames({"machine", "ranks"})
    ->ArgsProduct({{kFlat, kWide, kNtw10e5}, {256, 1024}})
    ->Iterations(5)
    ->UseManualTime()
    ->Unit(benchmark::kSecond);
BENCHMARK(BM_Halo)
    ->ArgNames({"machine", "ranks"})
    ->ArgsProduct({{kFlat, kWide, kNtw10e5}, {4096}})
    ->Iterations(3)
    ->UseManualTime()
    ->Unit(benchmark::kSecond);

}  // namespace
}  // namespace strata::benchmarks

BENCHMARK_MAIN();
