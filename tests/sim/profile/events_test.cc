// SPDX-License-Identifier: LGPL-2.1-only
// The events of programs whose times follow by hand (profiled.h), and of random programs: events add up to the profile.
#include "records/events.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "tests/sim/profile/event_text.h"
#include "tests/sim/profile/profiled.h"

namespace strata {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using Lines = std::vector<std::string>;
using Kind = Event::Kind;

// The state of a rank after its events so far.
struct Account {
  int function = -1;  // the current MPI function
  double entered = 0, blocked = -1;
  std::vector<std::string> phases;
  bool ended = false;
  double waiting = 0;
};

class Events : public Profiled {
 protected:
  Events() { keep_events_ = true; }

  // Runs the program. Returns its events as lines, without those of the first and last functions of every program.
  Lines lines(int ranks, const std::string& what, const std::vector<std::string>& options = {}) {
    run(ranks, what, options);
    const EventsHeader header = EventReader(events()).header();
    std::map<int, bool> common;
    Lines lines;
    for (const Event& e : read_events(events())) {
      if (e.kind == Kind::kEnter) {
        const std::string& name = header.functions[e.function];
        common[e.rank] = name == "MPI_Init_thread" || name == "MPI_Comm_rank" || name == "MPI_Finalize";
      }
      const bool of_rank = e.kind != Kind::kArrive && e.kind != Kind::kEnd;
      if (e.kind == Kind::kRankEnd || e.kind == Kind::kEnd || (of_rank && common[e.rank])) {
        if (e.kind == Kind::kLeave) common[e.rank] = false;
        continue;
      }
      lines.push_back(event_text(e, header));
    }
    return lines;
  }
};

// Reads the file as a tool does, checks that each event may occur at its place, and compares the sums with the profile.
void expect_profile(const std::string& file, const Profile& profile) {
  const EventsHeader header = EventReader(file).header();
  std::vector<Account> ranks(header.cores.size());
  std::map<std::string, CallProfile> calls;
  std::vector<double> sent(1);  // by message
  std::set<std::int64_t> arrived;
  double end = 0;
  for (const Event& e : read_events(file)) {
    SCOPED_TRACE(event_text(e, header));
    Account none;
    Account& rank = e.rank >= 0 ? ranks[e.rank] : none;
    EXPECT_FALSE(rank.ended);
    switch (e.kind) {
      case Kind::kEnter:
        EXPECT_EQ(rank.function, -1);
        rank.function = e.function;
        rank.entered = e.time;
        break;
      case Kind::kLeave: {
        ASSERT_GE(rank.function, 0);
        EXPECT_LT(rank.blocked, 0);
        CallProfile& call = calls[header.functions[rank.function]];
        ++call.count;
        call.seconds += e.time - rank.entered;
        rank.function = -1;
        break;
      }
      case Kind::kBlock:
        EXPECT_GE(rank.function, 0);
        EXPECT_LT(rank.blocked, 0);
        rank.blocked = e.time;
        break;
      case Kind::kUnblock: {
        ASSERT_GE(rank.blocked, 0);
        EXPECT_GT(e.time, rank.blocked) << "stretches of no length are left out";
        EXPECT_LE(e.began, e.time);
        EXPECT_TRUE(e.message > 0 || e.began >= rank.blocked);
        const double waited = std::max(0.0, e.began - rank.blocked);
        rank.waiting += waited;
        calls[header.functions[rank.function]].waiting += waited;
        rank.blocked = -1;
        break;
      }
      case Kind::kSend:
        EXPECT_EQ(e.message, static_cast<std::int64_t>(sent.size()));
        sent.push_back(e.time);
        break;
      case Kind::kArrive:
        EXPECT_TRUE(arrived.insert(e.message).second) << "once";
        EXPECT_LE(e.posted, e.time);
        EXPECT_LE(e.began, e.time);
        EXPECT_GE(e.began, sent[e.message]);
        break;
      case Kind::kPhaseBegin:
        rank.phases.push_back(e.name);
        break;
      case Kind::kPhaseEnd:
        ASSERT_FALSE(rank.phases.empty());
        rank.phases.pop_back();
        break;
      case Kind::kRankEnd:
        EXPECT_EQ(rank.function, -1);
        EXPECT_TRUE(rank.phases.empty());
        rank.ended = true;
        end = e.time;
        break;
      case Kind::kEnd:
        break;
    }
  }
  ASSERT_EQ(profile.ranks.size(), ranks.size());
  const bool aborted = !profile.endings.empty() && profile.endings.front().how == Ending::How::kAbort;
  for (size_t r = 0; r < ranks.size(); ++r) {
    EXPECT_TRUE(ranks[r].ended || aborted) << r;  // the simulation may end before the ranks that MPI_Abort kills
    EXPECT_NEAR(ranks[r].waiting, profile.ranks[r].waiting, kRounding) << r;
  }
  EXPECT_EQ(end, profile.simulated_time);
  ASSERT_EQ(calls.size(), profile.calls.size());
  for (const CallProfile& c : profile.calls) {
    const CallProfile& found = calls[c.call];
    EXPECT_EQ(found.count, c.count) << c.call;
    EXPECT_NEAR(found.seconds, c.seconds, kRounding) << c.call;
    EXPECT_NEAR(found.waiting, c.waiting, kRounding) << c.call;
  }
}

TEST_F(Events, TheHeader) {
  run(3, "eager");
  const EventsHeader header = EventReader(events()).header();
  EXPECT_EQ(header.program, "profile_mpi_program");
  EXPECT_EQ(header.machine, "ones");
  EXPECT_EQ(header.cores, (std::vector<int>{0, 1, 2}));
  EXPECT_THAT(header.functions, Contains("MPI_Waitall"));
}

TEST_F(Events, ALateSender) {
  EXPECT_THAT(lines(2, "late_sender"), ElementsAre("0 enter 1 MPI_Recv", "0 block 1", "1000000 enter 0 MPI_Send",
                                                   "1001000 send #1 0->1 tag 0 84 B", "1001000 leave 0",
                                                   "1001100 arrive #1 posted 0 began 1001000",
                                                   "1001100 unblock 1 #1 began 1001000", "1001100 leave 1"));
}

TEST_F(Events, ALateReceiver) {
  EXPECT_THAT(lines(2, "late_receiver"),
              ElementsAre("0 enter 0 MPI_Send", "0 send #1 0->1 tag 0 9984 B", "0 block 0", "1000000 enter 1 MPI_Recv",
                          "1000000 block 1", "1010000 arrive #1 posted 1000000 began 1000000",
                          "1010000 unblock 0 #1 began 1000000", "1010000 leave 0", "1010000 unblock 1 #1 began 1000000",
                          "1010000 leave 1"));
}

TEST_F(Events, AMessageThatIsThereArrivesWhenItIsAwaited) {
  EXPECT_THAT(lines(2, "eager"), ElementsAre("0 enter 0 MPI_Send", "1000 send #1 0->1 tag 0 84 B", "1000 leave 0",
                                             "1000000 enter 1 MPI_Recv", "1000000 arrive #1 posted 1000000 began 1000",
                                             "1000000 leave 1"));
}

TEST_F(Events, NonblockingMessages) {
  EXPECT_THAT(lines(2, "wait"),
              ElementsAre("0 enter 0 MPI_Isend", "0 enter 1 MPI_Irecv", "0 leave 1", "1000 enter 1 MPI_Wait",
                          "1000 send #1 0->1 tag 3 9984 B", "1000 leave 0", "1000 block 1",
                          "11000 arrive #1 posted 0 began 1000", "11000 unblock 1 #1 began 1000", "11000 leave 1",
                          "1001000 enter 0 MPI_Wait", "1001000 leave 0"));
}

TEST_F(Events, AMessageToOneself) {
  EXPECT_THAT(lines(1, "self"),
              ElementsAre("0 enter 0 MPI_Irecv", "0 leave 0", "0 enter 0 MPI_Send", "1000 send #1 0->0 tag 0 84 B",
                          "1000 leave 0", "1000 enter 0 MPI_Wait", "1000 block 0", "1100 arrive #1 posted 0 began 1000",
                          "1100 unblock 0 #1 began 1000", "1100 leave 0"));
}

TEST_F(Events, AMessageThatNobodyReceivesDoesNotArrive) {
  EXPECT_THAT(lines(2, "unreceived"),
              ElementsAre("0 enter 0 MPI_Send", "1000 send #1 0->1 tag 0 84 B", "1000 leave 0"));
}

TEST_F(Events, Phases) {
  EXPECT_THAT(lines(1, "phases"), ElementsAre("0 begin 0 whole", "1000000 begin 0 phase 5", "2000000 end 0",
                                              "2000000 end 0", "2000000 begin 0 phase 5", "3000000 end 0"));
}

TEST_F(Events, WhoCameLastWhereNoMessageTells) {
  run(3, "late_init");
  const Lines init = event_lines(events());
  EXPECT_THAT(init, Contains("1000000 unblock 0 last 1 began 1000000"));
  EXPECT_THAT(init, Contains("1000000 unblock 2 last 1 began 1000000"));
  EXPECT_THAT(init, Not(Contains(HasSubstr("block 1"))));
  EXPECT_THAT(lines(2, "lock"), Contains(HasSubstr("unblock 1 last 0")));
}

TEST_F(Events, AddedUpAreTheProfile) {
  for (const char* what : {"late_sender", "late_receiver", "eager",    "barrier", "waitall",      "test",     "testany",
                           "probe",       "fence",         "waitall",  "actor",   "wait",         "bcast",    "lock",
                           "phases",      "abort",         "deadlock", "exit",    "return_early", "smpi_exit"}) {
    SCOPED_TRACE(what);
    const Profile profile = run(3, what);
    expect_profile(events(), profile);
  }
  for (const int ranks : {1, 2, 3, 4}) {
    SCOPED_TRACE(ranks);
    const Profile profile = run(ranks, "random");
    expect_profile(events(), profile);
    EXPECT_GT(read_events(events()).size(), 500u);
  }
}

TEST_F(Events, MeasuredComputationIsBeforeTheFunction) {
  const Profile profile = run(
      2, "busy", {"--cfg=smpi/simulate-computation:yes", "--cfg=smpi/cpu-threshold:0.01", "--cfg=smpi/host-speed:1Gf"});
  expect_profile(events(), profile);
  EXPECT_GT(profile.ranks[0].computing, 10 * kMs);
}

TEST_F(Events, TheSameBytesAgain) {
  run(4, "random");
  const std::string first = read_text(events());
  run(4, "random");
  EXPECT_EQ(read_text(events()), first);
}

// Recording events changes neither the simulation nor the profile.
TEST_F(Events, ChangeNothing) {
  run(4, "random");
  const std::string with = read_text(path()), all = read_text(events());
  start(4, "random", {}, {.environment = {{"STRATA_PROFILE", ""}}});
  EXPECT_EQ(read_text(events()), all) << "without a profile";
  keep_events_ = false;
  run(4, "random");
  EXPECT_EQ(read_text(path()), with);
  EXPECT_FALSE(std::filesystem::exists(events()));
}

// Without a profile, programs end as they do without the library (sim/profile/README.md), and the file is complete.
TEST_F(Events, WithoutAProfileProgramsEndAsWithoutTheLibrary) {
  const std::map<std::string, std::pair<int, int>> codes = {
      // exit code and signal
      {"eager", {0, 0}}, {"return", {8, 0}},   {"smpi_exit", {6, 0}},   {"exit", {-1, SIGABRT}},
      {"abort", {0, 0}}, {"deadlock", {0, 0}}, {"no_finalize", {0, 0}}, {"fork", {0, 0}}};
  for (const auto& [what, ended] : codes) {
    SCOPED_TRACE(what);
    const Surroundings alone{.environment = {{"STRATA_PROFILE", ""}}};
    const Ran with = start(3, what, {}, alone);
    EXPECT_EQ(with.code, ended.first);
    EXPECT_EQ(with.signal, ended.second);
    EXPECT_EQ(read_events(events()).back().kind, Kind::kEnd);
    keep_events_ = false;
    const Ran without = start(3, what, {}, alone);
    keep_events_ = true;
    EXPECT_EQ(with.code, without.code);
    EXPECT_EQ(with.signal, without.signal);
    EXPECT_EQ(with.err, without.err);
  }
}

TEST_F(Events, AFullDiskIsSaid) {
  const auto refusal = [&](const std::string& file, long largest) {
    return start(4, "random", {},
                 {.environment = {{"STRATA_EVENTS", file}}, .largest_file = largest, .ignored_signals = {SIGXFSZ}});
  };
  const Ran full = refusal("/dev/full", -1);
  EXPECT_EQ(full.code, 2);
  EXPECT_THAT(full.err, HasSubstr("@strata platform /dev/full: cannot be written: No space left on device; is the disk "
                                  "full, or the folder not there?\n"));
  const Ran nowhere = refusal(path() + "/none", -1);
  EXPECT_EQ(nowhere.code, 2);
  EXPECT_THAT(nowhere.err, HasSubstr("@strata platform " + path() + "/none: cannot be written: Not a directory"));
  const Ran late = refusal(events(), 70'000);
  EXPECT_EQ(late.code, 2);
  EXPECT_THAT(late.err, HasSubstr("@strata platform " + events() + ": cannot be written: File too large"));
  EXPECT_FALSE(std::filesystem::exists(events())) << "nothing half-written is left";
}

// If a run is killed, by a signal or a crash, its file is incomplete and refused.
TEST_F(Events, AKilledRunLeavesNoWholeFile) {
  start(2, "crash", {}, {});
  EXPECT_THROW(read_events(events()), InputError);
}

}  // namespace
}  // namespace strata
