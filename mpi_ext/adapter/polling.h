// SPDX-License-Identifier: LGPL-2.1-only
// The cost of polling for messages by progress threads, if the simulated machine defines it (docs/progress.md).
#pragma once

#include <cstddef>

namespace strata::mpix {

/// Lives while a progress thread waits for messages on its core. Does nothing under a real MPI, where polling takes
/// real time.
class Polling {
 public:
  explicit Polling(std::size_t messages);
  Polling(const Polling&) = delete;
  Polling& operator=(const Polling&) = delete;
  ~Polling();
  /// A message has arrived. Charges the core one look at each message for which any progress thread on it waits.
  void found();

 private:
  std::size_t messages_ = 0;
};

}  // namespace strata::mpix
