// SPDX-License-Identifier: LGPL-2.1-only
#include "collectives/rules/number_scanner.h"

namespace strata::collectives {
namespace {

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// -1: not a digit of any base.
int digit_of(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

char NumberScanner::take() {
  const char c = text_[next_++];
  if (c == '\n') ++line_;
  return c;
}

void NumberScanner::take_blanks() {
  while (!at_end() && is_blank(text_[next_])) take();
}

void NumberScanner::take_line() {
  while (!at_end()) {
    if (take() == '\n') return;
  }
}

// fscanf's %li, or %zu: blanks, a sign, and digits of base 10, 16 (0x) or 8 (0). Characters before a missing digit
// remain taken.
std::optional<ScannedNumber> NumberScanner::scan(bool is_decimal) {
  take_blanks();
  ScannedNumber found{.line = line_};
  bool is_negative = false;
  if (!at_end() && (text_[next_] == '-' || text_[next_] == '+')) is_negative = take() == '-';
  int base = 10;
  size_t digits = 0;
  if (!is_decimal && !at_end() && text_[next_] == '0') {
    take();
    digits = 1;
    base = 8;
    if (!at_end() && (text_[next_] == 'x' || text_[next_] == 'X')) {
      take();
      base = 16;
    }
  }
  std::int64_t value = 0;
  bool is_too_large = false;
  for (; !at_end() && digit_of(text_[next_]) >= 0 && digit_of(text_[next_]) < base; ++digits) {
    const int digit = digit_of(take());
    is_too_large = is_too_large || value > (INT64_MAX - digit) / base;
    if (!is_too_large) value = value * base + digit;
    if (base != 10) found.is_decimal = false;
  }
  if (digits == 0) return std::nullopt;
  if (base == 8 && !at_end() && is_digit(text_[next_])) found.is_decimal = false;  // 08 is 0 and 8
  if (is_too_large) value = INT64_MAX;
  found.value = is_negative ? -value : value;
  return found;
}

std::optional<ScannedNumber> NumberScanner::number(bool is_decimal) {
  std::string skipped;
  int skipped_line = 0;
  while (true) {
    take_blanks();
    if (at_end()) return std::nullopt;
    const size_t begin = next_;
    const int line = line_;
    if (std::optional<ScannedNumber> found = scan(is_decimal)) {
      found->skipped = skipped;
      found->skipped_line = skipped_line;
      return found;
    }
    if (at_end()) return std::nullopt;  // after a sign
    const char trash = take();
    if (trash == '#') {
      take_line();
    } else if (!is_blank(trash)) {
      if (skipped.empty()) skipped_line = line;
      skipped += text_.substr(begin, next_ - begin);
    }
  }
}

std::optional<ScannedNumber> NumberScanner::number_here() { return scan(true); }

std::optional<ScannedWord> NumberScanner::word() {
  constexpr size_t kMost = 32;  // characters
  while (true) {
    take_blanks();
    if (at_end()) return std::nullopt;
    ScannedWord found{.text = {}, .line = line_};
    while (!at_end() && !is_blank(text_[next_]) && found.text.size() < kMost) found.text += take();
    if (found.text.front() != '#') return found;
    take_line();
  }
}

std::optional<bool> NumberScanner::takes(char expected) {
  while (!at_end()) {
    const char c = text_[next_];
    if (c == '#') {
      take();
      take_line();
    } else if (c == expected) {
      take();
      return true;
    } else if (c == ' ' || c == '\t' || c == '\n') {
      take();
    } else {
      return false;
    }
  }
  return std::nullopt;
}

bool NumberScanner::is_digit_next() {
  while (!at_end() && (text_[next_] == ' ' || text_[next_] == '\t')) take();
  return !at_end() && is_digit(text_[next_]);
}

bool NumberScanner::take_literal(std::string_view literal) {
  for (const char c : literal) {
    if (at_end() || text_[next_] != c) return false;
    take();
  }
  return true;
}

}  // namespace strata::collectives
