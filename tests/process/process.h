// SPDX-License-Identifier: LGPL-2.1-only
// Runs a program for a test, with a folder, an environment, input and a time limit, and returns its output. This is the
// only place in the tests that starts processes.
//
//   const Ran ran = Process({"gnuplot", "-"}, {.input = "plot sin(x)\n", .limit_s = 10}).wait();
//   EXPECT_EQ(ran.code, 0) << ran.err;
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace strata {

/// A folder that is removed at the end of the scope.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }
  /// Writes a file into the folder and returns its path.
  std::string write(const std::string& name, const std::string& text) const;

 private:
  std::filesystem::path path_;
};

/// The path of a file of the build, given by its path in the workspace.
std::string built(const std::string& path);

std::string read_text(const std::filesystem::path& file);
/// Lines without their ends. Text after the last line feed counts as a line.
std::vector<std::string> lines_of(const std::string& text);

/// Options for starting a process.
struct Surroundings {
  std::map<std::string, std::string> environment = {};  // added to ours
  bool bare = false;                                    // added to PATH=/usr/bin:/bin and LC_ALL=C instead of ours
  std::filesystem::path folder = {};                    // working directory
  std::string input = {};                               // text for stdin
  std::string standard_output = {};                     // file for stdout instead of capturing it: "/dev/full"
  bool merged = false;                                  // stderr goes where stdout goes
  long largest_file = -1;                               // B; larger files fail as on a full disk (RLIMIT_FSIZE)
  std::vector<int> closed = {};                         // descriptors
  std::vector<int> ignored_signals = {};
  /// Wall time in s until the process is ended; 0: no limit. With a limit, the process leads a process group, and no
  /// process of that group outlives it.
  double limit_s = 0;
};

struct Ran {
  int code = -1;           // exit code; -1 if a signal ended it; 127: no such program; 126: cannot be started
  int signal = 0;          // that signal
  bool timed_out = false;  // the limit ended it
  std::string out;         // stdout
  std::string err;         // stderr
  double wall_s = 0;       // from start to end
  double cpu_s = 0;        // user and system time of the process and of the children that it waited for
  double peak_bytes = 0;   // maximum resident set size of the process or of one of these children
};

/// A running process. If it is still running at the end of the scope, it is killed.
class Process {
 public:
  Process(const std::vector<std::string>& command, const Surroundings& surroundings = {});
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  pid_t pid() const { return pid_; }
  Ran wait();

 private:
  void kill(int signal) const;

  TemporaryFolder output_;
  std::chrono::steady_clock::time_point start_;
  double limit_s_;
  pid_t pid_ = -1;
};

}  // namespace strata
