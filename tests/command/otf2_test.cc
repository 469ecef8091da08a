// SPDX-License-Identifier: LGPL-2.1-only
// strata replay with OTF2 archives. A program makes random MPI calls and writes down what Score-P would trace. The
// replay of an archive with these events takes the same time as the program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "records/trace/trace_file.h"
#include "tests/command/expect_refused.h"
#include "tests/command/scorep_writer.h"
#include "tests/command/strata_process.h"

namespace strata {
namespace {

using Events = std::vector<std::vector<std::string>>;
using Communicators = std::vector<std::vector<int>>;
using Json = nlohmann::json;
using ::testing::HasSubstr;

constexpr const char* kScoreP = "Score-P 8.4";
// Eight of the nine runs below agree to 2e-16 s. One, with 12 ranks, differs by one message's overhead (0.4 us).
constexpr double kOverhead = 1e-6;  // s

Events lines_of(const std::filesystem::path& folder, int ranks) {
  Events all(static_cast<std::size_t>(ranks));
  for (int r = 0; r < ranks; ++r) {
    std::ifstream in(folder / std::to_string(r));
    for (std::string line; std::getline(in, line);) all[r].push_back(line);
  }
  return all;
}

class Otf2 : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path() / name; }
  // Writes an archive and returns its anchor file.
  std::string archive(const std::string& name, const Events& events, const Communicators& communicators,
                      const std::string& creator = kScoreP) const {
    write_archive(events, communicators, creator, path(name));
    return path(name + "/traces.otf2");
  }
  Ran replay(const std::string& anchor, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"replay", anchor, "--machine", "ntw10e5", "--json", "--per-rank"};
    words.insert(words.end(), more.begin(), more.end());
    return run_strata(words);
  }
  TemporaryFolder folder_;
};

TEST_F(Otf2, TakesAsLongAsTheProgram) {
  for (const int ranks : {4, 7, 12}) {
    for (const std::string seed : {"1", "2", "3"}) {
      const std::string name = std::to_string(ranks) + "-" + seed, log = path("log-" + name),
                        app = path(name + ".mpitrace");
      std::filesystem::create_directory(log);
      const Ran ran =
          run_strata({"exec", "--machine", "ntw10e5", "-n", std::to_string(ranks), "--map-by", "node", "--no-summary",
                      "--record", app, "--", built("tests/command/traced.so"), seed, "150", log});
      ASSERT_EQ(ran.code, 0) << ran.err;
      Communicators communicators(4);
      for (int r = 0; r < ranks; ++r) {
        communicators[0].push_back(r);
        communicators[r % 2 == 0 ? 1 : 2].push_back(r);
        communicators[3].insert(communicators[3].begin(), r);
      }
      const Ran again = replay(archive(name, lines_of(log, ranks), communicators), {"--map-by", "node"});
      ASSERT_EQ(again.code, 0) << again.err;
      const std::vector<double> program = read_trace(app).ended;
      const Json replayed = Json::parse(again.out);
      double worst = 0;
      for (std::size_t r = 0; r < program.size(); ++r)
        worst = std::max(worst, std::abs(program[r] - replayed["ended"][r].get<double>()));
      std::printf("%d ranks, seed %s: %.6g s, largest difference %.3g s\n", ranks, seed.c_str(), program.front(),
                  worst);
      EXPECT_LE(worst, kOverhead);
    }
  }
}

// The archive has the collectives of the program's own recording: as often, on as many ranks, of the same size. Those
// with different blocks are left out: Score-P has only totals of them.
TEST_F(Otf2, HasTheCollectivesOfTheProgram) {
  constexpr int kRanks = 7;
  const std::string log = path("log"), app = path("app.mpitrace");
  std::filesystem::create_directory(log);
  const Ran ran = run_strata({"exec", "--machine", "ntw10e5", "-n", std::to_string(kRanks), "--no-summary", "--record",
                              app, "--", built("tests/command/traced.so"), "1", "150", log});
  ASSERT_EQ(ran.code, 0) << ran.err;
  Communicators communicators(4);
  for (int r = 0; r < kRanks; ++r) {
    communicators[0].push_back(r);
    communicators[r % 2 == 0 ? 1 : 2].push_back(r);
    communicators[3].insert(communicators[3].begin(), r);
  }
  const auto cells_of = [&](const std::string& trace) {
    const Ran tuned = run_strata({"collectives", "tune", "--trace", trace, "--machine", "ntw10e5", "--out",
                                  path("rules.conf"), "--cells", trace + ".cells", "--json"});
    EXPECT_EQ(tuned.code, 0) << tuned.err;
    std::vector<std::string> cells;
    const Json document = Json::parse(tuned.out);
    for (const Json& c : document["cells"]) {
      const std::string operation = c["op"];
      if (operation.ends_with("v") || operation == "reduce_scatter") continue;
      cells.push_back(operation + " " + c["ranks"].dump() + " " + c["bytes"].dump() + " x" + c["calls"].dump());
    }
    return cells;
  };
  const std::vector<std::string> cells = cells_of(app);
  EXPECT_GT(cells.size(), 5u);
  EXPECT_EQ(cells_of(archive("archive", lines_of(log, kRanks), communicators)), cells);
}

// Two ranks in MPI_COMM_WORLD, each with these events between its computations.
Events two_ranks(const std::vector<std::string>& first, const std::vector<std::string>& second) {
  Events all;
  for (const auto& own : {first, second}) {
    all.push_back({"enter 0 main", "enter 0.1 MPI_Init", "leave 0.2"});
    all.back().insert(all.back().end(), own.begin(), own.end());
    for (const char* last : {"enter 0.9 MPI_Finalize", "leave 1", "leave 1"}) all.back().emplace_back(last);
  }
  return all;
}

TEST_F(Otf2, ComputationIsTheTimeOutsideMpi) {
  // Rank 0 computes 0.1 s before it sends and 0.5 s after. Rank 1 waits, and then computes 0.25 s.
  const std::string file = archive("computes",
                                   two_ranks({"enter 0.3 MPI_Send", "send 0.3 1 0 5 8", "leave 0.4"},
                                             {"enter 0.25 MPI_Recv", "recv 0.45 0 0 5 8", "leave 0.7"}),
                                   {{0, 1}});
  const Ran ran = replay(file);
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("Score-P 8.4; 2 ranks took 700.0 ms"));
  const Json ended = Json::parse(ran.out)["ended"];
  EXPECT_NEAR(ended[0].get<double>(), 0.6, 1e-5);
  EXPECT_NEAR(ended[1].get<double>(), 0.1 + 0.2, 1e-5);
}

TEST_F(Otf2, SaysWhichCallsMayAnswerOtherwise) {
  const std::vector<std::string> receives = {"enter 0.3 MPI_Irecv",   "irecv-request 0.3 7", "leave 0.3",
                                             "enter 0.4 MPI_Waitany", "irecv 0.5 0 0 5 8 7", "leave 0.5"};
  const Ran ran = replay(
      archive("waitany", two_ranks({"enter 0.3 MPI_Send", "send 0.3 1 0 5 8", "leave 0.4"}, receives), {{0, 1}}));
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(Json::parse(ran.out)["order_may_differ"].dump(), HasSubstr("MPI_Waitany"));
}

TEST_F(Otf2, RefusesWhatItCannotReplay) {
  const Events none = two_ranks({}, {});
  const auto refused = [&](const std::string& anchor, const std::string& why,
                           const std::vector<std::string>& more = {}) {
    const Ran ran = replay(anchor, more);
    EXPECT_EQ(ran.code, 2) << ran.err;
    EXPECT_THAT(ran.err, HasSubstr(why));
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  };
  refused(archive("put", two_ranks({"put 0.3"}, {}), {{0, 1}}), "one-sided communication");
  refused(archive("ours", none, {{0, 1}}, "Strata"), "it was written by strata replay timeline");
  refused(archive("calls", two_ranks({"collective 0.3 BCAST 0 0 16 8"}, {"collective 0.3 REDUCE 0 0 8 0"}), {{0, 1}}),
          "rank 0 calls MPI_Bcast where rank 1 calls MPI_Reduce");
  refused(archive("fewer", two_ranks({"collective 0.3 BARRIER 0 -1 0 0"}, {}), {{0, 1}}),
          "rank 1 makes fewer collective calls");
  refused(archive("comm", two_ranks({"send 0.3 1 3 5 8"}, {}), {{0, 1}}), "communicator 3 is not defined");
  refused(archive("large", two_ranks({"send 0.3 1 0 5 3000000000"}, {}), {{0, 1}}), "a message has 3000000000 B");
  refused(archive("np", none, {{0, 1}}), "the archive has 2 ranks, not 3", {"-n", "3"});
  refused(archive("peer", two_ranks({"send 0.3 7 0 5 8"}, {}), {{0, 1}}), "with rank 7 of a communicator of 2 ranks");
  refused(archive("size", two_ranks({"send 0.3 1 0 5 8"}, {"recv 0.4 0 0 5 9"}), {{0, 1}}),
          "rank 1 receives 9 B of a message of 8 B from rank 0 with tag 5");
  refused(archive("kind", two_ranks({"isend 0.3 1 0 5 8 7", "irecv 0.4 1 0 5 8 7"}, {}), {{0, 1}}),
          "rank 0 completes request 7 as one of another kind");
  refused(archive("twice", two_ranks({"isend 0.3 1 0 5 8 7", "isend 0.4 1 0 5 8 7"}, {}), {{0, 1}}),
          "rank 0 starts request 7 before the earlier one");
  refused(archive("bytes", two_ranks({"collective 0.3 BCAST 0 0 4611686018427387904 8"}, {}), {{0, 1}}),
          "a collective call sends 4611686018427387904 B");
  refused(archive("members", none, {{0, 0}}), "a communicator has 2 ranks, 1 of them different");
  // Truncated and missing files.
  const std::string cut = archive("cut", none, {{0, 1}});
  std::filesystem::resize_file(path("cut/traces/1.evt"), 20);
  refused(cut, "cannot be read");
  std::filesystem::remove(path("cut/traces.def"));
  refused(cut, "cannot be read");
  const Ran lost = replay(archive("lost", two_ranks({"send 0.3 1 0 5 8"}, {}), {{0, 1}}));
  EXPECT_EQ(lost.code, 0) << lost.err;
  EXPECT_THAT(lost.err,
              HasSubstr("messages that are sent and not received: 1; the first is from rank 0 to rank 1 with tag 5"));
  // A receive without its send.
  const Ran stuck =
      replay(archive("stuck", two_ranks({}, {"enter 0.3 MPI_Recv", "recv 0.4 0 0 5 8", "leave 0.5"}), {{0, 1}}));
  EXPECT_EQ(stuck.code, 3);
  EXPECT_THAT(stuck.err, HasSubstr("rank 1 waits in MPI_Recv for a message from rank 0 (tag 5)"));
}

}  // namespace
}  // namespace strata
