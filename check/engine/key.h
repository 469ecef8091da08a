// SPDX-License-Identifier: LGPL-2.1-only
// Keys: a line of text without blanks that shows a counter-example again.
//
//   SUBJECT/PROPERTY:TEXT    hsplit/strict-subset:m2cc:c0,c1    first_result/deadlock:1,3,1
//
// TEXT is a case of an area, or the steps of a program. Each kind has a form of its own; all are read with KeyReader.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace strata::check {

/// A key taken apart.
struct Key {
  std::string subject;   // an area, or the name of what was explored: "protocols/hierarchy.roots"
  std::string property;  // of a program: the verdict
  std::string text;
};

/// Throws InputError.
Key parse_key(const std::string& key);
std::string text_of(const Key& key);

/// Reads the text of a key from left to right. Errors are InputError: the text, the character, what is wrong there and
/// what would be right.
class KeyReader {
 public:
  /// Keeps its own copy of `text`.
  explicit KeyReader(std::string text) : text_(std::move(text)) {}

  /// The index of the next character.
  size_t at() const { return at_; }
  void go_to(size_t at) { at_ = at; }
  bool at_end() const { return at_ == text_.size(); }
  /// The next character; '\0' at the end.
  char next() const { return at_end() ? '\0' : text_[at_]; }
  bool next_is_digit() const { return next() >= '0' && next() <= '9'; }

  /// Reads these characters where they come next. Tells whether they do.
  bool take(char character);
  bool take(std::string_view characters);
  /// Reads up to the next of these characters, or to the end.
  std::string until(std::string_view stops);
  /// Reads decimal digits without a leading zero, so that a case has one key. Nothing is read where the number is not
  /// from `least` to `most`.
  std::optional<long> number(long least, long most);

  /// Something is wrong with the next character.
  [[noreturn]] void fail(const std::string& what, const std::string& right) const;

 private:
  std::string text_;
  size_t at_ = 0;
};

/// Reads fields between commas, in the order of the calls, each a word or "name=value".
///
///   KeyFields fields("chain,fanout=3,ranks=8", "SHAPE[,fanout=F],ranks=N");
///   fields.one_of({"chain", "binary"}); fields.number("fanout", 1, 99); fields.number("ranks", 1, 99); fields.end();
class KeyFields {
 public:
  /// `form`: what a key looks like, for errors.
  KeyFields(std::string text, std::string form) : reader_(std::move(text)), form_(std::move(form)) {}

  /// The index in `words` of the next field.
  size_t one_of(const std::vector<std::string>& words);
  /// The next field is "name=number", the number from `least` to `most`.
  int number(const std::string& name, int least, int most);
  /// The next field is "name=1.2.3", each number from `least` to `most`.
  std::vector<int> numbers(const std::string& name, int least, int most);
  /// Whether the next field is this word; it is read then.
  bool flag(const std::string& word);
  /// Whether the next field is "name=...". Nothing is read.
  bool at_field(const std::string& name) const;
  /// There is no further field.
  void end() const;

  /// The field that was read last is wrong.
  [[noreturn]] void refuse(const std::string& why) const;

 private:
  // Where the next field begins; nothing at the end.
  std::optional<size_t> next_field() const;
  std::optional<std::string> peek() const;
  // Reads the next field, which must be "name=" and what `value` reads to its end.
  void read(const std::string& name, const std::string& expected, const std::function<bool()>& value);
  void read_word();
  [[noreturn]] void refuse_next(const std::string& expected) const;

  KeyReader reader_;  // behind the field that was read last
  std::string form_;
  std::optional<size_t> last_;  // where that field begins
};

/// "1.2.3"
std::string with_dots(const std::vector<int>& numbers);

}  // namespace strata::check
