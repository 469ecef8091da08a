// SPDX-License-Identifier: LGPL-2.1-only
// How far a run is, on stderr: a bar that is redrawn on a terminal, a line a point elsewhere.
#pragma once

#include <cstddef>
#include <string>

namespace strata::sim {

/// Writes to stderr. A closed stderr does not stop the run.
void tell(const std::string& text);

class Progress {
 public:
  /// `total` points, of which `already` are done. `quiet` prints nothing.
  Progress(std::string what, std::size_t total, std::size_t already, bool quiet);
  /// Ends a redrawn line.
  ~Progress();
  void point_done(const std::string& description);

 private:
  std::string what_;
  std::size_t total_, done_;
  bool quiet_, terminal_, drawn_ = false;
};

}  // namespace strata::sim
