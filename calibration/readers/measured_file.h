// SPDX-License-Identifier: LGPL-2.1-only
// A benchmark's output, line by line, and the Reading that a reader makes of it.
//
//   1024            1.27      numbers() is {1024, 1.27}
//   1024            1,27      noted: "osu.txt:3: '1,27' has a decimal comma; run the program with LC_ALL=C"
//   mpirun: warning ...       noted: "osu.txt:4: 'mpirun: warning ...' is not a row of numbers"
//
// One bad line among good ones is a note. A file without any measurement is an InputError, with the first reason.
#pragma once

#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "calibration/measurement.h"

namespace strata::calibration {

/// The parts between commas, without spaces around them.
std::vector<std::string_view> fields_of(std::string_view text);

/// A finite number that is the whole text, with a decimal point.
std::optional<double> number_of(std::string_view text);

/// A whole number from 0 on that is the whole text.
std::optional<double> whole_number_of(std::string_view text);

/// A number of processes, pairs or threads: whole, from 1 on.
std::optional<int> count_of(std::string_view text);

inline constexpr double kMicrosecond = 1e-6;  // s

class MeasuredFile {
 public:
  /// `expected` says what the file should be: "the output of IMB-MPI1". Throws InputError where it cannot be read.
  MeasuredFile(const std::filesystem::path& file, std::string expected);

  /// Moves to the next line that is not blank; false at the end.
  bool next();
  /// The current line without space around it.
  std::string_view text() const { return text_; }

  /// The current line as a row of at least `least` numbers; nothing, and a note, where it is not one.
  std::optional<std::vector<double>> numbers(std::size_t least);
  /// One number of the current line; nothing, and a note, where it is not one.
  std::optional<double> number(std::string_view text);

  /// The current line as a source: "osu_latency.txt:9".
  std::string here() const { return name_ + ":" + std::to_string(number_); }

  /// Keeps a measurement, whose source is the current line unless it has one. Notes one whose value is not positive or
  /// whose size is not a whole number of bytes.
  void add(Measurement measurement);

  /// Notes that the current line, which should have been a measurement, is not used.
  void leave_out(const std::string& what, const std::string& remedy);
  /// Notes once in a file something that is right but not used: "Scale is not used".
  void pass_over(const std::string& what);

  /// Returns what was read. Throws InputError if the file had no measurement.
  Reading finish();

  std::string program;  // for Reading::program

 private:
  void note(const std::string& what, const std::string& remedy);

  std::string file_, name_, expected_;  // as it was given; its last part, for sources
  std::ifstream in_;
  std::string line_;
  std::string_view text_;
  int number_ = 0;
  bool is_cut_ = false;  // the current line has no end
  Reading reading_;
  std::set<std::string> passed_over_;
  std::string first_fault_, first_passed_over_;
  int notes_beyond_ = 0;
};

}  // namespace strata::calibration
