// SPDX-License-Identifier: LGPL-2.1-only
// Reads numbers and words as Open MPI reads them from its files of rules: with fscanf, character by character, past
// everything that is not a number. Of
//
//   8K  010 # comment
//   x2
//
// it reads 8, 8 (octal) and 2. The scanner says what it has skipped and where, so that a reader can warn of it.
//
// Source: ompi_coll_base_file_getnext_long, _getnext_string, _getnext_size_t, _peek_next_char_is and
// _peek_next_char_isdigit in ompi/mca/coll/base/coll_base_util.c of Open MPI 4.1.8 and 5.0.9. Its own count of lines
// leaves out most lines; that of the scanner is right.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace strata::collectives {

struct ScannedNumber {
  std::int64_t value = 0;  // as strtol: INT64_MAX if it is larger
  int line = 0;
  std::string skipped = {};  // what is before it and neither a blank nor a comment
  int skipped_line = 0;
  bool is_decimal = true;  // neither 0x10 nor 010
};

struct ScannedWord {
  std::string text;
  int line = 0;
};

class NumberScanner {
 public:
  /// Keeps a reference to the text.
  explicit NumberScanner(std::string_view text) : text_(text) {}

  /// The next number (getnext_long); empty at the end. With `is_decimal`, of base 10 (getnext_size_t).
  std::optional<ScannedNumber> number(bool is_decimal = false);
  /// The next word of at most 32 characters that does not begin with # (getnext_string); empty at the end.
  std::optional<ScannedWord> word();
  /// Whether the next character that is neither blank nor in a comment is `expected`, which is taken. Empty at the end.
  std::optional<bool> takes(char expected);
  /// Whether the next character on this line is a digit, after blanks, which are taken.
  bool is_digit_next();
  /// Takes the characters that begin `literal`, as fscanf does. Whether all of it was there.
  bool take_literal(std::string_view literal);
  /// The number after the blanks here; comments are not skipped.
  std::optional<ScannedNumber> number_here();

  /// The line of the next character.
  int line() const { return line_; }

 private:
  bool at_end() const { return next_ == text_.size(); }
  char take();
  void take_blanks();
  void take_line();
  std::optional<ScannedNumber> scan(bool is_decimal);

  std::string_view text_;
  size_t next_ = 0;
  int line_ = 1;
};

}  // namespace strata::collectives
