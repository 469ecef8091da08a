// SPDX-License-Identifier: LGPL-2.1-only
// A function in a process of its own: a crash or an endless loop there does not end this process.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>

namespace strata {

/// A child that computes a string. It cannot outlive the object, nor the thread that made it. The child is a fork
/// without exec: in a process with several threads the function must not take a lock that another thread may hold
/// (allocating memory is safe under glibc).
class Isolated {
 public:
  enum class State {
    kRunning,
    kDone,     // the function has returned
    kThrew,    // an exception left it
    kCrashed,  // a signal ended it, or it left the process
  };

  /// What the child prints goes nowhere. Where `more_memory_bytes` is not 0, the child may have that much address space
  /// beyond what this process has now. Throws std::runtime_error where no process can be made.
  explicit Isolated(const std::function<std::string()>& function, long more_memory_bytes = 0);
  Isolated(Isolated&& other) noexcept;
  Isolated& operator=(Isolated&&) = delete;
  Isolated(const Isolated&) = delete;
  ~Isolated();

  /// Does not wait.
  State state();
  /// Waits until the child ends. Kills it, as kCrashed, when it has used more than `cpu_limit_s` or `stop` is true.
  State wait(double cpu_limit_s, const std::function<bool()>& stop);
  /// Ends it; it counts as kCrashed with this reason.
  void kill(const std::string& why);
  /// Time of a processor it has used so far, in s. 0 where it has ended.
  double cpu_s() const;
  /// Of kDone: what the function has returned. Of kThrew: what(). Of kCrashed: "crashes: Segmentation fault".
  const std::string& text() const { return text_; }

 private:
  void collect(int status);

  pid_t pid_ = -1;
  int file_ = -1;  // where the child leaves what it has computed
  State state_ = State::kRunning;
  std::string text_;
};

}  // namespace strata
