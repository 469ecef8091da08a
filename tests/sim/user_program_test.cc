// SPDX-License-Identifier: LGPL-2.1-only
// Scenarios of programs that do not know Strata: metrics found in their output, their arguments, their folder, and how
// they are built.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/command/strata_process.h"
#include "tests/sim/unit_machine.h"

namespace strata {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;

constexpr const char* kFom = "metric: {name: fom, pattern: '^FOM\\s*=\\s*(\\S+)', unit: z/s}\n";

class UserProgram : public ::testing::Test {
 protected:
  UserProgram() : out_(folder_.path() / "out") { folder_.write("machine.yaml", unit_machine()); }

  std::string scenario(const std::string& more, const std::string& program = built("tests/sim/plain.so")) const {
    return folder_.write("scenario.yaml",
                         "schema: strata.scenario/1\nname: p\ntitle: a program\nmachine: ./machine.yaml\nprogram: " +
                             program + "\nranks: 2\n" + more);
  }
  Ran run(const std::string& file, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> command = {"run", file, "--out", out_};
    command.insert(command.end(), more.begin(), more.end());
    Surroundings around;
    around.environment["STRATA_CACHE"] = folder_.path() / "cache";
    return run_strata(command, around);
  }
  // The values of a metric, by point.
  std::vector<double> values(const std::string& metric) const {
    std::vector<double> found;
    for (const std::string& line : lines_of(read_text(out_ / "records.jsonl"))) {
      const Json record = Json::parse(line);
      if (record["metric"] == metric) found.push_back(record["value"]);
    }
    return found;
  }
  std::string printed(int point) const { return read_text(out_ / ("output/point-" + std::to_string(point) + ".out")); }
  // Expects that a run failed with this exit code and this last line on stderr.
  void expect_refused(const Ran& ran, int code, const std::string& message) const {
    EXPECT_EQ(ran.code, code) << ran.err;
    ASSERT_FALSE(lines_of(ran.err).empty());
    EXPECT_THAT(lines_of(ran.err).back(), HasSubstr(message));
  }

  TemporaryFolder folder_;
  fs::path out_;
};

TEST_F(UserProgram, MetricsArePatternsOfWhatItPrints) {
  const std::string file =
      scenario("arguments: [-s, \"{size}\"]\nsweep: {size: [1, 2]}\n" + std::string(kFom) +
               "also: [{name: elapsed, pattern: 'Elapsed (\\S+)', unit: s}, {name: simulated_time, unit: s}]\n"
               "plots: [{name: fom, title: T, x: size, y: fom, series: []}]\n");
  const Ran ran = run(file);
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(values("fom"), (std::vector<double>{12.5, 25})) << "of the last line that matches";
  // The sender is busy for 1 us, and the byte with its envelope of 16 B arrives 17 ns later; then the last rank ends.
  for (const double t : values("elapsed")) EXPECT_NEAR(t, 1017 * kNs, kTolerance);
  EXPECT_EQ(values("simulated_time"), values("elapsed"));
  EXPECT_THAT(ran.out, HasSubstr("z/s"));
  const Json study = Json::parse(read_text(out_ / "manifest.json"))["study"];
  EXPECT_EQ(study["arguments"], Json({"-s", "{size}"})) << "as written";
  EXPECT_EQ(study["pattern"], "^FOM\\s*=\\s*(\\S+)");
  EXPECT_EQ(study["also"][0]["pattern"], "Elapsed (\\S+)");
  EXPECT_FALSE(study["also"][1].contains("pattern"));

  const Ran again = run(file, {"--resume"});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_THAT(again.err, ::testing::Not(HasSubstr("[1/2]"))) << "nothing is missing";
  EXPECT_EQ(run_strata({"report", out_}).code, 0);
  // If one record of the second point is lost, the point is simulated again.
  std::string records = read_text(out_ / "records.jsonl");
  records.erase(records.rfind('\n', records.size() - 2) + 1);
  folder_.write("out/records.jsonl", records);
  const Ran resumed = run(file, {"--resume"});
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_THAT(resumed.err, HasSubstr("[2/2] size=2: 25.00 z/s"));
  EXPECT_EQ(values("fom"), (std::vector<double>{12.5, 25}));

  out_ = folder_.path() / "set";
  ASSERT_EQ(run(file, {"--set", "size=4,8,16"}).code, 0);
  EXPECT_EQ(values("fom"), (std::vector<double>{50, 100, 200}));
}

TEST_F(UserProgram, WithoutAMetricItIsTheSimulatedTime) {
  const Ran ran = run(scenario("sweep: {i: [1, 2]}\n"));
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(values("simulated_time").size(), 2u);
  EXPECT_NEAR(values("simulated_time")[0], 1017 * kNs, kTolerance);
  EXPECT_EQ(Json::parse(read_text(out_ / "manifest.json"))["study"]["metric"], "simulated_time");
  // A program of the catalog must print its metric, but can also be timed as a whole.
  expect_refused(run(scenario("sweep: {algorithm: [linear]}\n", "collective")), 2, "'metric' is missing; give");
  out_ = folder_.path() / "collective";
  ASSERT_EQ(run(scenario("arguments: [--elements, 1, --variant, native]\nsweep: {algorithm: [linear]}\n"
                         "metric: {name: time, unit: s}\nalso: [{name: simulated_time, unit: s}]\n",
                         "collective"))
                .code,
            0);
  EXPECT_GT(values("simulated_time").at(0), values("time").at(0));
}

TEST_F(UserProgram, ArgumentsAreGivenAsTheyAre) {
  const std::string file = scenario(
      "arguments: [-t, \"{title}\", '', \"{ranks} * {{x}\", --help, --cfg=no]\nsweep:\n  title: [\"a 'b' *\", \"-\"]\n"
      "metric: {name: count, pattern: 'arguments (\\d+)', unit: \"1\"}\n");
  ASSERT_EQ(run(file).code, 0);
  EXPECT_EQ(values("count"), (std::vector<double>{7, 7}));
  EXPECT_THAT(printed(0), HasSubstr("title <a 'b' *>\n"));
  EXPECT_THAT(printed(1), HasSubstr("title <->\n"));
  out_ = folder_.path() / "set";
  ASSERT_EQ(run(file, {"--set", "title=x  y, z"}).code, 0);
  EXPECT_THAT(printed(0), HasSubstr("title <x  y>\n"));
  EXPECT_THAT(printed(1), HasSubstr("title <z>\n"));
  out_ = folder_.path() / "dashes";
  expect_refused(run(file, {"--set", "title=--"}), 2,
                 "the program's argument '--': is lost on the way: SimGrid drops it");
}

// Axes that no argument refers to are options; so are the parameters of a case.
TEST_F(UserProgram, OtherParametersAreOptions) {
  const std::string file =
      scenario("arguments: [-s, \"{size}\"]\nsweep: {how: {small: {size: 2, t: a}, large: {size: 4, t: b}}}\n" +
               std::string(kFom) + "also: [{name: count, pattern: 'arguments (\\d+)', unit: \"1\"}]\n");
  ASSERT_EQ(run(file).code, 0);
  EXPECT_EQ(values("fom"), (std::vector<double>{25, 50}));
  EXPECT_EQ(values("count"), (std::vector<double>{5, 5})) << "-s 2 --t a";
}

TEST_F(UserProgram, RunsInItsFolder) {
  fs::create_directory(folder_.path() / "my input");
  folder_.write("my input/input.txt", "100\n");
  const std::string file = scenario("folder: my input\narguments: [-s, \"{size}\"]\nsweep: {size: [1, 2, 3]}\n" +
                                    std::string(kFom) + "traces: true\ntraffic: on\n");
  const Ran ran = run(file, {"--jobs", "3"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(values("fom"), (std::vector<double>{1250, 2500, 3750}));
  EXPECT_EQ(read_text(folder_.path() / "my input/output.txt"), "1\n2\n3\n") << "one after another";
  std::vector<std::string> there;
  for (const auto& entry : fs::directory_iterator(folder_.path() / "my input"))
    there.push_back(entry.path().filename());
  EXPECT_THAT(there, ::testing::UnorderedElementsAre("input.txt", "output.txt")) << "nothing of ours";
  EXPECT_TRUE(fs::exists(out_ / "traces/point-2.paje"));
  EXPECT_TRUE(fs::exists(out_ / "traffic/point-2/links.csv"));
  EXPECT_EQ(Json::parse(read_text(out_ / "manifest.json"))["study"]["folder"], "my input");

  out_ = folder_.path() / "none";
  expect_refused(run(file, {"--set", "folder=" + (folder_.path() / "no such").string()}), 2,
                 "is not a folder; make it, or name another");
  EXPECT_FALSE(fs::exists(out_)) << "nothing is written before the input is right";
}

TEST_F(UserProgram, APatternThatFindsNothing) {
  const std::string file = scenario("arguments: [-e, x]\nsweep: {i: [1]}\n" + std::string(kFom));
  expect_refused(
      run(file), 3,
      "strata: point i=1: no line that the program printed matches '^FOM\\s*=\\s*(\\S+)', the pattern of fom "
      "(output: " +
          (out_ / "output/point-0.out").string() + ")");
  EXPECT_THAT(printed(0), HasSubstr("step 1"));
  out_ = folder_.path() / "text";
  expect_refused(run(scenario("metric: {name: fom, pattern: 'FOM  = 12.5 (\\S+)', unit: z/s}\n")), 3,
                 "the pattern of fom, found 'z/s', which is not a number (output: ");
  out_ = folder_.path() / "wrong";
  expect_refused(run(scenario("metric: {name: fom, pattern: 'FOM (', unit: z/s}\n")), 2,
                 "scenario.yaml:7: metric.pattern: 'FOM (' cannot be used: missing ): FOM (; write for example");
}

TEST_F(UserProgram, IsBuiltFirst) {
  const std::string more = "build: command -v mpicc; echo making >> log; cp " + built("tests/sim/plain.so") +
                           " './my program.so' && echo done\nsweep: {i: [1, 2]}\n" + kFom;
  const std::string file = scenario(more, "./my program.so");
  ASSERT_EQ(run(file).code, 0);
  const std::string made = read_text(out_ / "output/build.out"), mpi = folder_.path() / "cache/mpi/";
  EXPECT_THAT(made, ::testing::StartsWith(mpi)) << "the compilers of strata mpi";
  EXPECT_THAT(made, ::testing::EndsWith("/bin/mpicc\ndone\n"));
  EXPECT_EQ(read_text(out_ / "output/build.err"), "");
  EXPECT_EQ(values("fom").size(), 2u);
  EXPECT_EQ(run(file, {"--resume"}).code, 0);
  EXPECT_EQ(read_text(folder_.path() / "log"), "making\n") << "the program is there";
  fs::remove(folder_.path() / "my program.so");
  EXPECT_EQ(run(file, {"--resume"}).code, 0);
  EXPECT_EQ(read_text(folder_.path() / "log"), "making\nmaking\n");
  EXPECT_EQ(run(file).code, 0);
  EXPECT_EQ(read_text(folder_.path() / "log"), "making\nmaking\nmaking\n") << "made again from the start";
}

// Another mpicc comes first on the PATH. Both commands build with the simulator's all the same, on the same prefix.
TEST_F(UserProgram, IsBuiltWithTheSimulatorsCompilersByEachCommand) {
  fs::create_directory(folder_.path() / "other");
  const std::string other = folder_.write("other/mpicc", "#!/bin/sh\nexit 1\n");
  fs::permissions(other, fs::perms::owner_all);
  const std::string file = scenario(
      "build: command -v mpicc; cat \"$(dirname \"$(command -v mpirun)\")\"/../share/strata/launch.sh; cp " +
          built("tests/sim/plain.so") +
          " './my program.so'\nsweep: {i: [1]}\nclaims:\n  - {id: fast, paper: none, text: a claim, quantity: fom, "
          "over: max, value: 1e9, relation: at_most}\n" +
          kFom,
      "./my program.so");
  std::map<std::string, std::string> made;  // by command
  for (const std::string command : {"run", "check"}) {
    Surroundings around;
    around.environment["STRATA_CACHE"] = folder_.path() / "cache";
    around.environment["PATH"] = (folder_.path() / "other").string() + ":" + std::getenv("PATH");
    const Ran ran = run_strata({command, file, "--out", out_}, around);
    ASSERT_EQ(ran.code, 0) << command << ": " << ran.err;
    made[command] = read_text(out_ / "output/build.out");
  }
  EXPECT_THAT(made["run"], ::testing::StartsWith((folder_.path() / "cache/mpi/").string()));
  EXPECT_EQ(made["check"], made["run"]);
}

TEST_F(UserProgram, ABuildThatFails) {
  const std::string file =
      scenario("source: \"somewhere, version 2\"\nbuild: test -e sources || { echo no sources >&2; exit 7; }\n" +
               std::string(kFom));
  folder_.write("sources", "");
  ASSERT_EQ(run(file).code, 0);
  const std::string records = read_text(out_ / "records.jsonl");
  fs::remove(folder_.path() / "sources");
  const Ran ran = run(file);
  expect_refused(ran, 2,
                 file +
                     ": build: `test -e sources || { echo no sources >&2; exit 7; }` failed with status 7: "
                     "no sources; see " +
                     (out_ / "output/build.err").string() + "; the program comes from somewhere, version 2");
  EXPECT_EQ(lines_of(ran.err).size(), 1u);
  EXPECT_EQ(read_text(out_ / "output/build.err"), "no sources\n");
  EXPECT_EQ(read_text(out_ / "records.jsonl"), records) << "nothing is lost";
  EXPECT_EQ(run_strata({"report", out_}).code, 0);
}

TEST_F(UserProgram, ThatIsMissingComesFromSomewhere) {
  expect_refused(run(scenario("source: https://somewhere\n" + std::string(kFom), "./none")), 2,
                 "none': does not exist; it comes from https://somewhere; build it with the compilers of `strata mpi`, "
                 "and give its path with --set program=PATH");
  expect_refused(run(scenario("build: \"true\"\nsource: https://somewhere\n" + std::string(kFom), "./none")), 2,
                 "none': does not exist; it comes from https://somewhere");
}

// The reference may use a number that the program prints in any case.
TEST_F(UserProgram, IsAReference) {
  const std::string file = scenario(
      "arguments: [-t, \"{ranks}\"]\nsweep: {i: [1]}\nreference: {ranks: all, arguments: [-s, 3], metric: fom, option: "
      "work}\n" +
      std::string(kFom));
  ASSERT_EQ(run(file).code, 0);
  EXPECT_EQ(Json::parse(read_text(out_ / "manifest.json"))["reference"], 37.5);
  EXPECT_THAT(read_text(out_ / "output/reference.out"), HasSubstr("title <8>"));
  EXPECT_THAT(printed(0), HasSubstr("title <2>"));
}

}  // namespace
}  // namespace strata
