// SPDX-License-Identifier: LGPL-2.1-only
// Helpers of the readers and writers of matrices: lines and words of a text, and numbers. Errors are InputErrors with
// file, line and remedy.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace strata::matrix_text {

inline constexpr const char* kFormats = "give dense text, a .prof of Open MPI's monitoring, or a Matrix Market file";

/// A word of a file, quoted for an error message.
std::string in_quotes(std::string_view word);

/// The words of a line, one by one.
class Words {
 public:
  explicit Words(std::string_view line, bool commas = false) : line_(line), commas_(commas) {}

  /// Empty at the end.
  std::string_view next();

 private:
  bool is_blank(char c) const { return c == ' ' || c == '\t' || c == '\r' || (commas_ && c == ','); }

  std::string_view line_;
  bool commas_;
  std::size_t at_ = 0;
};

/// The lines of a file, with a current line.
class Lines {
 public:
  Lines(std::string name, std::string_view text) : name_(std::move(name)), text_(text) {}

  bool next();
  std::string_view line() const { return line_; }
  std::size_t bytes_left() const { return at_ < text_.size() ? text_.size() - at_ : 0; }

  [[noreturn]] void fail(const std::string& what, const std::string& remedy) const;
  [[noreturn]] void fail_whole(const std::string& what, const std::string& remedy) const;

 private:
  std::string name_;
  std::string_view text_, line_;
  std::size_t at_ = 0;
  long number_ = 0;
};

/// Reads entries, which must be finite and not negative, and whose sum must stay below 1e300.
class Amounts {
 public:
  double read(std::string_view word, const Lines& at);
  void add(double value, const Lines& at);

 private:
  double sum_ = 0;
};

/// Reads a whole number of at most `most`.
std::uint64_t read_whole(std::string_view word, std::uint64_t most, const char* what, const Lines& at);

/// Throws InputError if a matrix has `have` ranks instead of `want`. 0 accepts any number.
void check_order(long have, int want, const Lines& lines);

bool is_whole(double value);
/// Appends a number: without fraction or exponent if `whole`, otherwise with as many digits as it needs.
void append_number(std::string& text, double value, bool whole);

}  // namespace strata::matrix_text
