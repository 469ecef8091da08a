// SPDX-License-Identifier: LGPL-2.1-only
// Scratch folders: removed by their owner or, if the owner was killed, by the next program, but by no other.
#include "sim/launcher/scratch.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/process/process.h"

namespace strata::sim {
namespace {

namespace fs = std::filesystem;

class Scratch : public ::testing::Test {
 protected:
  void SetUp() override { ::setenv("TMPDIR", base_.path().c_str(), 1); }

  long folders() const { return std::distance(fs::directory_iterator(base_.path()), fs::directory_iterator()); }

  // Starts a process that creates a folder with a file in it, and is killed.
  void leave_one() const {
    const pid_t pid = ::fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) {
      const ScratchFolder mine;
      std::ofstream(mine.path() / "file") << "text";
      ::raise(SIGKILL);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(pid, &status, 0), pid);
    ASSERT_TRUE(WIFSIGNALED(status));
  }

  TemporaryFolder base_;
};

TEST_F(Scratch, IsThereUntilTheEndOfItsScope) {
  fs::path path;
  {
    const ScratchFolder scratch;
    path = scratch.path();
    EXPECT_EQ(path.parent_path(), base_.path());
    std::ofstream(path / "file") << "text";
  }
  EXPECT_FALSE(fs::exists(path));
}

// A signal waits until the folder is removed, and then ends the process unless it was reported.
TEST_F(Scratch, IsRemovedBeforeASignalEndsItsProcess) {
  for (const bool reported : {false, true}) {
    const pid_t pid = ::fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) {
      try {
        const ScratchFolder outer;
        { const ScratchFolder inner; }
        ::raise(SIGTERM);
        const SignalGuard later;  // a nested guard forgets nothing
        if (reported) SignalGuard::check();
      } catch (const Interrupted& e) {
        ::_exit(e.signal);
      }
      ::_exit(0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(pid, &status, 0), pid);
    EXPECT_EQ(reported ? WEXITSTATUS(status) : WTERMSIG(status), SIGTERM);
    EXPECT_EQ(WIFSIGNALED(status), !reported);
    EXPECT_EQ(folders(), 0);
  }
}

TEST_F(Scratch, OfAKilledProcessIsRemovedAndALiveOneIsNot) {
  const ScratchFolder mine;
  leave_one();
  ASSERT_EQ(folders(), 2);
  remove_abandoned(base_.path());
  EXPECT_EQ(folders(), 1);
  EXPECT_TRUE(fs::is_directory(mine.path()));
}

// A program that creates its first scratch folder removes abandoned ones.
TEST_F(Scratch, TheNextProgramRemovesIt) {
  leave_one();
  leave_one();  // this is a new program: it removes the first
  EXPECT_EQ(folders(), 1);
}

TEST_F(Scratch, OtherNamesStay) {
  const fs::path kept = base_.path() / "strata-scratch-longer-name";
  fs::create_directory(kept);
  fs::create_directory(base_.path() / "strata-abcdef");
  fs::create_directory(base_.path() / "outside");
  std::ofstream(base_.path() / "strata-scratch-aaaaaa") << "a file";
  fs::create_directory_symlink(base_.path() / "outside", base_.path() / "strata-scratch-bbbbbb");
  remove_abandoned(base_.path());
  EXPECT_EQ(folders(), 5);
  remove_abandoned(base_.path() / "missing");  // not an error
}

// Processes that create and remove folders never lose them while other processes look for abandoned ones.
TEST_F(Scratch, ManyAtOnceDoNotDisturbEachOther) {
  constexpr int kProcesses = 8, kFolders = 200;
  std::vector<pid_t> processes;
  for (int p = 0; p < kProcesses; ++p) {
    const pid_t pid = ::fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) {
      int lost = 0;
      for (int i = 0; i < kFolders; ++i) {
        const ScratchFolder mine;
        std::ofstream(mine.path() / "file") << "text";
        remove_abandoned(base_.path());
        lost += fs::exists(mine.path() / "file") ? 0 : 1;
      }
      ::_exit(lost == 0 ? 0 : 1);
    }
    processes.push_back(pid);
  }
  for (const pid_t pid : processes) {
    int status = 0;
    ASSERT_EQ(::waitpid(pid, &status, 0), pid);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(folders(), 0);
}

}  // namespace
}  // namespace strata::sim
