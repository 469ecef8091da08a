// SPDX-License-Identifier: LGPL-2.1-only
// Keys: lines of text without blanks that reproduce a counter-example.
//
//   SUBJECT/PROPERTY:TEXT    hsplit/strict-subset:m2cc:c0,c1    first_result/deadlock:1,3,1
//
// TEXT is a case of an area, or the steps of a program. Each area has its own format; KeyReader reads all of them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace strata::check {

/// The parts of a key.
struct Key {
  std::string subject;   // an area, or the name of an exploration: "protocols/hierarchy.roots"
  std::string property;  // for a program: the verdict
  std::string text;
};

/// Throws InputError.
Key parse_key(const std::string& key);
std::string text_of(const Key& key);

/// Reads the text of a key from left to right. Errors are InputErrors that name the text, the character, what is wrong
/// there and what would be right.
class KeyReader {
 public:
  /// Copies `text`.
  explicit KeyReader(std::string text) : text_(std::move(text)) {}

  /// The index of the next character.
  size_t at() const { return at_; }
  void go_to(size_t at) { at_ = at; }
  bool at_end() const { return at_ == text_.size(); }
  /// The next character; '\0' at the end.
  char next() const { return at_end() ? '\0' : text_[at_]; }
  bool next_is_digit() const { return next() >= '0' && next() <= '9'; }

  /// Reads these characters if they come next. Returns whether they did.
  bool take(char character);
  bool take(std::string_view characters);
  /// Reads up to the first of the characters in `stops`, or to the end.
  std::string until(std::string_view stops);
  /// Reads decimal digits without a leading zero, so that a case has only one key. Reads nothing if the number is not
  /// between `least` and `most`.
  std::optional<long> number(long least, long most);

  /// Throws InputError about the next character.
  [[noreturn]] void fail(const std::string& what, const std::string& right) const;

 private:
  std::string text_;
  size_t at_ = 0;
};

/// Reads fields that are separated by commas. A field is a word or "name=value"; the calls determine the order.
///
///   KeyFields fields("chain,fanout=3,ranks=8", "SHAPE[,fanout=F],ranks=N");
///   fields.one_of({"chain", "binary"}); fields.number("fanout", 1, 99); fields.number("ranks", 1, 99); fields.end();
class KeyFields {
 public:
  /// `form`: the format of the key, for errors.
  KeyFields(std::string text, std::string form) : reader_(std::move(text)), form_(std::move(form)) {}

  /// Reads the next field, which must be one of `words`, and returns its index.
  size_t one_of(const std::vector<std::string>& words);
  /// Reads the next field, which must be "name=number", with a number from `least` to `most`.
  int number(const std::string& name, int least, int most);
  /// Reads the next field, which must be "name=1.2.3", with numbers from `least` to `most`.
  std::vector<int> numbers(const std::string& name, int least, int most);
  /// Reads the next field if it is this word. Returns whether it was.
  bool flag(const std::string& word);
  /// Whether the next field is "name=...". Reads nothing.
  bool at_field(const std::string& name) const;
  /// Throws InputError if there is another field.
  void end() const;

  /// Throws InputError about the field that was read last.
  [[noreturn]] void refuse(const std::string& why) const;

 private:
  // The start of the next field; no value at the end.
  std::optional<size_t> next_field() const;
  std::optional<std::string> peek() const;
  // Reads the next field, which must be "name=" and a value that `value` reads completely.
  void read(const std::string& name, const std::string& expected, const std::function<bool()>& value);
  void read_word();
  [[noreturn]] void refuse_next(const std::string& expected) const;

  KeyReader reader_;  // after the field that was read last
  std::string form_;
  std::optional<size_t> last_;  // start of that field
};

/// "1.2.3"
std::string with_dots(const std::vector<int>& numbers);

}  // namespace strata::check
