// SPDX-License-Identifier: LGPL-2.1-only
#include "check/engine/key.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/error.h"

namespace strata::check {

Key parse_key(const std::string& key) {
  const size_t colon = key.find(':'), slash = key.rfind('/', colon);
  if (colon == std::string::npos || slash == std::string::npos || slash == 0 || colon == slash + 1)
    throw InputError("--replay " + key, "is not a key", "as it was printed: area/property:case");
  return {key.substr(0, slash), key.substr(slash + 1, colon - slash - 1), key.substr(colon + 1)};
}

std::string text_of(const Key& key) { return fmt::format("{}/{}:{}", key.subject, key.property, key.text); }

bool KeyReader::take(char character) {
  if (at_end() || text_[at_] != character) return false;
  ++at_;
  return true;
}

bool KeyReader::take(std::string_view characters) {
  if (text_.compare(at_, characters.size(), characters) != 0) return false;
  at_ += characters.size();
  return true;
}

std::string KeyReader::until(std::string_view stops) {
  const size_t end = std::min(text_.find_first_of(stops, at_), text_.size()), begin = std::exchange(at_, end);
  return text_.substr(begin, end - begin);
}

std::optional<long> KeyReader::number(long least, long most) {
  if (!next_is_digit()) return std::nullopt;
  long value = 0;
  const char* const begin = text_.data() + at_;
  const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
  if (error != std::errc() || value < least || value > most || (*begin == '0' && end != begin + 1)) return std::nullopt;
  at_ += static_cast<size_t>(end - begin);
  return value;
}

void KeyReader::fail(const std::string& what, const std::string& right) const {
  throw InputError(fmt::format("case '{}', character {}", text_, at_ + 1), what, right);
}

std::optional<size_t> KeyFields::next_field() const {
  if (!last_) return 0;
  if (reader_.at_end()) return std::nullopt;
  return reader_.at() + 1;  // after the comma
}

std::optional<std::string> KeyFields::peek() const {
  const std::optional<size_t> begin = next_field();
  if (!begin) return std::nullopt;
  KeyReader ahead = reader_;
  ahead.go_to(*begin);
  return ahead.until(",");
}

void KeyFields::refuse_next(const std::string& expected) const {
  const std::optional<std::string> found = peek();
  KeyReader there = reader_;
  if (found) there.go_to(*next_field());
  there.fail((found ? "'" + *found + "'" : "nothing") + " where " + expected + " must be", "a case is " + form_);
}

void KeyFields::refuse(const std::string& why) const {
  KeyReader there = reader_;
  there.go_to(last_.value_or(0));
  there.fail(why, "a case is " + form_);
}

void KeyFields::read(const std::string& name, const std::string& expected, const std::function<bool()>& value) {
  if (!at_field(name)) refuse_next(expected);
  const size_t before = reader_.at(), begin = *next_field();
  reader_.go_to(begin + name.size() + 1);
  if (!value() || (!reader_.at_end() && reader_.next() != ',')) {
    reader_.go_to(before);
    refuse_next(expected);
  }
  last_ = begin;
}

void KeyFields::read_word() {
  const size_t begin = *next_field();
  reader_.go_to(begin);
  reader_.until(",");
  last_ = begin;
}

size_t KeyFields::one_of(const std::vector<std::string>& words) {
  const std::optional<std::string> found = peek();
  const auto at = found ? std::ranges::find(words, *found) : words.end();
  if (at == words.end()) refuse_next(fmt::format("one of {}", fmt::join(words, ", ")));
  read_word();
  return static_cast<size_t>(at - words.begin());
}

int KeyFields::number(const std::string& name, int least, int most) {
  std::optional<long> found;
  read(name, fmt::format("{}=NUMBER, from {} to {},", name, least, most), [&] {
    found = reader_.number(least, most);
    return found.has_value();
  });
  return static_cast<int>(*found);
}

std::vector<int> KeyFields::numbers(const std::string& name, int least, int most) {
  std::vector<int> all;
  read(name, fmt::format("{}=NUMBERS with dots between, each from {} to {},", name, least, most), [&] {
    do {
      const std::optional<long> found = reader_.number(least, most);
      if (!found) return false;
      all.push_back(static_cast<int>(*found));
    } while (reader_.take('.'));
    return true;
  });
  return all;
}

bool KeyFields::flag(const std::string& word) {
  if (peek() != word) return false;
  read_word();
  return true;
}

bool KeyFields::at_field(const std::string& name) const {
  const std::optional<std::string> found = peek();
  return found && found->starts_with(name + "=");
}

void KeyFields::end() const {
  if (peek()) refuse_next("the end");
}

std::string with_dots(const std::vector<int>& numbers) { return fmt::format("{}", fmt::join(numbers, ".")); }

}  // namespace strata::check
