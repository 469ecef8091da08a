// SPDX-License-Identifier: LGPL-2.1-only
// strata calibrate: from benchmark files to a machine that other commands can use.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "platforms/machine.h"
#include "tests/command/expect_refused.h"

namespace strata {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kNode = "platforms/data/ntw10e5/node.xml";  // two packages, four NUMA nodes, 24 cores

// osu_latency's output for times of `latency_us` + (bytes + the envelope's 16) / (`bandwidth` B/us), and 1.5 us more
// from 16 KiB on.
std::string osu_latency(const std::filesystem::path& folder, const std::string& name, double latency_us,
                        double bandwidth) {
  std::ofstream out(folder / name);
  out << "# OSU MPI Latency Test v7.3\n# Size          Latency (us)\n# Datatype: MPI_CHAR.\n";
  for (double m = 1; m <= 4194304; m *= 2)
    out << static_cast<long>(m) << "   " << latency_us + (m + 16) / bandwidth + (m >= 16384 ? 1.5 : 0) << "\n";
  return (folder / name).string();
}

// A summary of HPCC on `processes` cores, whose pairs took 0.3 to 2 us and 2 to 10 GB/s.
std::string hpcc(const std::filesystem::path& folder, int processes, long elements) {
  std::ofstream(folder / "hpccoutf.txt")
      << "Begin of Summary section.\nVersionMajor=1\nVersionMinor=5\nVersionMicro=0\nSuccess=1\nCommWorldProcs="
      << processes << "\nSTREAM_VectorSize=" << elements
      << "\nSTREAM_Threads=1\nStarSTREAM_Copy=10\nStarSTREAM_Triad=11\nMaxPingPongLatency_usec=2\n"
         "MinPingPongBandwidth_GBytes=2\nNaturallyOrderedRingBandwidth_GBytes=1.5\nMinPingPongLatency_usec=0.3\n"
         "AvgPingPongLatency_usec=1.2\nMaxPingPongBandwidth_GBytes=10\nAvgPingPongBandwidth_GBytes=5\n"
         "NaturallyOrderedRingLatency_usec=1\nEnd of Summary section.\n";
  return (folder / "hpccoutf.txt").string();
}

Machine calibrated_with_hpcc(const std::filesystem::path& folder, const std::string& file, std::string& printed) {
  const std::filesystem::path out = folder / "machine";
  const Ran ran = run_strata(
      {"calibrate", "--node", kNode, "--nodes", "2", "--hpcc", file, "--no-simulation", "--out", out.string()});
  EXPECT_EQ(ran.code, 0) << ran.err;
  printed = ran.out;
  return load_machine(out / "machine.yaml");
}

const LevelCosts& level_of(const Machine& machine, const std::string& level) {
  return *std::find_if(machine.levels.begin(), machine.levels.end(), [&](const auto& c) { return c.level == level; });
}

// A run on two full nodes: its pairs meet at all levels, and its arrays of 16 KiB stay in caches.
TEST(Calibrate, HpccOfFullNodes) {
  const TemporaryFolder folder;
  std::string printed;
  const Machine m = calibrated_with_hpcc(folder.path(), hpcc(folder.path(), 48, 2048), printed);
  const LevelCosts &innermost = m.levels.back(), &outermost = m.levels.front();
  EXPECT_EQ(outermost.level, "System - Cluster");
  EXPECT_NEAR(outermost.latency.si + (8 + 16) / outermost.bandwidth.si, 2e-6, 1e-9);
  EXPECT_NEAR(innermost.latency.si + (8 + 16) / innermost.bandwidth.si, 0.3e-6, 1e-9);
  EXPECT_NEAR(outermost.bandwidth.si, 2e9, 0.01e9);
  EXPECT_NEAR(innermost.bandwidth.si, 10e9, 0.1e9);
  EXPECT_FALSE(m.memory) << "the rate of a cache";
  EXPECT_THAT(printed,
              HasSubstr("the pairs of 48 processes meet at several levels: the best are used for " + innermost.level));
  EXPECT_THAT(printed, HasSubstr("memory: hpccoutf.txt has 2 rates of arrays that fit into the caches"));
}

// Two processes on two cores of an L3: their ring gives what flows both ways.
TEST(Calibrate, HpccOfTwoProcesses) {
  const TemporaryFolder folder;
  std::string printed;
  const std::string file = hpcc(folder.path(), 2, 20000000);
  const Machine apart = calibrated_with_hpcc(folder.path(), file, printed);
  EXPECT_NEAR(apart.levels.front().bandwidth.si, 5e9, 0.1e9) << "the average, of two nodes";
  EXPECT_FALSE(apart.levels.front().duplex_bandwidth);
  EXPECT_THAT(printed,
              HasSubstr("its 2 processes are taken to meet at System - Cluster, one in each part; if they were "
                        "elsewhere, write LEVEL=FILE"));
  const std::string inner = apart.levels.back().level;
  const Machine near = calibrated_with_hpcc(folder.path(), inner + "=" + file, printed);
  EXPECT_NEAR(level_of(near, inner).bandwidth.si, 5e9, 0.1e9);
  EXPECT_FALSE(level_of(near, inner).duplex_bandwidth) << "3 GB/s are less than one message gets";
  EXPECT_THAT(printed, HasSubstr("the latter is not used"));
}

TEST(Calibrate, FilesInAMachineOut) {
  const TemporaryFolder temporary;
  const std::filesystem::path folder = temporary.path(), out = folder / "my cluster";
  const std::string net = osu_latency(folder, "net.txt", 2, 11000),
                    package = osu_latency(folder, "pack.txt", 0.6, 9000);
  const std::vector<std::string> arguments = {"calibrate",
                                              "--node",
                                              kNode,
                                              "--nodes",
                                              "4",
                                              "--name",
                                              "mine",
                                              "--osu",
                                              "System - Cluster=" + net,
                                              "--osu",
                                              "Package=" + package,
                                              "--stream",
                                              "tests/calibration/data/stream.txt",
                                              "--out",
                                              out};
  const Ran ran = run_strata(arguments);
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, ContainsRegex("System - Cluster +latency +2 us  +[0-9.]+ to [0-9.]+ +net.txt, 14 samples"));
  EXPECT_THAT(ran.out, ContainsRegex("Package +latency from 16384 B +2[.]1 us"));
  EXPECT_THAT(ran.out, ContainsRegex("Package +from 16384 B +16384 B  16384 to 16384 "));
  EXPECT_THAT(ran.out, HasSubstr("\nStill assumed\n"));
  EXPECT_THAT(ran.out, HasSubstr("Machine: no ping-pongs; assumed as level Package"));
  EXPECT_THAT(ran.err, HasSubstr("net.txt: 23 measurements of OSU MPI Latency Test v7.3"));
  const Machine machine = load_machine(out / "machine.yaml");
  EXPECT_EQ(machine.name, "mine");
  EXPECT_EQ(machine.topology->num_nodes(), 4);
  EXPECT_EQ(machine.levels[0].latency.value, 2);
  ASSERT_EQ(machine.levels[0].segments.size(), 1u);
  EXPECT_EQ(machine.levels[0].segments[0].from.value, 16384);
  EXPECT_NEAR(machine.levels[0].segments[0].bandwidth.value, 11, 0.01);
  for (const char* name :
       {"fit-System-Cluster.svg", "residuals-System-Cluster.svg", "fit-Package.svg", "residuals-Package.svg"})
    EXPECT_THAT(read_text(out / name), HasSubstr("</svg>")) << name;
  EXPECT_EQ(read_text(out / "node.xml"), read_text(kNode));

  // The same files give the same bytes, and another command accepts the folder.
  const std::string yaml = read_text(out / "machine.yaml"), svg = read_text(out / "fit-Package.svg");
  EXPECT_EQ(run_strata(arguments).out, ran.out);
  EXPECT_EQ(read_text(out / "machine.yaml"), yaml);
  EXPECT_EQ(read_text(out / "fit-Package.svg"), svg);
  EXPECT_EQ(run_strata({"topo", out}).code, 0);
}

// The machine reproduces the measurements: simulated ping-pongs give alpha and beta of each segment.
TEST(Calibrate, TheMachineGivesTheMeasuredTimesBack) {
  const TemporaryFolder temporary;
  const std::filesystem::path folder = temporary.path(), out = folder / "m";
  const std::string net = osu_latency(folder, "net.txt", 2, 11000),
                    package = osu_latency(folder, "pack.txt", 0.6, 9000);
  ASSERT_EQ(run_strata({"calibrate", "--node", kNode, "--nodes", "2", "--osu", "System - Cluster=" + net, "--osu",
                        "Package=" + package, "--out", out})
                .code,
            0);
  const Ran fit = run_strata({"model", "--machine", out, "--fit"});
  EXPECT_EQ(fit.code, 0) << fit.out << fit.err;
}

// The machine is written even if there is no compiler for the probe.
TEST(Calibrate, SaysWhereTheProbeCannotBeSimulated) {
  const TemporaryFolder temporary;
  const std::filesystem::path folder = temporary.path(), out = folder / "m";
  const std::string package = osu_latency(folder, "pack.txt", 0.6, 9000);
  const Ran ran = run_strata({"calibrate", "--node", kNode, "--osu", "Package=" + package, "--out", out},
                             {.environment = {{"OMPI_CC", "/no/such/compiler"}}});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("\nthe probe was not simulated: mpicc: the probe does not compile"));
  EXPECT_THAT(ran.out, Not(HasSubstr("The probe on this machine")));
  EXPECT_EQ(load_machine(out / "machine.yaml").levels.size(), 3u);
}

// Nor does it need a place for the simulation's files.
TEST(Calibrate, SaysThatThereIsNoScratchFolder) {
  const TemporaryFolder temporary;
  const std::filesystem::path folder = temporary.path(), out = folder / "m";
  const std::string package = osu_latency(folder, "pack.txt", 0.6, 9000);
  const Ran ran = run_strata({"calibrate", "--node", kNode, "--osu", "Package=" + package, "--out", out},
                             {.environment = {{"TMPDIR", folder / "none"}}});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("\nthe probe was not simulated: " + (folder / "none").string()));
  EXPECT_EQ(load_machine(out / "machine.yaml").levels.size(), 3u);
}

// An interruption leaves what --no-simulation writes, and nothing of an earlier calibration.
TEST(Calibrate, LeavesAMachineIfItIsInterrupted) {
  const TemporaryFolder temporary;
  const std::filesystem::path folder = temporary.path(), out = folder / "m", calculated = folder / "calculated";
  const std::string package = osu_latency(folder, "pack.txt", 0.6, 9000);
  const std::vector<std::string> arguments = {"calibrate", "--node", kNode, "--osu", "Package=" + package, "--out"};
  const auto into = [&](const std::filesystem::path& to) {
    std::vector<std::string> all = arguments;
    all.push_back(to);
    return all;
  };
  std::vector<std::string> only_calculated = into(calculated);
  only_calculated.push_back("--no-simulation");
  ASSERT_EQ(run_strata(only_calculated).code, 0);

  std::filesystem::create_directory(out);
  std::ofstream(out / "calibration.json") << "earlier";
  const std::string started = folder / "started";
  const std::string compiler = temporary.write("compiler", "#!/bin/sh\n: > '" + started + "'\nsleep 60\n");
  std::filesystem::permissions(compiler, std::filesystem::perms::owner_all);
  Process process(strata_command(into(out)), {.environment = {{"OMPI_CC", compiler}}, .limit_s = 50});
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!std::filesystem::exists(started) && std::chrono::steady_clock::now() < limit)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  ::kill(process.pid(), SIGINT);
  const Ran ran = process.wait();
  EXPECT_EQ(ran.code, 128 + SIGINT);
  EXPECT_THAT(ran.err, ::testing::EndsWith("strata: interrupted\n"));
  EXPECT_EQ(read_text(out / "calibration.json"), read_text(calculated / "calibration.json"));
  EXPECT_EQ(read_text(out / "machine.yaml"), read_text(calculated / "machine.yaml"));
}

// Sixteen sizes of a ring on four ranks of two packages, of which eight are predicted when messages are limited.
TEST(Calibrate, CollectivesOfFilesArePredicted) {
  const TemporaryFolder temporary;
  const std::filesystem::path folder = temporary.path(), out = folder / "m";
  const std::string package = osu_latency(folder, "pack.txt", 0.6, 9000);
  std::string table =
      "# Benchmarking Sendrecv\n# #processes = 4\n #bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n";
  for (int m = 1; m <= 32768; m *= 2) table += std::to_string(m) + " 100 1.0 1.2 1.1\n";
  const std::string ring = temporary.write("ring.txt", "# Intel(R) MPI Benchmarks 2019 Update 6, MPI-1 part\n" + table);
  const std::vector<std::string> arguments = {"calibrate", "--node",          kNode,   "--osu", "Package=" + package,
                                              "--imb",     "Package=" + ring, "--out", out};
  const Ran ran = run_strata(arguments);
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, ContainsRegex("sendrecv +Package +4  1 to 32768 +16 +[0-9.]+ +[0-9.]+\n"));
  const Machine machine = load_machine(out / "machine.yaml");
  ASSERT_EQ(machine.validation.size(), 1u);
  EXPECT_EQ(machine.validation[0].operation, "sendrecv");
  EXPECT_EQ(machine.validation[0].level, "Package");
  EXPECT_EQ(machine.validation[0].ranks, 4);
  EXPECT_EQ(machine.validation[0].samples, 16);
  EXPECT_EQ(machine.validation[0].source, "measured: ring.txt");
  EXPECT_THAT(read_text(out / "predicted-sendrecv-4-Package.svg"), HasSubstr("</svg>"));

  // 4 ranks, at most 16 messages each, 4 repetitions and a warm-up: 320 messages per size.
  std::vector<std::string> fewer = arguments;
  fewer.insert(fewer.end(), {"--most-messages", "2600"});
  const Ran short_run = run_strata(fewer);
  EXPECT_THAT(short_run.out, HasSubstr("ring.txt: sendrecv on 4 ranks: 8 of 16 sizes are simulated"));
  EXPECT_THAT(short_run.out, ContainsRegex("sendrecv +Package +4  1 to 32768 +8 "));
}

TEST(Calibrate, FilesOfOneNameAreToldApart) {
  const TemporaryFolder temporary;
  const std::filesystem::path folder = temporary.path();
  std::filesystem::create_directories(folder / "a");
  std::filesystem::create_directories(folder / "b");
  const std::string a = osu_latency(folder / "a", "osu.txt", 1 - 16.0 / 9000, 9000),
                    b = osu_latency(folder / "b", "osu.txt", 3 - 16.0 / 9000, 9000);
  const Ran ran = run_strata(
      {"calibrate", "--node", kNode, "--osu", "Package=" + a, "--osu", "Package=" + b, "--out", folder / "m"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr(a + " and " + b +
                                 " contradict each other: ping-pong at Package of 1 B, 1 at once: 1 us and 3 us"));
}

TEST(Calibrate, RefusesBadInputInOneLine) {
  const TemporaryFolder temporary;
  const std::filesystem::path folder = temporary.path();
  const std::string good = osu_latency(folder, "good.txt", 1, 9000);
  const std::string out = folder / "m";
  const auto refused = [&](const std::vector<std::string>& more, const std::string& where, const std::string& what,
                           const std::string& remedy) {
    std::vector<std::string> arguments = {"calibrate", "--node", kNode, "--out", out};
    arguments.insert(arguments.end(), more.begin(), more.end());
    Ran ran = run_strata(arguments);
    // stderr first names the files that were read.
    const std::vector<std::string> lines = lines_of(ran.err);
    ran.err = lines.empty() ? "" : lines.back() + "\n";
    expect_refused(ran, where, what, remedy);
    EXPECT_FALSE(std::filesystem::exists(out));
  };
  refused({}, "command line", "no measurements", "--osu Package=osu_latency.txt");
  refused({"--osu", good}, "--osu " + good, "does not say which level was measured", "write LEVEL=FILE");
  refused({"--osu", "Pakage=" + good}, "--osu Pakage=", "meet at level 'Pakage'", "meet at Machine, Package, NUMANode");
  refused({"--osu", "System - Cluster=" + good}, "--osu System", "meet at level 'System - Cluster'", "--nodes 2");
  refused({"--osu", "Package=/no/such.txt"}, "/no/such.txt", "", "");
  refused({"--imb", "Package=" + good}, "good.txt", "", "");
  refused({"--stream", good}, "good.txt", "", "");
  refused({"--nodes", "0", "--osu", "Package=" + good}, "--nodes", "0 nodes", "give 1 to");
  const Ran missing = run_strata({"calibrate", "--osu", "Package=" + good, "--out", out});
  expect_refused(missing, "command line", "--node", "--help");
  const Ran no_xml = run_strata({"calibrate", "--node", good, "--osu", "Package=" + good, "--out", out});
  expect_refused(no_xml, "good.txt", "", "");
}

}  // namespace
}  // namespace strata
