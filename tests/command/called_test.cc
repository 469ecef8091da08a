// SPDX-License-Identifier: LGPL-2.1-only
// strata collectives tune and evaluate with --trace: for the calls of a program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "records/trace/trace_file.h"
#include "tests/command/expect_refused.h"
#include "tests/command/strata_process.h"

namespace strata {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

constexpr const char* kRanks = "8";

class CalledCollectives : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path() / name; }
  // Records the program of programs/called.cc, of this kind: under SMPI, or with a real library.
  std::string recorded(const std::string& machine = "ntw10e5", const Words& options = {},
                       const std::string& program = "called.so") const {
    std::string file = path("called.mpitrace");
    Words words = {"exec", "--machine", machine, "-n", kRanks, "--no-summary", "--record", file};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), {"--", built("tests/command/" + program)});
    const Ran ran = run_strata(words);
    EXPECT_EQ(ran.code, 0) << ran.err;
    return file;
  }
  TemporaryFolder folder_;
};

Json document(const Words& words) {
  const Ran ran = run_strata(words);
  EXPECT_EQ(ran.code, 0) << ran.err;
  return ran.code == 0 ? Json::parse(ran.out) : Json();
}

// "bcast 8 800 x1", ..., in the order of the cells.
Words cells_of(const Json& tuned) {
  Words cells;
  for (const Json& c : tuned["cells"]) {
    cells.push_back(c["op"].get<std::string>() + " " + c["ranks"].dump() + " " + c["bytes"].dump() + " x" +
                    c["calls"].dump());
  }
  return cells;
}

const Words kCells = {"allgather 8 28 x1",
                      "allgatherv 8 108 x1",  // 10 to 17 doubles
                      "allreduce 8 52 x5",
                      "alltoall 8 36 x1",
                      "alltoallv 8 44 x1",
                      "barrier 8 0 x1",
                      "bcast 2 4 x1",
                      "bcast 2 8 x13",  // of all pairs together
                      "bcast 6 4 x3",
                      "bcast 8 800 x1",
                      "exscan 8 60 x1",
                      "gather 8 24 x1",
                      "gather 8 32 x1",
                      "reduce 8 48 x1",
                      "reduce_scatter 8 56 x1",        // 54 B, in whole floats
                      "reduce_scatter_block 8 20 x1",  // 17 B
                      "scan 8 56 x1",
                      "scatter 8 40 x1",
                      "scatter 8 48 x1"};

TEST_F(CalledCollectives, AreThoseOfTheProgram) {
  const std::string file = recorded();
  const Json tuned = document({"collectives", "tune", "--trace", file, "--out", path("rules.conf"), "--json"});
  EXPECT_EQ(cells_of(tuned), kCells);
  EXPECT_EQ(tuned["machine"], "ntw10e5");
  const Json& program = tuned["program"];
  EXPECT_EQ(program["name"], "called");
  EXPECT_EQ(program["ranks"], 8);
  EXPECT_EQ(program["calls"], 37);
  EXPECT_EQ(program["others"].dump(), R"([{"function":"MPI_Gatherv","calls":1},{"function":"MPI_Ibcast","calls":1}])");
  double library_s = 0, rules_s = 0;
  for (const Json& c : tuned["cells"]) {
    const double calls = c["calls"], own_s = c["own_s"], best_s = c["best_s"];
    library_s += calls * own_s;
    rules_s += calls * (c["rule"]["number"] == 0 ? own_s : best_s);
  }
  ASSERT_EQ(program["times"].size(), 2u);
  EXPECT_DOUBLE_EQ(program["times"][0]["seconds"], library_s);
  EXPECT_DOUBLE_EQ(program["times"][1]["seconds"], rules_s);
  EXPECT_LT(rules_s, library_s);
}

// The program calls the same collectives, regardless of the library whose algorithms the recording has.
TEST_F(CalledCollectives, DoNotDependOnTheAlgorithmsOfTheRecording) {
  const std::string file = recorded("ntw10e5", {"--mpi", "openmpi-4.1"});
  EXPECT_EQ(cells_of(document({"collectives", "tune", "--trace", file, "--out", path("rules.conf"), "--json"})),
            kCells);
}

// Real libraries are asked what their handles are.
TEST_F(CalledCollectives, AreThoseOfAProgramWithARealLibrary) {
  for (const std::string library : {"openmpi", "mpich"}) {
    SCOPED_TRACE(library);
    const std::string file = recorded("ntw10e5", {}, "called_" + library);
    const Json tuned = document({"collectives", "tune", "--trace", file, "--out", path(library + ".conf"), "--json"});
    EXPECT_EQ(cells_of(tuned), kCells);
    EXPECT_THAT(tuned["library"], library == "mpich" ? StartsWith("MPICH 4.") : StartsWith("Open MPI "));
    EXPECT_EQ(tuned["program"]["others"].dump(),
              R"([{"function":"MPI_Gatherv","calls":1},{"function":"MPI_Ibcast","calls":1}])");
  }
}

// Fortran's arguments are addresses, and Open MPI's handles are other ones.
TEST_F(CalledCollectives, AreThoseOfAFortranProgram) {
  folder_.write("called.f90",
                "program called\n"
                "  use mpi_f08\n"
                "  type(MPI_Comm) :: pair\n"
                "  integer :: rank, data(100), all(10), counts(4) = [1, 2, 3, 4], places(4) = [0, 1, 3, 6]\n"
                "  call MPI_Init()\n"
                "  call MPI_Comm_rank(MPI_COMM_WORLD, rank)\n"
                "  data = 1\n"
                "  call MPI_Bcast(data, 100, MPI_INTEGER, 1, MPI_COMM_WORLD)\n"
                "  call MPI_Allgatherv(data, rank + 1, MPI_INTEGER, all, counts, places, MPI_INTEGER, "
                "MPI_COMM_WORLD)\n"
                "  call MPI_Comm_split(MPI_COMM_WORLD, rank / 2, -rank, pair)\n"
                "  call MPI_Gather(data, 3, MPI_INTEGER, data(50:), 3, MPI_INTEGER, 0, pair)\n"
                "  call MPI_Finalize()\n"
                "end program\n");
  for (const std::string library : {"openmpi", "mpich"}) {
    SCOPED_TRACE(library);
    const std::string program = path("called_" + library), file = path(library + ".mpitrace");
    const std::string build = "mpifort." + library + " -o '" + program + "' '" + path("called.f90") + "' -J '" +
                              folder_.path().string() + "'";
    ASSERT_EQ(std::system(build.c_str()), 0);
    const Ran ran =
        run_strata({"exec", "--machine", "ntw10e5", "-n", "4", "--no-summary", "--record", file, "--", program});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const Json tuned = document({"collectives", "tune", "--trace", file, "--out", path(library + ".conf"), "--json"});
    EXPECT_EQ(cells_of(tuned), (Words{"allgatherv 4 10 x1", "bcast 4 400 x1", "gather 2 12 x2"}));
    EXPECT_THAT(read_trace(file).communicators, ::testing::Contains(ElementsAre(1, 0)));
  }
}

// The communicator with most calls of as many ranks is the one that is timed: ranks 4 and 5, and 7 to 2.
TEST_F(CalledCollectives, AreOnThePlacesOfTheirCommunicators) {
  const Trace trace = read_trace(recorded("ntw10e5", {"--map-by", "node"}));
  EXPECT_THAT(trace.communicators, ::testing::Contains(ElementsAre(7, 6, 5, 4, 3, 2)));
  EXPECT_THAT(trace.communicators, ::testing::Contains(ElementsAre(4, 5)));
  const auto time_of_pairs = [&](const Words& more) {
    Words words = {"collectives", "evaluate", "--trace", path("called.mpitrace"), "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const Json evaluated = document(words);
    for (const Json& c : evaluated["cells"]) {
      if (c["op"] == "bcast" && c["ranks"] == 2 && c["bytes"] == 8) return c["seconds"][0].get<double>();
    }
    return 0.0;
  };
  const auto explained = [](const std::string& map_by) {
    return document({"collectives", "explain", "--machine", "ntw10e5", "-n", "2", "--map-by", map_by, "--op", "bcast",
                     "--bytes", "8", "--json"})["time"]["value"]
        .get<double>();
  };
  EXPECT_DOUBLE_EQ(time_of_pairs({}), explained("node"));  // as recorded
  EXPECT_DOUBLE_EQ(time_of_pairs({"--map-by", "socket"}), explained("socket"));
}

// The rules make the program as a whole faster, not only its calls.
TEST_F(CalledCollectives, AreFasterInTheProgramWithTheRules) {
  const std::string guest = built("tests/command/called.so"), rules = path("rules.conf");
  const std::string file = recorded("ntw10e5", {"--map-by", "node"});
  const Json tuned = document({"collectives", "tune", "--trace", file, "--out", rules, "--json"});
  const auto seconds = [&](const Words& options) {
    const std::string json = path("exec.json");
    Words words = {"exec", "--machine",    "ntw10e5", "-n",          kRanks,   "--map-by",
                   "node", "--no-summary", "--mpi",   "openmpi-4.1", "--json", json};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), {"--", guest});
    const Ran ran = run_strata(words);
    EXPECT_EQ(ran.code, 0) << ran.err;
    return Json::parse(read_text(json))["simulated_time"]["value"].get<double>();
  };
  const double without_s = seconds({}), with_s = seconds({"--rules", rules});
  const Json& times = tuned["program"]["times"];
  const double saved_s = times[0]["seconds"].get<double>() - times[1]["seconds"].get<double>();
  std::printf("%.4g us less of %.4g us, %.4g us by the times of the calls\n", 1e6 * (without_s - with_s),
              1e6 * without_s, 1e6 * saved_s);
  EXPECT_GT(without_s - with_s, saved_s / 4);  // ranks of the program do not begin a call together
  EXPECT_LT(without_s - with_s, saved_s * 4);
}

TEST_F(CalledCollectives, SayWhatTheProgramSaves) {
  const Ran ran = run_strata({"collectives", "tune", "--trace", recorded(), "--out", path("rules.conf")});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("called: 37 calls of collectives on 8 ranks; each takes, if its ranks begin"));
  EXPECT_THAT(ran.out, HasSubstr("% less"));
  EXPECT_THAT(ran.out, HasSubstr("Not among them, because no file of rules chooses their algorithm: MPI_Gatherv (1), "
                                 "MPI_Ibcast (1)"));
  EXPECT_THAT(ran.out, HasSubstr("bytes     calls     library"));
  const Ran evaluated = run_strata({"collectives", "evaluate", "--trace", path("called.mpitrace"), "--rules",
                                    path("rules.conf"), "--cells", path("rules.conf.cells.jsonl")});
  ASSERT_EQ(evaluated.code, 0) << evaluated.err;
  EXPECT_THAT(evaluated.out, HasSubstr("best algorithms"));
  EXPECT_THAT(evaluated.out, HasSubstr("hierarchical (RR-9077)"));
}

TEST_F(CalledCollectives, RefusesRecordingsWithoutThem) {
  const auto tune = [&](const std::string& name, const Words& more = {}) {
    Words words = {"collectives", "tune", "--out", path("rules.conf"), "--trace", path(name)};
    words.insert(words.end(), more.begin(), more.end());
    return run_strata(words);
  };
  Trace trace = read_trace(recorded());
  trace.collectives.clear();
  write_trace(path("without.mpitrace"), trace);
  expect_refused(tune("without.mpitrace"), "without.mpitrace", "has no calls of blocking collectives on several ranks",
                 "record the program again");
  expect_refused(tune("called.mpitrace", {"--op", "bcast"}), "--op and --trace cannot be given together", "",
                 "see `strata collectives tune --help`");
  expect_refused(tune("called.mpitrace", {"-n", "4"}), "--np and --trace cannot be given together", "",
                 "see `strata collectives tune --help`");
  expect_refused(tune("missing.mpitrace"), "missing.mpitrace", "No such file", "give a trace");
}

// Times only a part of the grid on each computer; together they are the whole.
TEST(CollectivesTuneShards, TogetherAreTheWhole) {
  const TemporaryFolder folder;
  const std::string whole = folder.path() / "whole.conf", parts = folder.path() / "parts.conf";
  const auto tune = [](const std::string& out, const Words& more) {
    Words words = {"collectives",     "tune",    "--machine", "ntw10e5", "-n", "4,8,16", "--op",
                   "bcast,allreduce", "--bytes", "8,64K",     "--out",   out};
    words.insert(words.end(), more.begin(), more.end());
    return run_strata(words);
  };
  const Ran all = tune(whole, {});
  ASSERT_EQ(all.code, 0) << all.err;
  std::string cells;
  for (const std::string number : {"1", "2", "3", "4"}) {
    const Ran part = tune(parts, {"--shard", number + "/4"});
    ASSERT_EQ(part.code, 0) << part.err;
    EXPECT_THAT(part.out, HasSubstr("shard " + number + "/4: " + (number < "3" ? "4" : "2") + " of 12 calls"));
    EXPECT_FALSE(std::filesystem::exists(parts));
    cells += read_text(parts + ".shard-" + number + "-of-4.cells.jsonl");
  }
  folder.write("parts.conf.cells.jsonl", cells);
  const Ran together = tune(parts, {});
  ASSERT_EQ(together.code, 0) << together.err;
  EXPECT_EQ(read_text(parts), read_text(whole));
  EXPECT_EQ(together.out, all.out);
  EXPECT_EQ(read_text(parts + ".cells.jsonl"), cells);  // nothing was timed again
  expect_refused(tune(parts, {"--shard", "5/4"}), "--shard", "5/4", "");
}

}  // namespace
}  // namespace strata
