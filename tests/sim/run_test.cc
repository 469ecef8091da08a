// SPDX-License-Identifier: LGPL-2.1-only
// Runs: the same input gives the same bytes, even with several simulations at a time, after a kill, an interruption, a
// full disk, or a truncated line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/command/strata_process.h"

namespace strata {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

constexpr int kPoints = 12;
constexpr int kRecordsOfAPoint = 2;

// A node of four cores with a short description: the other files of a run must be smaller than its records.
std::string small_machine() {
  const auto figure = [](const char* name, const char* value) {
    return std::string(name) + ": {value: 1, unit: " + value + ", source: measured}";
  };
  std::string text =
      "schema: strata.machine/1\nname: small\ndescription: four cores\nsource: none\n"
      "node: {synthetic: \"l3:2 core:2 pu:1\"}\nnetwork: {nodes: 1}\ncosts:\n  core: {" +
      figure("speed", "Gflop/s") + ", " + figure("copy_bandwidth", "GB/s") + "}\n  " + figure("eager_limit", "KiB") +
      "\n  levels:\n";
  for (const char* level : {"NUMANode", "L3"}) {  // hwloc adds a NUMA node below the machine
    text += std::string("    - {level: ") + level + ", " + figure("latency", "us") + ", " + figure("overhead", "us") +
            ", " + figure("bandwidth", "GB/s") + ", " + figure("link_bandwidth", "GB/s") + "}\n";
  }
  return text;
}

// A point takes 60 ms of real time, so that a run is long enough to be interrupted. The machine is in the same folder.
std::string slow_scenario(const std::string& more = "") {
  std::string values;
  for (int i = 0; i < kPoints; ++i) values += (i == 0 ? "" : ", ") + std::to_string(i);
  return "schema: strata.scenario/1\nname: slow\ntitle: a study that takes a while\nmachine: "
         "./machine.yaml\nprogram: " +
         built("tests/sim/slow.so") + "\nranks: 2\nsweep: {wall_ms: [60], i: [" + values +
         "]}\nmetric: {name: time, unit: s}\n" + more;
}

std::vector<std::string> run_command(const std::string& scenario, const fs::path& out,
                                     const std::vector<std::string>& more = {}) {
  std::vector<std::string> command = {"run", scenario, "--out", out};
  command.insert(command.end(), more.begin(), more.end());
  return command;
}

std::vector<std::string> records_in(const fs::path& out) { return lines_of(read_text(out / "records.jsonl")); }

// The number of points that a run simulated: it prints a line "[n/N] ..." for each.
int simulated(const Ran& ran) {
  int count = 0;
  for (const std::string& line : lines_of(ran.err)) count += line.rfind('[', 0) == 0 ? 1 : 0;
  return count;
}

// Waits until the run has written at least this many lines.
void wait_for_records(const fs::path& out, size_t lines) {
  const auto limit = std::chrono::steady_clock::now() + 10s;
  while (records_in(out).size() < lines) {
    ASSERT_LT(std::chrono::steady_clock::now(), limit) << "the run writes no records";
    std::this_thread::sleep_for(2ms);
  }
}

// Processes whose environment shows that they simulate for a run with this TMPDIR.
std::set<pid_t> simulators(const fs::path& tmpdir) {
  std::set<pid_t> found;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    // Empty for a process that has ended but has not been waited for.
    if (read_text(entry.path() / "environ").find("STRATA_MACHINE=" + tmpdir.string()) != std::string::npos) {
      found.insert(std::stoi(name));
    }
  }
  return found;
}

class Run : public ::testing::Test {
 protected:
  Run() : scenario_(folder_.write("slow.yaml", slow_scenario())), out_(folder_.path() / "out") {
    folder_.write("machine.yaml", small_machine());
    tmpdir_ = folder_.path() / "tmp";
    fs::create_directory(tmpdir_);
    around_.environment = {{"TMPDIR", tmpdir_}, {"SOURCE_DATE_EPOCH", "1500000000"}};
    around_.environment["STRATA_CACHE"] = folder_.path() / "cache";  // of strata mpi, for a scenario with `build`
  }
  // Compares records and manifest with those of an undisturbed run.
  void expect_same_as_undisturbed() {
    const fs::path calm = folder_.path() / "calm";
    const Ran ran = run_strata(run_command(scenario_, calm), around_);
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(simulated(ran), kPoints);
    EXPECT_EQ(read_text(out_ / "records.jsonl"), read_text(calm / "records.jsonl"));
    EXPECT_EQ(read_text(out_ / "manifest.json"), read_text(calm / "manifest.json"));
    EXPECT_TRUE(fs::is_empty(tmpdir_)) << "simulations leave nothing behind";
  }

  TemporaryFolder folder_;
  std::string scenario_;
  fs::path out_, tmpdir_;
  Surroundings around_;
};

TEST_F(Run, RecordsAreWhatTheProgramPrinted) {
  const Ran ran = run_strata(run_command(scenario_, out_), around_);
  ASSERT_EQ(ran.code, 0) << ran.err;
  const std::vector<std::string> records = records_in(out_);
  ASSERT_EQ(records.size(), static_cast<size_t>(kPoints * kRecordsOfAPoint));
  for (int i = 0; i < kPoints; ++i) {
    const Json time = Json::parse(records[2 * i]), inverse = Json::parse(records[2 * i + 1]);
    EXPECT_EQ(time["point"], i);
    EXPECT_EQ(time["parameters"], Json({{"wall_ms", 60}, {"i", i}}));
    EXPECT_EQ(time["value"].get<double>(), 1.0 / (3 + 2 * i)) << "to the last bit";
    EXPECT_EQ(time["unit"], "s");
    EXPECT_EQ(inverse["metric"], "inverse");
    EXPECT_EQ(inverse["value"], 3 + 2 * i);
  }
  const Json manifest = Json::parse(read_text(out_ / "manifest.json"));
  EXPECT_EQ(manifest["start"], "2017-07-14T02:40:00Z");  // from SOURCE_DATE_EPOCH
  EXPECT_EQ(manifest["end"], "2017-07-14T02:40:00Z");
}

// `strata run *.yaml`: the results of each scenario are those of a separate run.
TEST_F(Run, SeveralScenariosInOneCommand) {
  const std::string other = folder_.write("other.yaml", slow_scenario());
  const Ran ran = run_strata({"run", scenario_, other, "--out", out_}, around_);
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(simulated(ran), 2 * kPoints);
  const Ran alone = run_strata(run_command(scenario_, folder_.path() / "alone"), around_);
  ASSERT_EQ(alone.code, 0) << alone.err;
  for (const char* name : {"slow", "other"}) {
    EXPECT_EQ(read_text(out_ / name / "records.jsonl"), read_text(folder_.path() / "alone" / "records.jsonl"));
  }
  EXPECT_EQ(ran.out, alone.out + "\n" + alone.out);
}

TEST_F(Run, OneWrongScenarioOfSeveralStopsBeforeTheFirstIsRun) {
  const Ran ran = run_strata({"run", scenario_, folder_.path() / "none.yaml", "--out", out_}, around_);
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("none.yaml"));
  EXPECT_FALSE(fs::exists(out_));
}

TEST_F(Run, TwoScenariosOfOneNameDoNotShareAFolder) {
  fs::create_directory(folder_.path() / "again");
  folder_.write("again/slow.yaml", slow_scenario());
  const Ran ran = run_strata({"run", scenario_, folder_.path() / "again/slow.yaml", "--out", out_}, around_);
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("would both go to " + (out_ / "slow").string()));
  EXPECT_FALSE(fs::exists(out_));
}

TEST_F(Run, SameBytesWithAnyJobsAndAgain) {
  ASSERT_EQ(run_strata(run_command(scenario_, out_, {"--jobs", "4"}), around_).code, 0);
  expect_same_as_undisturbed();
  const std::string records = read_text(out_ / "records.jsonl"), manifest = read_text(out_ / "manifest.json");
  const Ran again = run_strata(run_command(scenario_, out_, {"--jobs", "1"}), around_);
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(simulated(again), kPoints) << "a finished run is made anew";
  EXPECT_EQ(read_text(out_ / "records.jsonl"), records);
  EXPECT_EQ(read_text(out_ / "manifest.json"), manifest);
  const Ran resumed = run_strata(run_command(scenario_, out_, {"--resume"}), around_);
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(simulated(resumed), 0) << "nothing is missing";
  EXPECT_EQ(read_text(out_ / "records.jsonl"), records);
}

// A run on a catalog machine measures simulated time, which does not depend on this computer.
TEST_F(Run, SimulatedTimesDoNotDependOnJobs) {
  const std::vector<std::string> sweep = {"--set", "elements=1,100", "--set", "ranks=48"};
  for (const char* jobs : {"1", "4"}) {
    std::vector<std::string> command = run_command("quickstart", folder_.path() / jobs, sweep);
    command.insert(command.end(), {"--jobs", jobs});
    ASSERT_EQ(run_strata(command, around_).code, 0);
  }
  const std::string records = read_text(folder_.path() / "1/records.jsonl");
  EXPECT_EQ(lines_of(records).size(), 8u);
  EXPECT_EQ(records, read_text(folder_.path() / "4/records.jsonl"));
  EXPECT_EQ(read_text(folder_.path() / "1/manifest.json"), read_text(folder_.path() / "4/manifest.json"));
}

class Interrupted : public Run, public ::testing::WithParamInterface<int> {};

TEST_P(Interrupted, HalfwayThenResumed) {
  const int number = GetParam();
  size_t there = 0;
  {
    Process run(strata_command(run_command(scenario_, out_, {"--jobs", "2"})), around_);
    wait_for_records(out_, kRecordsOfAPoint * 4);
    bool seen = false;  // sometimes one has ended and the next has not begun
    for (int i = 0; i < 100 && !seen; ++i) seen = !simulators(tmpdir_).empty();
    EXPECT_TRUE(seen) << "this test would not see a survivor";
    ASSERT_EQ(::kill(run.pid(), number), 0);
    const Ran ran = run.wait();
    if (number == SIGKILL) {
      EXPECT_EQ(ran.signal, SIGKILL);
      for (int i = 0; i < 500 && !simulators(tmpdir_).empty(); ++i) std::this_thread::sleep_for(10ms);
      for (const auto& left : fs::directory_iterator(tmpdir_)) fs::remove_all(left);  // a killed run cannot
    } else {
      EXPECT_EQ(ran.code, 128 + number);
      EXPECT_EQ(lines_of(ran.err).back(), "strata: interrupted; finished records are kept, continue with --resume");
    }
    EXPECT_TRUE(simulators(tmpdir_).empty()) << "a simulation outlived the run";
    there = records_in(out_).size() / kRecordsOfAPoint;
    ASSERT_GE(there, 4u);
    ASSERT_LT(there, static_cast<size_t>(kPoints)) << "the run was over before the signal";
  }
  const Ran refused = run_strata(run_command(scenario_, out_), around_);
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(refused.err, "strata: " + out_.string() +
                             ": holds an unfinished run; continue it with --resume, or choose another --out\n");
  const Ran resumed = run_strata(run_command(scenario_, out_, {"--resume"}), around_);
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(simulated(resumed), kPoints - static_cast<int>(there)) << "only what was missing";
  expect_same_as_undisturbed();
}

INSTANTIATE_TEST_SUITE_P(Signals, Interrupted, ::testing::Values(SIGKILL, SIGINT, SIGTERM, SIGHUP),
                         [](const auto& info) { return std::string("Signal") + std::to_string(info.param); });

// As under nohup: an ignored SIGHUP does not end the run.
TEST_F(Run, IgnoredSignalStaysIgnored) {
  around_.ignored_signals = {SIGHUP};
  Process run(strata_command(run_command(scenario_, out_)), around_);
  wait_for_records(out_, kRecordsOfAPoint);
  ASSERT_EQ(::kill(run.pid(), SIGHUP), 0);
  const Ran ran = run.wait();
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(records_in(out_).size(), static_cast<size_t>(kPoints * kRecordsOfAPoint));
}

// Interrupts a run, and returns the number of complete points that it leaves.
size_t leave_half(const std::string& scenario, const fs::path& out, const Surroundings& around) {
  Process run(strata_command(run_command(scenario, out, {"--jobs", "1"})), around);
  wait_for_records(out, kRecordsOfAPoint * 3);
  ::kill(run.pid(), SIGINT);
  EXPECT_EQ(run.wait().code, 128 + SIGINT);
  return records_in(out).size() / kRecordsOfAPoint;
}

TEST_F(Run, CutInTheLastLine) {
  const size_t there = leave_half(scenario_, out_, around_);
  const std::string records = read_text(out_ / "records.jsonl");
  const size_t last = records.rfind('\n', records.size() - 2) + 1;  // start of the last line
  const size_t first_of_point = records.rfind('\n', last - 2) + 1;  // and of the line before: the same point
  // Number of bytes that are left, and of additional points that must then be simulated.
  const std::vector<std::pair<size_t, int>> cuts = {
      {records.size() - 1, 1},   // no line feed: the line may be incomplete
      {last + 70, 1},            // half of the point's second record
      {last + 10, 1},            // too short to identify its point
      {last, 1},                 // a write that ended between two lines
      {first_of_point + 70, 1},  // half of the point's first record
  };
  for (const auto& [bytes, missing] : cuts) {
    const fs::path out = folder_.path() / ("cut-" + std::to_string(bytes));
    fs::copy(out_, out, fs::copy_options::recursive);
    std::ofstream(out / "records.jsonl", std::ios::binary) << records.substr(0, bytes);
    const Ran resumed = run_strata(run_command(scenario_, out, {"--resume"}), around_);
    EXPECT_EQ(resumed.code, 0) << resumed.err;
    EXPECT_EQ(simulated(resumed), kPoints - static_cast<int>(there) + missing) << bytes;
    EXPECT_EQ(records_in(out).size(), static_cast<size_t>(kPoints * kRecordsOfAPoint)) << bytes;
  }
}

TEST_F(Run, DamagedLine) {
  leave_half(scenario_, out_, around_);
  std::string records = read_text(out_ / "records.jsonl");
  const size_t second = records.find('\n') + 1;
  records[second] = '#';
  std::ofstream(out_ / "records.jsonl", std::ios::binary) << records;
  for (const std::vector<std::string>& command :
       {run_command(scenario_, out_, {"--resume"}), std::vector<std::string>{"report", out_}}) {
    const Ran ran = run_strata(command, around_);
    EXPECT_EQ(ran.code, 2);
    EXPECT_EQ(ran.err,
              "strata: " + (out_ / "records.jsonl").string() +
                  ":2: is not a record of schema strata.record/1; remove the line and run again with --resume\n");
  }
  EXPECT_EQ(read_text(out_ / "records.jsonl"), records) << "nothing is touched";
}

TEST_F(Run, AnotherRunInTheFolder) {
  ASSERT_EQ(run_strata(run_command(scenario_, out_), around_).code, 0);
  const std::string records = read_text(out_ / "records.jsonl"), manifest = read_text(out_ / "manifest.json");
  const std::string arguments = folder_.write("arguments.yaml", slow_scenario("arguments: [--j, 1]\n"));
  struct Case {
    std::string scenario;
    std::vector<std::string> more;
    std::string differs;
  };
  const std::vector<Case> cases = {{scenario_, {"--set", "i=1,2"}, "study"},
                                   {arguments, {}, "study"},
                                   {scenario_, {"--set", "ranks=3"}, "study"},
                                   {scenario_, {"--set", "seed=2"}, "seed"},
                                   {scenario_, {"--set", "machine=ntw10e5"}, "machine"},
                                   {scenario_, {"--set", "map_by=l3"}, "placement of ranks"},
                                   {scenario_, {"--set", "bind_to=none"}, "placement of ranks"}};
  for (const Case& c : cases) {
    for (const char* resume : {"", "--resume"}) {
      std::vector<std::string> command = run_command(c.scenario, out_, c.more);
      if (*resume != '\0') command.push_back(resume);
      const Ran ran = run_strata(command, around_);
      EXPECT_EQ(ran.code, 2) << ::testing::PrintToString(c.more);
      EXPECT_EQ(ran.err, "strata: " + out_.string() + ": holds another run (slow on small): its " + c.differs +
                             " differs; choose another --out\n");
    }
  }
  EXPECT_EQ(read_text(out_ / "records.jsonl"), records);
  EXPECT_EQ(read_text(out_ / "manifest.json"), manifest);
}

TEST_F(Run, TwoAtOnceInAFolder) {
  Process first(strata_command(run_command(scenario_, out_, {"--jobs", "1"})), around_);
  wait_for_records(out_, kRecordsOfAPoint);
  const Ran second = run_strata(run_command(scenario_, out_, {"--resume"}), around_);
  EXPECT_EQ(second.code, 2);
  EXPECT_THAT(second.err, HasSubstr("out: is being written by another run"));
  EXPECT_EQ(first.wait().code, 0);
  expect_same_as_undisturbed();
}

// A limit on the size of files: the write of a record fails in the middle of a line, as on a full disk. If the command
// did not handle this limit, the signal SIGXFSZ would end it.
TEST_F(Run, FullDisk) {
  // A program of the catalog, because simulations do not write to it: only the records are large.
  const std::vector<std::string> study = {"--set", "machine=" + (folder_.path() / "machine.yaml").string(), "--set",
                                          "elements=1,2,3,4,5,6,7,8,9,10"};
  constexpr int kStudy = 40;  // points
  const auto quickstart = [&](const fs::path& out, const std::string& more, const Surroundings& around) {
    std::vector<std::string> command = run_command("quickstart", out, study);
    command.insert(command.end(), {"--jobs", "1"});
    if (!more.empty()) command.push_back(more);
    return run_strata(command, around);
  };
  const fs::path calm = folder_.path() / "calm";
  ASSERT_EQ(quickstart(calm, "", around_).code, 0);
  const std::string all = read_text(calm / "records.jsonl");
  Surroundings full = around_;
  full.largest_file = static_cast<long>(all.size()) - 300;  // B: half of the second-to-last point fits
  for (const auto& entry : fs::recursive_directory_iterator(calm)) {
    if (entry.is_regular_file() && entry.path().filename() != "records.jsonl") {
      ASSERT_LT(fs::file_size(entry), static_cast<size_t>(full.largest_file)) << entry << " would not fit either";
    }
  }
  const Ran ran = quickstart(out_, "", full);
  EXPECT_EQ(ran.signal, 0);
  EXPECT_EQ(ran.code, 2) << ran.err;
  EXPECT_EQ(lines_of(ran.err).back(), "strata: " + (out_ / "records.jsonl").string() +
                                          ": cannot be written: File too large; free space or choose another place; "
                                          "finished records are kept: --resume");
  EXPECT_EQ(simulated(ran), kStudy - 2);
  const std::string kept = read_text(out_ / "records.jsonl");
  EXPECT_EQ(lines_of(kept).size(), static_cast<size_t>(kStudy - 2));
  EXPECT_EQ(all.substr(0, kept.size()), kept) << "no half lines";
  const Ran resumed = quickstart(out_, "--resume", around_);
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(simulated(resumed), 2);
  EXPECT_EQ(read_text(out_ / "records.jsonl"), all);
  EXPECT_EQ(read_text(out_ / "manifest.json"), read_text(calm / "manifest.json"));
}

// A folder keeps its run if the next run there does not get as far as a first point.
TEST_F(Run, OneThatCannotStartLosesNothing) {
  const std::string program = folder_.path() / "program.so", wish = folder_.path() / "wish.so";
  fs::copy(built("tests/sim/slow.so"), wish);
  const std::string scenario =
      folder_.write("built.yaml",
                    "schema: strata.scenario/1\nname: built\ntitle: one that is built\nmachine: ./machine.yaml\n"
                    "program: " +
                        program + "\nbuild: cp " + wish + " " + program +
                        "\nranks: 2\nsweep: {wall_ms: [60], i: [1, 2]}\nmetric: {name: time, unit: s}\n");
  ASSERT_EQ(run_strata(run_command(scenario, out_), around_).code, 0);
  const auto files = [&] {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(out_)) {
      const std::string name = entry.path().lexically_relative(out_);
      const bool log = name.find("again-") != std::string::npos || name.starts_with("output/build");
      if (entry.is_regular_file() && !log) all[name] = read_text(entry.path());
    }
    return all;
  };
  const auto before = files();
  EXPECT_GT(before.at("records.jsonl").size(), 0U);
  const auto expect_kept = [&](int code, const std::string& what, const std::string& error, const Surroundings& around,
                               const std::vector<std::string>& more = {}) {
    const Ran ran = run_strata(run_command(scenario, out_, more), around);
    EXPECT_EQ(ran.code, code) << what << ": " << ran.err;
    EXPECT_THAT(ran.err, HasSubstr(error)) << what;
    EXPECT_TRUE(files() == before) << what;
  };
  Surroundings nowhere = around_;
  nowhere.environment["TMPDIR"] = "/nonexistent";
  expect_kept(2, "no scratch folder", "/nonexistent", nowhere);
  expect_kept(2, "a wrong setting", "holds another run", around_, {"--set", "i=7"});
  expect_kept(2, "an unknown setting", "", around_, {"--set", "nothing=7"});
  fs::remove(wish);
  expect_kept(2, "no source", "failed with status", around_);
  fs::copy(built("tests/sim/misbehave.so"), wish);
  expect_kept(3, "another program, which crashes", "again-point-", around_);
  std::ofstream(wish) << "no program";
  expect_kept(3, "no program", "again-point-", around_);
  fs::remove(wish);
  fs::copy(built("tests/sim/slow.so"), wish);
  Surroundings full = around_;
  full.largest_file = 100;  // B: less than the manifest
  full.ignored_signals = {SIGXFSZ};
  EXPECT_NE(run_strata(run_command(scenario, out_), full).code, 0);
  EXPECT_TRUE(files() == before) << "a full disk";
  {
    Process interrupted(strata_command(run_command(scenario, out_)), around_);
    std::this_thread::sleep_for(40ms);  // s: a point takes 60 ms
    ::kill(interrupted.pid(), SIGINT);
    const Ran ran = interrupted.wait();
    if (simulated(ran) == 0) {
      EXPECT_TRUE(files() == before) << "Ctrl-C before the first point";
    }
  }
  // The next run brings back what a killed one has moved aside.
  fs::create_directory(out_ / ".earlier");
  for (const char* name : {"manifest.json", "records.jsonl", "machine.yaml"})
    fs::rename(out_ / name, out_ / ".earlier" / name);
  std::ofstream(out_ / "records.jsonl") << "";
  expect_kept(2, "after a kill", "/nonexistent", nowhere);
  EXPECT_FALSE(fs::exists(out_ / ".earlier"));
  // And a run that gets there replaces them.
  const Ran again = run_strata(run_command(scenario, out_), around_);
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_TRUE(files().at("records.jsonl") == before.at("records.jsonl"));
  EXPECT_FALSE(fs::exists(out_ / "output/again-point-0.out"));
}

// A run works even if stderr is closed or cannot be written, and its messages do not end up in its files.
TEST_F(Run, WithoutStandardError) {
  around_.closed = {0, 2};
  const Ran ran = run_strata(run_command(scenario_, out_), around_);
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.err, "");
  around_.closed = {};
  expect_same_as_undisturbed();
}

// If a record agrees with no model, the exit code is 1.
TEST_F(Run, DisagreementIsExitCodeOne) {
  const Ran ran = run_strata(
      run_command("quickstart", out_, {"--set", "elements=1", "--set", "variant=native", "--set", "algorithm=linear"}),
      around_);
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("0 disagree"));
  const Ran sound = run_strata({"report", out_}, around_);
  EXPECT_EQ(sound.code, 0) << sound.err;
  Json record = Json::parse(records_in(out_)[0]);
  record["value"] = record["value"].get<double>() * 1.03;  // the tolerance is 2 %
  std::ofstream(out_ / "records.jsonl") << record.dump() << "\n";
  const Ran wrong = run_strata({"report", out_}, around_);
  EXPECT_EQ(wrong.code, 1);
  EXPECT_THAT(wrong.err, HasSubstr("a model disagrees with the simulation"));
  EXPECT_TRUE(fs::exists(out_ / "report/report.md")) << wrong.out;
}

}  // namespace
}  // namespace strata
