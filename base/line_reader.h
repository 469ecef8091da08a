// SPDX-License-Identifier: LGPL-2.1-only
// Reads a user's text file line by line, with errors that give file, line, problem and remedy.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/line_text.h"

namespace strata {

class LineReader {
 public:
  /// `expected` says what the file should be: "Slurm's topology.conf". Throws InputError if the file cannot be read, is
  /// empty or is not UTF-8 text.
  LineReader(const std::filesystem::path& file, std::string expected);

  /// Moves to the next line; false at the end.
  bool next();
  /// The line without its end and surrounding blanks.
  std::string_view text() const { return text_; }
  int line() const { return line_; }
  /// Whether the file ends within this line.
  bool is_cut() const { return is_cut_; }
  /// "FILE:LINE", of the current line or of one before.
  std::string where() const { return where(line_); }
  std::string where(int line) const { return file_ + ":" + std::to_string(line); }
  const std::string& file() const { return file_; }
  /// Throws InputError for the current line. Without a remedy: "give EXPECTED".
  [[noreturn]] void fail(const std::string& what, const std::string& remedy = "") const { fail(line_, what, remedy); }
  [[noreturn]] void fail(int line, const std::string& what, const std::string& remedy = "") const;

 private:
  std::string file_, expected_, bytes_;
  size_t next_ = 0;
  std::string_view text_;
  int line_ = 0;
  bool is_cut_ = false;
};

}  // namespace strata
