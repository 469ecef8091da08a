// SPDX-License-Identifier: LGPL-2.1-only
// A command as a child in a process group of its own, which ends before we do.
#pragma once

#include <sys/types.h>

#include <array>
#include <chrono>
#include <csignal>
#include <exception>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace strata::sim {

/// A signal asked the program to end.
class Interrupted : public std::exception {
 public:
  explicit Interrupted(int number) : signal(number) {}
  const char* what() const noexcept override { return "interrupted"; }
  int signal;
};

/// While in scope, the signals that end a program (SIGINT, SIGTERM, SIGHUP) only set a flag: children must end first.
/// One that is ignored, as nohup has it, stays so. One at a time.
class SignalGuard {
 public:
  SignalGuard();
  ~SignalGuard();
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;
  /// The one that came; 0: none.
  static int caught();
  /// Throws Interrupted where one came.
  static void check();

 private:
  static constexpr std::array<int, 3> kSignals = {SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, 3> before_{};
};

/// Environment variables; nothing: not set.
using Variables = std::vector<std::pair<std::string, std::optional<std::string>>>;

struct Command {
  std::vector<std::string> words;
  std::filesystem::path folder;       // where it runs
  std::filesystem::path output = {};  // a folder whose files `out` and `err` get its stdout and stderr; empty: `folder`
  Variables environment = {};
  long most_bytes = 0;               // of a file that it writes, what is beyond is lost; 0: no limit
  bool interactive = false;          // it keeps our terminal and our process group; no files, no limit
  std::filesystem::path input = {};  // a file for its stdin, if interactive
  bool silent = false;               // if interactive, its stdout is dropped
};

/// Starts it; nothing waits. Status 127 if the command does not exist.
pid_t start(const Command& command);

/// Ends the group: a signal first, which lets it clean up, then one that cannot be refused.
void kill_group(pid_t pid);

/// The same of a child alone, which is in our group.
void kill_process(pid_t pid);

/// The end of a command that was waited for.
struct Ended {
  int status = 0;  // wait status
  bool timed_out = false;
};

/// Runs it to its end, at most `limit_s` of wall time; in no case does any of it outlive the call. `meanwhile` is
/// called every few milliseconds. Needs a SignalGuard in scope; throws Interrupted.
Ended run(const Command& command, double limit_s, const std::function<void()>& meanwhile = {});

std::string read_whole(const std::filesystem::path& file);

/// At most its last `most` bytes.
std::string read_end(const std::filesystem::path& file, long most);

}  // namespace strata::sim
