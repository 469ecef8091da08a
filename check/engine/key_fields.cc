#include "check/engine/key_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "platforms/error.h"

namespace strata::check {
namespace {

std::vector<std::string> cut(const std::string& text, char at) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == at) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

// No sign, no leading zero: a case has one key.
std::optional<int> read_number(const std::string& text, int least, int most) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || std::to_string(number) != text) return {};
  if (number < least || number > most) return {};
  return number;
}

}  // namespace

KeyFields::KeyFields(const std::string& key, std::string form)
    : key_(key), form_(std::move(form)), fields_(cut(key, ',')) {}

void KeyFields::refuse(const std::string& why) const {
  throw InputError(fmt::format("case '{}', field {}", key_, next_), why, "a case is " + form_);
}

void KeyFields::refuse_next(const std::string& expected) const {
  const std::string found = next_ < fields_.size() ? "'" + fields_[next_] + "'" : "nothing";
  throw InputError(fmt::format("case '{}', field {}", key_, next_ + 1), found + " where " + expected + " must be",
                   "a case is " + form_);
}

size_t KeyFields::one_of(const std::vector<std::string>& words) {
  const auto at = next_ < fields_.size() ? std::ranges::find(words, fields_[next_]) : words.end();
  if (at == words.end()) refuse_next(fmt::format("one of {}", fmt::join(words, ", ")));
  ++next_;
  return static_cast<size_t>(at - words.begin());
}

std::string KeyFields::value(const std::string& name, const std::string& expected) {
  if (!at_field(name)) refuse_next(expected);
  return fields_[next_].substr(name.size() + 1);
}

int KeyFields::number(const std::string& name, int least, int most) {
  const std::string expected = fmt::format("{}=NUMBER, from {} to {},", name, least, most);
  const auto number = read_number(value(name, expected), least, most);
  if (!number) refuse_next(expected);
  ++next_;
  return *number;
}

std::vector<int> KeyFields::numbers(const std::string& name, int least, int most) {
  const std::string expected = fmt::format("{}=NUMBERS with dots between, each from {} to {},", name, least, most);
  std::vector<int> all;
  for (const std::string& part : cut(value(name, expected), '.')) {
    const auto number = read_number(part, least, most);
    if (!number) refuse_next(expected);
    all.push_back(*number);
  }
  ++next_;
  return all;
}

bool KeyFields::flag(const std::string& word) {
  if (next_ >= fields_.size() || fields_[next_] != word) return false;
  ++next_;
  return true;
}

bool KeyFields::at_field(const std::string& name) const {
  return next_ < fields_.size() && fields_[next_].starts_with(name + "=");
}

void KeyFields::end() const {
  if (next_ < fields_.size()) refuse_next("the end");
}

std::string with_dots(const std::vector<int>& numbers) { return fmt::format("{}", fmt::join(numbers, ".")); }

}  // namespace strata::check
