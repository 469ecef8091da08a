// SPDX-License-Identifier: LGPL-2.1-only
// Progress of a run on stderr: a bar that is redrawn on a terminal, otherwise one line per point.
#pragma once

#include <cstddef>
#include <string>

namespace strata::sim {

/// Writes to stderr. A closed stderr does not stop the run.
void tell(const std::string& text);

class Progress {
 public:
  /// `total` points, of which `already` are done. `quiet` disables all output.
  Progress(std::string what, std::size_t total, std::size_t already, bool quiet);
  /// Ends a redrawn line.
  ~Progress();
  void point_done(const std::string& description);
  /// Sets the progress to `done` points in all, some of them by other processes. `left`, such as "about 5 min left", is
  /// only shown on a terminal; otherwise a line is written when the description changes.
  void update(std::size_t done, const std::string& description, const std::string& left);
  /// Writes a line of its own.
  void note(const std::string& line);

 private:
  void draw(const std::string& description);

  std::string what_, last_;
  std::size_t total_, done_;
  bool quiet_, terminal_, drawn_ = false;
};

}  // namespace strata::sim
