// SPDX-License-Identifier: LGPL-2.1-only
// Shows the progress of long work on stderr. On a terminal, a single line is rewritten, with an estimate of the time
// left:
//
//   [ 12/320] 4 % · 1 min 20 s left · NP=64: 0.0175 s
//
// The line is cleared at the end. A log gets a line for each point instead: "[ 12/320] NP=64: 0.0175 s".
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace strata::console {

/// Writes to stderr. Errors are ignored, so a closed stderr does not stop the work.
void tell(const std::string& text);

/// The output of a Progress, and its clock.
struct Screen {
  bool rewrites = false;
  std::function<int()> columns;
  std::function<double()> seconds;  // from a monotonic clock
  std::function<void(const std::string&)> write;
};
Screen stderr_screen();

struct Work {
  std::string what;         // prefix in "WHAT: 3 of 8 points are there already"
  std::size_t total = 0;    // number of points; 0: unknown
  std::size_t already = 0;  // points that an earlier run has done
  bool quiet = false;       // writes nothing
  bool logged = true;       // print a line for each point if lines are not rewritten
  /// All points take about the same time, so the time left can be estimated from the points done. If false, the line
  /// shows the time since the start.
  bool even = true;
};

/// Not thread-safe. The destructor clears the line, also after an exception.
class Progress {
 public:
  explicit Progress(Work work, Screen screen = stderr_screen());
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void point_done(const std::string& text);
  /// For work that other processes share. `done`: points done by all of them; `left_s`: their estimate of the time
  /// left. A log gets a line when the text changes.
  void points_done(std::size_t done, const std::string& text, std::optional<double> left_s);
  /// Shows that work continues between two points: on a terminal only, and not more often than people can read.
  /// `fraction`: the part of all work that is done, if it is more precise than the number of points.
  void working(const std::string& text, std::optional<double> fraction = {});
  /// Writes a separate line.
  void note(const std::string& line);
  /// Clears the line to make room for other text; the next call draws it again.
  void clear();

 private:
  void log(const std::string& text);
  void show(const std::string& text, std::optional<double> fraction);
  void draw(const std::string& text, double fraction, std::optional<double> left_s);
  double fraction_done() const;
  std::optional<double> seconds_left(double fraction, double fraction_before) const;

  const Work work_;
  const Screen screen_;
  const double start_s_;
  std::size_t done_;
  double drawn_s_ = 0;
  bool drawn_ = false;
  std::string last_;
};

}  // namespace strata::console
