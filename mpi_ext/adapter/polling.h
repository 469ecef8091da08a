// SPDX-License-Identifier: LGPL-2.1-only
// The cost of polling: progress threads poll for their messages, where the simulated machine says so
// (docs/progress.md).
#pragma once

#include <cstddef>

namespace strata::mpix {

/// A progress thread that waits for messages, on the core where it runs. Nothing under a real MPI, where polling takes
/// the time that it takes.
class Polling {
 public:
  explicit Polling(std::size_t messages);
  Polling(const Polling&) = delete;
  Polling& operator=(const Polling&) = delete;
  ~Polling();
  /// One of them is there: charges the core a look at each message that any progress thread on it waits for.
  void found();

 private:
  std::size_t messages_ = 0;
};

}  // namespace strata::mpix
