// SPDX-License-Identifier: LGPL-2.1-only
// Reads a benchmark's output line by line, and collects its measurements in a Reading.
//
//   1024            1.27      numbers() is {1024, 1.27}
//   1024            1,27      noted: "osu.txt:3: '1,27' has a decimal comma; run the program with LC_ALL=C"
//   mpirun: warning ...       noted: "osu.txt:4: 'mpirun: warning ...' is not a row of numbers"
//
// A bad line among good ones only gives a note. A file without any measurement is an InputError with the first note.
#pragma once

#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "calibration/measured_number.h"

namespace strata::calibration {

/// The parts between commas, without surrounding spaces.
std::vector<std::string_view> fields_of(std::string_view text);

/// Parses a finite number with a decimal point. Nothing if this is not the whole text.
std::optional<double> number_of(std::string_view text);

/// Parses a whole number from 0 on. Nothing if this is not the whole text.
std::optional<double> whole_number_of(std::string_view text);

/// Parses a number of processes, pairs or threads: a whole number from 1 on.
std::optional<int> count_of(std::string_view text);

inline constexpr double kMicrosecond = 1e-6;  // s

class MeasuredFile {
 public:
  /// `expected` describes the kind of file: "the output of IMB-MPI1". Throws InputError if it cannot be read.
  MeasuredFile(const std::filesystem::path& file, std::string expected);

  /// Moves to the next line that is not blank. Returns false at the end.
  bool next();
  /// The current line without surrounding spaces.
  std::string_view text() const { return text_; }

  /// The current line as a row of at least `least` numbers. Otherwise returns nothing, and adds a note.
  std::optional<std::vector<double>> numbers(std::size_t least);
  /// A number in the current line. Returns nothing, and adds a note, if it is not one.
  std::optional<double> number(std::string_view text);
  /// The same; also not if the file ends inside the current line. For figures that are added later.
  std::optional<double> uncut_number(std::string_view text);

  /// The current line as a source: "osu_latency.txt:9".
  std::string here() const { return name_ + ":" + std::to_string(number_); }

  /// Adds a measurement; its source is the current line unless it has one. Instead adds a note if its value is not
  /// positive or its size is not a whole number of bytes.
  void add(Measurement measurement);
  /// The same for a measurement of an earlier line, which its source names: the file may end inside the current line.
  void add_earlier(Measurement measurement);

  /// Notes that the current line, which should have been a measurement, is not used.
  void leave_out(const std::string& what, const std::string& remedy);
  /// Notes something valid that is not used, once per file: "Scale is not used".
  void pass_over(const std::string& what);

  /// Returns the measurements. Throws InputError if the file had none.
  Reading finish();

  std::string program;  // for Reading::program

 private:
  void note(const std::string& what, const std::string& remedy);

  std::string file_, name_, expected_;  // the path as given; its last part, for sources
  std::ifstream in_;
  std::string line_;
  std::string_view text_;
  int number_ = 0;
  bool is_cut_ = false;  // the current line has no line break
  Reading reading_;
  std::set<std::string> passed_over_;
  std::string first_fault_, first_passed_over_;
  int notes_beyond_ = 0;
};

}  // namespace strata::calibration
