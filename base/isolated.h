// SPDX-License-Identifier: LGPL-2.1-only
// Runs a function in a process of its own, so that a crash or an endless loop there does not end this process.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>

namespace strata {

/// A child process that computes a string. It ends with this object and with the thread that made it. The child is a
/// fork without exec: in a process with several threads the function must not take a lock that another thread may hold
/// (allocating memory is safe under glibc).
class Isolated {
 public:
  enum class State {
    kRunning,
    kDone,     // the function has returned
    kThrew,    // an exception left it
    kCrashed,  // a signal ended it, or it left the process
  };

  /// The child's output is discarded. If `more_memory_bytes` is not 0, it limits the child's address space beyond what
  /// this process has now. Throws std::runtime_error if no process can be made.
  explicit Isolated(const std::function<std::string()>& function, long more_memory_bytes = 0);
  Isolated(Isolated&& other) noexcept;
  Isolated& operator=(Isolated&&) = delete;
  Isolated(const Isolated&) = delete;
  ~Isolated();

  /// Does not wait.
  State state();
  /// Waits until the child ends. Kills it, as kCrashed, if it has used more than `cpu_limit_s` or `stop` returns true.
  State wait(double cpu_limit_s, const std::function<bool()>& stop);
  /// Ends the child, as kCrashed with this reason.
  void kill(const std::string& why);
  /// Processor time that the child has used so far, in s; 0 if it has ended.
  double cpu_s() const;
  /// kDone: the function's result. kThrew: what(). kCrashed: "crashes: Segmentation fault".
  const std::string& text() const { return text_; }

 private:
  void collect(int status);

  pid_t pid_ = -1;
  int file_ = -1;  // file to which the child writes its result
  State state_ = State::kRunning;
  std::string text_;
};

}  // namespace strata
