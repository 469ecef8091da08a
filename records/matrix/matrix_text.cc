// SPDX-License-Identifier: LGPL-2.1-only
#include "records/matrix/matrix_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/error.h"

namespace strata::matrix_text {
namespace {

// Keeps sums finite, and costs computed from them.
constexpr double kLargestSum = 1e300;

}  // namespace

std::string in_quotes(std::string_view word) {
  constexpr std::size_t kMost = 24;
  return "'" + std::string(word.substr(0, kMost)) + (word.size() > kMost ? "..." : "") + "'";
}

std::string_view Words::next() {
  while (at_ < line_.size() && is_blank(line_[at_])) ++at_;
  const std::size_t first = at_;
  while (at_ < line_.size() && !is_blank(line_[at_])) ++at_;
  return line_.substr(first, at_ - first);
}

bool Lines::next() {
  if (at_ >= text_.size()) return false;
  const std::size_t end = std::min(text_.find('\n', at_), text_.size());
  line_ = text_.substr(at_, end - at_);
  at_ = end + 1;
  ++number_;
  return true;
}

void Lines::fail(const std::string& what, const std::string& remedy) const {
  throw InputError(name_ + ":" + std::to_string(number_), what, remedy);
}

void Lines::fail_whole(const std::string& what, const std::string& remedy) const {
  throw InputError(name_, what, remedy);
}

double Amounts::read(std::string_view word, const Lines& at) {
  const char* first = word.data();
  const char* const end = first + word.size();
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') ++first;
  double value = 0;
  const auto [rest, error] = std::from_chars(first, end, value);
  if (error == std::errc::result_out_of_range && rest == end) {
    at.fail(in_quotes(word) + " is not a number in the range of a double", "give one from 1e-300 to 1e300, or 0");
  }
  if (error != std::errc() || rest != end || !std::isfinite(value)) {
    at.fail(in_quotes(word) + " is not a number", "write what is sent as a number, 0 or more");
  }
  if (value < 0) at.fail("the entry " + in_quotes(word) + " is negative", "give what is sent, 0 or more");
  add(value, at);
  return value;
}

void Amounts::add(double value, const Lines& at) {
  sum_ += value;
  if (!(sum_ <= kLargestSum)) at.fail("the entries' sum is beyond 1e300", "give them in a larger unit");
}

std::uint64_t read_whole(std::string_view word, std::uint64_t most, const char* what, const Lines& at) {
  std::uint64_t value = 0;
  const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (word.empty()) at.fail(std::string("no ") + what, "write a whole number there");
  if (rest != word.data() + word.size() || (error != std::errc() && error != std::errc::result_out_of_range)) {
    at.fail(std::string(what) + " " + in_quotes(word) + " is not a whole number", "write 0, 1, 2, ...");
  }
  if (error != std::errc() || value > most) {
    at.fail(std::string(what) + " " + in_quotes(word) + " is too large", "the most is " + std::to_string(most));
  }
  return value;
}

void check_order(long have, int want, const Lines& lines) {
  if (want == 0 || have == want) return;
  lines.fail_whole("a matrix of " + std::to_string(have) + (have == 1 ? " rank" : " ranks") + ", where there are " +
                       std::to_string(want),
                   "make them agree");
}

bool is_whole(double value) { return value == std::floor(value) && value < 1e22; }

void append_number(std::string& text, double value, bool whole) {
  std::array<char, 32> digits;  // at most 22, or 17 and an exponent
  const auto end = whole ? std::to_chars(digits.begin(), digits.end(), value, std::chars_format::fixed, 0).ptr
                         : std::to_chars(digits.begin(), digits.end(), value).ptr;
  text.append(digits.begin(), end);
}

}  // namespace strata::matrix_text
