// Takes the key of a case apart: fields between commas, in a fixed order, each a word or "name=value".
//
//   KeyFields fields("chain,fanout=3,ranks=8", "SHAPE[,fanout=F],ranks=N");
//   fields.one_of({"chain", "binary"}); fields.number("fanout", 1, 99); fields.number("ranks", 1, 99); fields.end();
#pragma once

#include <string>
#include <vector>

namespace strata::check {

/// What it reads must come in the order of the calls. All but at_field throw InputError: the key, the field, what is
/// wrong with it, and `form`, what a key looks like.
class KeyFields {
 public:
  KeyFields(const std::string& key, std::string form);

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
  [[noreturn]] void refuse_next(const std::string& expected) const;
  std::string value(const std::string& name, const std::string& expected);

  std::string key_, form_;
  std::vector<std::string> fields_;
  size_t next_ = 0;
};

/// "1.2.3"
std::string with_dots(const std::vector<int>& numbers);

}  // namespace strata::check
