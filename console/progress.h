// SPDX-License-Identifier: LGPL-2.1-only
// How far long work is, on stderr. On a terminal one line that is rewritten, with an estimate of the time left:
//
//   [ 12/320] 4 % · 1 min 20 s left · NP=64: 0.0175 s
//
// It is cleared at the end. In a log, a line for each point: "[ 12/320] NP=64: 0.0175 s".
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace strata::console {

/// Writes to stderr. A closed stderr does not stop the work.
void tell(const std::string& text);

/// Where the line goes, and the clock.
struct Screen {
  bool rewrites = false;
  std::function<int()> columns;
  std::function<double()> seconds;  // of a clock that only goes forward
  std::function<void(const std::string&)> write;
};
Screen stderr_screen();

struct Work {
  std::string what;         // for "WHAT: 3 of 8 points are there already"
  std::size_t total = 0;    // points; 0: not known
  std::size_t already = 0;  // done before
  bool quiet = false;       // writes nothing
  bool logged = true;       // a line for each point where lines are not rewritten
  /// Points take about as long as each other, so that those done tell the time left. Otherwise the line shows the time
  /// since the start.
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
  /// `done` points in all, some of them by other processes, which know how long the rest will take. A log gets a line
  /// when the text changes.
  void points_done(std::size_t done, const std::string& text, std::optional<double> left_s);
  /// Tells between two points that work goes on: on a terminal only, and not more often than people can read.
  /// `fraction` of all the work is done, if that says more than the points.
  void working(const std::string& text, std::optional<double> fraction = {});
  /// A line of its own.
  void note(const std::string& line);
  /// Makes room for other text; the next call draws the line again.
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
