// SPDX-License-Identifier: LGPL-2.1-only
// Tables of comma-separated values (RFC 4180): a heading, then one row on each line.
//
//   link,direction,bytes
//   node0.core0,up,500
//   "x+ link of router (0,1)",across,1000000
//
// A field is quoted if it contains a comma, a quote or a line feed; a quote inside it is doubled.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace strata {

/// A field as written in a row.
std::string csv_field(const std::string& text);

/// Reads a table row by row. Errors are InputErrors with file and line, and the remedy that was given to the
/// constructor.
class CsvReader {
 public:
  /// Opens the file and reads its heading. Throws if the file cannot be read or begins with a different line.
  CsvReader(const std::filesystem::path& file, std::string_view heading, std::string remedy);

  /// Moves to the next row; false at the end. Throws if the row has more or fewer fields than the heading.
  bool next();

  /// Fields of the current row, counted from 0.
  const std::string& text(std::size_t field) const { return fields_[field]; }
  /// Throws if the field is not a finite number of 0 or more.
  double number(std::size_t field) const;
  /// Throws if the field is not a whole number from 0 to `most`.
  std::uint64_t whole(std::size_t field, std::uint64_t most = UINT64_MAX) const;

  [[noreturn]] void fail(const std::string& what) const;

 private:
  bool read_line();

  std::string file_, remedy_, line_;
  std::ifstream in_;
  std::size_t columns_ = 0;
  long line_number_ = 0, row_number_ = 0;  // of the last line read; of the first line of the current row
  std::vector<std::string> fields_;
};

}  // namespace strata
