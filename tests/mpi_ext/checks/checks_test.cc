// SPDX-License-Identifier: LGPL-2.1-only
// strata exec --check with programs that have exactly one mistake (planted.c), and with the same programs without it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/command/strata_process.h"

namespace strata {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;
using Words = std::vector<std::string>;

const std::string kPlanted = "tests/mpi_ext/checks/planted.so";

// A program of planted.c, and what is found.
struct Planted {
  std::string name, kind, check;
  std::string text = {};        // of the call; empty: not compared
  std::vector<int> ranks = {};  // empty: not compared
  std::string at = {};          // the mark of the call, if it is not the name; "-": none
};

void PrintTo(const Planted& planted, std::ostream* out) { *out << planted.name; }

// "planted.c:12": the line with the mark @NAME.
std::string marked(const std::string& name) {
  std::istringstream source(read_text(built("tests/mpi_ext/checks/planted.c")));
  int number = 0;
  for (std::string line; std::getline(source, line);) {
    ++number;
    const size_t at = line.find("@" + name);
    if (at == std::string::npos) continue;
    const char next = at + name.size() + 1 < line.size() ? line[at + name.size() + 1] : ' ';
    if (next == ' ') return "planted.c:" + std::to_string(number);
  }
  return "";
}

Words command(const std::string& name, const std::string& how, const Words& options = {}) {
  Words words = {"exec", "--machine", "ntw10e5", "-n", "3", "--check", "--no-summary"};
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), {"--", built(kPlanted), name, how});
  return words;
}

Json findings_of(const std::string& name, const std::string& how, int code) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "out.json";
  const Ran ran = run_strata(command(name, how, {"--json", file}));
  EXPECT_EQ(ran.code, code) << ran.err;
  return Json::parse(read_text(file)).at("findings");
}

class Checks : public ::testing::TestWithParam<Planted> {};

TEST_P(Checks, FindTheMistakeAndNothingElse) {
  const Planted& expected = GetParam();
  const Json findings = findings_of(expected.name, "wrong", 1);
  ASSERT_EQ(findings.size(), 1U) << findings.dump(2);
  const Json& found = findings[0];
  EXPECT_EQ(found.at("class"), expected.kind);
  EXPECT_EQ(found.at("check"), expected.check);
  if (!expected.text.empty()) {
    EXPECT_EQ(found.at("text"), expected.text);
  }
  if (!expected.ranks.empty()) {
    EXPECT_EQ(found.at("ranks"), expected.ranks);
  }
  if (expected.at != "-") {
    EXPECT_EQ(found.at("location"), marked(expected.at.empty() ? expected.name : expected.at));
  }
  const std::string other = marked(expected.name + "-other");
  if (!other.empty()) {
    EXPECT_EQ(found.at("others")[0].at("location"), other);
  }
}

TEST_P(Checks, FindNothingInTheCorrectedProgram) { EXPECT_EQ(findings_of(GetParam().name, "right", 0), Json::array()); }

INSTANTIATE_TEST_SUITE_P(
    OfArguments, Checks,
    ::testing::Values(
        Planted{"null-communicator", "argument", "null-communicator", "its communicator is MPI_COMM_NULL"},
        Planted{"freed-handle", "argument", "freed-handle", "its communicator is freed"},
        Planted{"null-datatype", "argument", "null-datatype"},
        Planted{"uncommitted-type", "argument", "uncommitted-type"},
        Planted{"count", "argument", "count", "its count is -1"},
        Planted{"destination", "argument", "destination", "its destination is 3, and the communicator has 3 ranks"},
        Planted{"source", "argument", "source"}, Planted{"tag", "argument", "tag", "its tag is -7"},
        Planted{"root-out-of-range", "argument", "root"}, Planted{"null-buffer", "argument", "null-buffer", "", {0}},
        Planted{"null-operation", "argument", "null-operation"},
        Planted{"operation-for-type", "argument", "operation",
                "its operation is MPI_BAND, and its datatype is MPI_DOUBLE"},
        Planted{"dimensions", "argument", "dimensions"}, Planted{"no-mesh", "argument", "no-mesh"},
        Planted{"aliased-buffers", "argument", "aliased-buffers", "", {0, 1, 2}},
        Planted{"window-bounds",
                "argument",
                "window-bounds",
                "it accesses bytes 28 to 35 of a window of 32 B",
                {0, 1, 2}}));

INSTANTIATE_TEST_SUITE_P(
    OfLeaks, Checks,
    ::testing::Values(Planted{"communicator-leak", "leak", "communicator-leak", "", {0, 1, 2}, "finalize"},
                      Planted{"group-leak", "leak", "group-leak", "", {0, 1, 2}, "finalize"},
                      Planted{"type-leak", "leak", "type-leak", "", {0, 1, 2}, "finalize"},
                      Planted{"operation-leak", "leak", "operation-leak", "", {0, 1, 2}, "finalize"},
                      Planted{"info-leak", "leak", "info-leak", "", {0, 1, 2}, "finalize"},
                      Planted{"window-leak", "leak", "window-leak", "", {0, 1, 2}, "finalize"},
                      Planted{"request-leak", "leak", "request-leak", "", {0, 1, 2}, "finalize"},
                      Planted{"missing-wait", "lifecycle", "missing-wait", "", {0, 1, 2}, "finalize"},
                      Planted{"missing-finalize", "lifecycle", "missing-finalize", "", {1}, "-"},
                      Planted{"after-finalize", "lifecycle", "after-finalize"}));

INSTANTIATE_TEST_SUITE_P(
    OfMatching, Checks,
    ::testing::Values(Planted{"collective", "matching", "collective"},
                      Planted{"root", "matching", "root", "its root is 1", {2}},
                      Planted{"operation", "matching", "operation", "its operation is MPI_MAX", {2}},
                      Planted{"data", "matching", "data", "its data are 3 x MPI_INT", {2}},
                      Planted{
                          "data-of-other-type", "matching", "data", "its data are 1 x a datatype of the program", {2}},
                      Planted{"data-of-alltoallv", "matching", "data"},
                      Planted{"message-type", "matching", "message-type", "it has room for 1 x MPI_INT", {1}},
                      Planted{"truncation", "matching", "truncation", "it has room for 2 x MPI_INT", {1}}));

INSTANTIATE_TEST_SUITE_P(
    OfBuffersAndWindows, Checks,
    ::testing::Values(Planted{"written-while-sent", "buffer", "written-while-sent", "", {0, 1, 2}},
                      Planted{"written-while-received", "buffer", "written-while-received", "", {0, 1, 2}},
                      Planted{"overlap", "buffer", "overlap", "", {0, 1, 2}},
                      Planted{"missing-epoch", "epoch", "missing-epoch"},
                      Planted{"double-epoch", "epoch", "double-epoch", "", {0, 1, 2}},
                      Planted{"open-epoch", "epoch", "open-epoch", "", {0, 1, 2}},
                      Planted{"window-race", "race", "window-race", "it writes bytes 0 to 3 of the window of rank 0"}));

// --- the whole report ---

TEST(CheckReport, NamesBothCallsOfAMismatch) {
  const Ran ran = run_strata(command("root", "wrong"));
  EXPECT_EQ(ran.code, 1);
  const std::string line = marked("root");
  EXPECT_EQ(ran.err, "\nerror: matching: rank 2 calls MPI_Reduce at " + line +
                         ": its root is 1\n"
                         "       rank 0 calls MPI_Reduce at " +
                         line +
                         ": its root is 0\n"
                         "       all ranks give the same root (MPI 4.1, Section 6.1)\n\n"
                         "strata: planted.so: deadlock: rank 0 waits in MPI_Reduce for a message from rank 2\n"
                         "strata: --check has found 1 mistake: 1 of the class matching\n");
}

TEST(CheckReport, SaysWhereALeakIsMade) {
  const Ran ran = run_strata(command("type-leak", "wrong"));
  EXPECT_EQ(ran.err, "\nerror: leak: ranks 0 to 2 call MPI_Finalize at " + marked("finalize") +
                         ": a datatype is not freed\n"
                         "       ranks 0 to 2 call MPI_Type_contiguous at " +
                         marked("type-leak-other") +
                         ": made here\n"
                         "       MPI_Type_free frees it (MPI 4.1, Section 11.2.2)\n"
                         "\nstrata: --check has found 1 mistake: 1 of the class leak\n");
}

TEST(CheckReport, SaysWhatADeadlockWouldHide) {
  const Ran ran = run_strata(command("collective", "wrong"));
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.err, HasSubstr("calls MPI_Bcast at " + marked("collective") + "\n"));
  EXPECT_THAT(ran.err, HasSubstr("all ranks of a communicator call the same collectives in the same order"));
}

// Correct programs of the catalog.
TEST(CheckReport, IsEmptyForCorrectPrograms) {
  for (const std::string name : {"cg", "hierarchy", "hsplit", "ncartperf", "overhead", "repeated", "stencil"}) {
    const Ran ran = run_strata({"exec", "--machine", "ntw10e5", "-n", "8", "--check", "--no-summary", "--",
                                built("scenarios/programs/" + name + ".so")});
    EXPECT_EQ(ran.code, 0) << name << ": " << ran.err;
    EXPECT_THAT(ran.err, HasSubstr("--check has found no mistake")) << name;
  }
}

TEST(CheckReport, SaysThatThereIsNoMistake) {
  const Ran ran = run_strata(command("root", "right"));
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.err, "\nstrata: --check has found no mistake\n");
}

}  // namespace
}  // namespace strata
