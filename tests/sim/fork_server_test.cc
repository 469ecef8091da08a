// SPDX-License-Identifier: LGPL-2.1-only
// Processes that a server forks, beside those that are started one by one; and simulations, which it forks where there
// are several, beside the same ones alone.
#include "base/fork_server.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <map>
#include <string>

#include "base/own_file.h"
#include "platforms/machine.h"
#include "platforms/placement.h"
#include "sim/launcher/installation.h"
#include "sim/launcher/scratch.h"
#include "sim/launcher/simulation.h"

namespace strata::sim {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

const fs::path kProgram = fs::absolute("tests/sim/fork_server_program");

// The folder of one process, and its command.
struct Process {
  explicit Process(std::vector<std::string> words) {
    words.insert(words.begin(), kProgram);
    fs::create_directory(folder.path() / "in");
    command = {.words = std::move(words),
               .folder = folder.path() / "in",
               .output = folder.path(),
               .environment = {{"SET", "a b\n=c"}, {"EMPTY", ""}, {"UNSET", std::nullopt}},
               .folders = {{40, folder.path()}}};
  }
  std::string out() const { return read_whole(folder.path() / "out"); }
  std::string err() const { return read_whole(folder.path() / "err"); }

  ScratchFolder folder;
  Command command;
};

class Server : public ::testing::Test {
 protected:
  Server() { ::setenv("UNSET", "is set", 1); }

  ScratchFolder folder_;
  ForkServer server_{{.words = {kProgram}, .folder = folder_.path()}};
};

int wait_for(pid_t pid) {
  int status = -1;
  EXPECT_EQ(::waitpid(pid, &status, 0), pid) << "is no child of ours";
  return status;
}

TEST_F(Server, AProcessIsAsItsCommandSays) {
  const Process p({"7", "one", "", "three words\n"});
  const std::optional<pid_t> pid = server_.start(p.command);
  ASSERT_TRUE(pid);
  const int status = wait_for(*pid);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 7);
  EXPECT_EQ(p.out(), fmt::format("parent {} group 1\nin {}\nSET a b\n=c\nEMPTY ''\nUNSET unset\n40 is {}\n"
                                 "argument 'one'\nargument ''\nargument 'three words\n'\n",
                                 ::getpid(), p.command.folder.string(), p.folder.path().string()));
  EXPECT_EQ(p.err(), "an error\n");
}

TEST_F(Server, ASignalIsSeenHere) {
  const Process p({"-6"});
  const int status = wait_for(server_.start(p.command).value());
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGABRT);
}

TEST_F(Server, ManyProcessesEachEndAsTheirs) {
  std::map<pid_t, int> codes;
  std::vector<std::unique_ptr<Process>> processes;
  for (int i = 0; i < 100; ++i) {
    processes.push_back(
        std::make_unique<Process>(std::vector<std::string>{std::to_string(i), std::string(i * 100, 'a')}));
    codes[server_.start(processes.back()->command).value()] = i;
  }
  ASSERT_EQ(codes.size(), 100u);
  for (const auto& [pid, code] : codes) {
    EXPECT_EQ(WEXITSTATUS(wait_for(pid)), code);
    EXPECT_THAT(processes[code]->out(), HasSubstr("'" + std::string(code * 100, 'a') + "'"));
  }
}

TEST_F(Server, AFolderThatIsMissingEndsTheProcessAlone) {
  Process p({"0"});
  p.command.folder /= "missing";
  EXPECT_EQ(WEXITSTATUS(wait_for(server_.start(p.command).value())), 126);
  const Process next({"0"});
  EXPECT_EQ(wait_for(server_.start(next.command).value()), 0);
}

TEST_F(Server, AProcessOutlivesItsServerAndDiesByItsGroup) {
  const Process p({"sleep"});
  pid_t pid = -1;
  {
    ForkServer server({.words = {kProgram}, .folder = folder_.path()});
    pid = server.start(p.command).value();
  }
  EXPECT_EQ(::waitpid(pid, nullptr, WNOHANG), 0) << "has ended with its server";
  kill_group(pid);
  EXPECT_EQ(::kill(pid, 0), -1);
  EXPECT_EQ(errno, ESRCH);
}

TEST(NoServer, SaysSoAndLeavesNoChild) {
  const ScratchFolder folder;
  const Process p({"0"});
  for (const char* program : {"/missing", "/bin/true", "/bin/false"}) {
    ForkServer server({.words = {program}, .folder = folder.path()});
    EXPECT_FALSE(server.start(p.command)) << program;
    EXPECT_FALSE(server.start(p.command)) << program;
  }
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

// Everything that a simulation leaves: what it printed, the time at which it ended, its files.
struct Left {
  std::string printed, failure, timeline, traffic;
  std::optional<double> simulated_time;
  bool operator==(const Left&) const = default;
};

class Simulations : public ::testing::Test {
 protected:
  Simulations() {
    const Installation installation = find_installation();
    const Machine machine = find_machine("ntw10e5", installation.machines);
    for (const char* program : {"collective", "repeated"}) {
      const fs::path folder = scratch_.path() / program;
      fs::create_directory(folder);
      stages_.push_back(prepare_stage(machine, {place(*machine.topology, 48)}, folder, installation, program, 300));
    }
  }

  Simulation simulation(size_t stage, std::vector<std::string> arguments) {
    const fs::path folder = scratch_.path() / fmt::format("run-{}", next_++);
    fs::create_directories(folder / "traffic");
    return {.stage = stage,
            .arguments = std::move(arguments),
            .output = folder / "output",
            .trace = folder / "timeline",
            .traffic = {.kept = true},
            .traffic_folder = folder / "traffic"};
  }

  std::map<size_t, Left> run(const std::vector<Simulation>& simulations, int jobs) {
    std::map<size_t, Left> all;
    run_simulations(stages_, simulations, jobs, [&](size_t i, const Outcome& o) {
      const Simulation& s = simulations[i];
      all[i] = {o.printed, o.failure, read_whole(s.trace), read_whole(s.traffic_folder / "size.mtx"), o.simulated_time};
      return true;
    });
    return all;
  }

  ScratchFolder scratch_;
  std::vector<Stage> stages_;
  int next_ = 0;
};

TEST_F(Simulations, LeaveTheSameTogetherAndAlone) {
  std::vector<Simulation> simulations;
  for (const char* elements : {"1", "1000", "1000000"}) {
    for (const char* variant : {"native", "hierarchical"}) {
      simulations.push_back(simulation(0, {"--variant", variant, "--elements", elements}));
    }
  }
  simulations.push_back(simulation(0, {"--nonsense"}));  // is refused
  simulations.push_back(simulation(1, {"--operation", "bcast", "--bytes", "8", "--repetitions", "3"}));
  const std::map<size_t, Left> together = run(simulations, 2);
  ASSERT_EQ(together.size(), simulations.size());
  for (size_t i = 0; i < simulations.size(); ++i) {
    const Left alone = run({simulations[i]}, 1).at(0);
    EXPECT_TRUE(together.at(i) == alone) << i << ": " << together.at(i).failure << "; alone: " << alone.failure;
    EXPECT_EQ(alone.failure.empty(), i != 6);
    if (i != 6) {
      EXPECT_GT(alone.simulated_time.value_or(0), 0);
      EXPECT_GT(alone.timeline.size(), 1000u);
      EXPECT_GT(alone.traffic.size(), 100u);
    }
  }
}

// The variables that tell the first simulation to keep a timeline, traffic, events and a recording are not the others'.
TEST_F(Simulations, FilesOfTheFirstAreNotOfTheOthers) {
  Simulation plain = simulation(0, {"--elements", "1"});
  plain.trace.clear();
  plain.traffic = {};
  Simulation events = plain, record = plain;
  events.events = plain.output.string() + ".events";
  record.record = plain.output.string() + ".mpitrace";
  const std::map<size_t, Left> all = run({simulation(0, {"--elements", "1"}), plain, events, record, plain}, 1);
  ASSERT_EQ(all.size(), 5u);
  EXPECT_GT(all.at(0).traffic.size(), 100u);
  for (const auto& [i, left] : all) {
    EXPECT_EQ(left.failure, "") << i;
    EXPECT_EQ(left.printed, all.at(0).printed) << i;
  }
  EXPECT_GT(fs::file_size(events.events), 0u);
  EXPECT_GT(fs::file_size(record.record), 0u);
}

TEST_F(Simulations, ATimeLimitStopsOneOfThem) {
  stages_[1].time_limit_s = 0.5;
  const Simulation fine = simulation(0, {"--elements", "1"}), again = simulation(0, {"--elements", "1"});
  const Simulation endless = simulation(1, {"--operation", "bcast", "--bytes", "8", "--repetitions", "1000000000"});
  const std::map<size_t, Left> all = run({fine, endless, again}, 1);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all.at(0).failure, "");
  EXPECT_THAT(all.at(1).failure, HasSubstr("no end after 0.5 s of wall time"));
  EXPECT_TRUE(all.at(2) == all.at(0)) << all.at(2).failure;
}

}  // namespace
}  // namespace strata::sim
