// SPDX-License-Identifier: LGPL-2.1-only
// Runs a command as a child in its own process group, which ends before this process does.
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

namespace strata {

/// A signal asked the program to end.
class Interrupted : public std::exception {
 public:
  explicit Interrupted(int number) : signal(number) {}
  const char* what() const noexcept override { return "interrupted"; }
  int signal;
};

/// While in scope, the signals that end a program (SIGINT, SIGTERM, SIGHUP) only set a flag, because children must end
/// and scratch folders be removed first. A signal that is ignored, as under nohup, stays ignored. Guards may be nested:
/// the outermost one counts. At its end, a signal that check() has not reported ends the program after all.
class SignalGuard {
 public:
  SignalGuard();
  ~SignalGuard();
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;
  /// The signal that has arrived; 0: none.
  static int caught();
  /// Throws Interrupted if a signal has arrived.
  static void check();
};

/// Environment variables; without a value: unset.
using Variables = std::vector<std::pair<std::string, std::optional<std::string>>>;

struct Command {
  std::vector<std::string> words;
  std::filesystem::path folder;       // where it runs
  std::filesystem::path output = {};  // a folder whose files `out` and `err` get its stdout and stderr; empty: `folder`
  Variables environment = {};
  long most_bytes = 0;       // limit of a file that it writes, further output is lost; 0: no limit
  bool interactive = false;  // it keeps our terminal and our process group; without files and limit
  std::vector<std::pair<int, std::filesystem::path>> folders = {};  // that it has open under these numbers
  std::vector<int> kept = {};        // our descriptors that it inherits although they are closed on exec
  std::filesystem::path input = {};  // a file for its stdin, if interactive
  bool silent = false;               // if interactive, its stdout is dropped
};

/// Starts the command without waiting. Exit status 127 if the command does not exist.
pid_t start(const Command& command);

/// In a new child of `parent`: its group, files, environment and folder become the command's, whose program can then
/// run. Exits with 126 if that is not possible.
void become(const Command& command, pid_t parent);

/// Ends the group: first a signal that lets it clean up, then one that cannot be ignored.
void kill_group(pid_t pid);

/// A child that start() or a ForkServer has started. It is ended with the object, and when it takes longer than its
/// time limit. If the child has its own group, the whole group ends.
class Child {
 public:
  enum class Group { kOwn, kOurs };

  /// `limit_s`: of wall time from now on; infinity: no limit.
  Child(pid_t pid, Group group, double limit_s);
  Child(Child&& other) noexcept;
  Child& operator=(Child&& other) noexcept;
  ~Child();

  /// Looks whether it has ended, and ends it if its time is over. Does not wait.
  bool ended();
  /// After that: its wait status; meaningless if it has timed out.
  int status() const { return status_; }
  bool timed_out() const { return timed_out_; }
  /// s from its start until it was first seen to have ended, or until now.
  double wall_s() const;

 private:
  using Clock = std::chrono::steady_clock;
  void kill();

  pid_t pid_;  // -1: there is nothing to end
  Group group_;
  double limit_s_;
  Clock::time_point begun_ = Clock::now();
  std::optional<Clock::time_point> end_ = {};
  int status_ = 0;
  bool timed_out_ = false;
};

/// Returns when the child has ended. `meanwhile` is called every few milliseconds. Needs a SignalGuard in scope; throws
/// Interrupted.
void await(Child& child, const std::function<void()>& meanwhile = {});

/// The end of a command.
struct Ended {
  int status = 0;  // wait status
  bool timed_out = false;
};

/// Runs the command to its end, at most `limit_s` of wall time. No process of it outlives the call. `meanwhile` is
/// called every few milliseconds. Needs a SignalGuard in scope; throws Interrupted.
Ended run(const Command& command, double limit_s, const std::function<void()>& meanwhile = {});

}  // namespace strata
