// SPDX-License-Identifier: LGPL-2.1-only
#include "base/printed_number.h"

#include <re2/re2.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace strata {
namespace {

RE2::Options options() {
  RE2::Options o;
  o.set_log_errors(false);
  o.set_encoding(RE2::Options::EncodingLatin1);  // as bytes, because programs may print any encoding
  return o;
}

std::optional<double> number_in(std::string text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.erase(0, 1);
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == 'D' || c == 'd'; }, 'e');  // Fortran's double precision
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || at != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace

std::optional<std::string> pattern_fault(const std::string& pattern) {
  const RE2 expression(pattern, options());
  if (!expression.ok()) return expression.error();
  if (expression.NumberOfCapturingGroups() == 0) return "no group in parentheses for the number";
  return std::nullopt;
}

std::optional<PrintedNumber> last_number(const std::string& pattern, std::string_view output) {
  const RE2 expression(pattern, options());
  std::optional<PrintedNumber> last;
  while (!output.empty()) {
    const size_t end = std::min(output.find('\n'), output.size());
    std::string_view line = output.substr(0, end);
    output.remove_prefix(std::min(end + 1, output.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    re2::StringPiece group;
    if (RE2::PartialMatch(re2::StringPiece(line.data(), line.size()), expression, &group))
      last = PrintedNumber{.text = std::string(group.data(), group.size()), .value = std::nullopt};
  }
  if (last) last->value = number_in(last->text);
  return last;
}

}  // namespace strata
