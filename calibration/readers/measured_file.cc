// SPDX-License-Identifier: LGPL-2.1-only
#include "calibration/readers/measured_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "base/error.h"
#include "base/input_file.h"
#include "base/line_text.h"

namespace strata::calibration {
namespace {

constexpr std::size_t kMostNotes = 20;      // further notes would not help
constexpr double kMostBytes = 0x1p53;       // all whole numbers up to this are exact doubles
constexpr std::size_t kMostLine = 1 << 16;  // B; benchmarks print lines of about 100
constexpr const char* kLocale = "run the program with LC_ALL=C";

bool has_decimal_comma(std::string_view text) {
  std::string pointed(text);
  const std::size_t comma = pointed.find(',');
  if (comma == std::string::npos) return false;
  pointed[comma] = '.';
  return number_of(pointed).has_value();
}

}  // namespace

std::vector<std::string_view> fields_of(std::string_view text) {
  std::vector<std::string_view> fields;
  for (;;) {
    const std::size_t comma = text.find(',');
    fields.push_back(trimmed(text.substr(0, comma)));
    if (comma == std::string_view::npos) return fields;
    text.remove_prefix(comma + 1);
  }
}

std::optional<double> number_of(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || at != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<double> whole_number_of(std::string_view text) {
  const std::optional<double> value = number_of(text);
  return value && *value >= 0 && *value == std::floor(*value) ? value : std::nullopt;
}

std::optional<int> count_of(std::string_view text) {
  const std::optional<double> value = whole_number_of(text);
  if (!value || *value < 1 || *value > std::numeric_limits<int>::max()) return std::nullopt;
  return static_cast<int>(*value);
}

MeasuredFile::MeasuredFile(const std::filesystem::path& file, std::string expected)
    : file_(file.string()),
      name_(file.filename().string()),
      expected_(std::move(expected)),
      in_(open_input(file, "give " + expected_)) {
  if (in_.peek() == std::ifstream::traits_type::eof()) throw InputError(file_, "is empty", "give " + expected_);
}

bool MeasuredFile::next() {
  while (std::getline(in_, line_)) {
    ++number_;
    if (line_.size() > kMostLine) {
      throw InputError(fmt::format("{}:{}", file_, number_), "is a line of more than 64 KiB", "give " + expected_);
    }
    is_cut_ = in_.eof();
    text_ = trimmed(line_);
    if (!text_.empty()) return true;
  }
  return false;
}

std::optional<double> MeasuredFile::number(std::string_view text) {
  const std::optional<double> value = number_of(text);
  if (value) return value;
  if (has_decimal_comma(text)) {
    leave_out(shown(text) + " has a decimal comma", kLocale);
  } else {
    leave_out(shown(text) + " is not a number", "write a finite number, with a decimal point");
  }
  return std::nullopt;
}

std::optional<double> MeasuredFile::uncut_number(std::string_view text) {
  if (!is_cut_) return number(text);
  leave_out("the file ends inside this line, which may be cut", "end the last line");
  return std::nullopt;
}

std::optional<std::vector<double>> MeasuredFile::numbers(std::size_t least) {
  std::vector<double> row;
  const std::vector<std::string_view> words = words_of(text_);
  for (const std::string_view word : words) {
    const std::optional<double> value = number_of(word);
    if (!value && has_decimal_comma(word)) return number(word), std::nullopt;
    if (!value) {
      leave_out(shown(text_) + " is not a row of numbers", "");
      return std::nullopt;
    }
    row.push_back(*value);
  }
  if (row.size() < least) {
    leave_out(fmt::format("has {} of the {} numbers of a row", row.size(), least), "");
    return std::nullopt;
  }
  return row;
}

void MeasuredFile::add(Measurement measurement) {
  if (is_cut_) return leave_out("the file ends inside this line, which may be cut", "end the last line");
  if (measurement.source.empty()) measurement.source = here();
  add_earlier(std::move(measurement));
}

void MeasuredFile::add_earlier(Measurement measurement) {
  if (!(measurement.bytes >= 0 && measurement.bytes <= kMostBytes) ||
      measurement.bytes != std::floor(measurement.bytes)) {
    return leave_out(fmt::format("{} is not a size", measurement.bytes), "a size is a whole number of bytes");
  }
  if (!(measurement.value > 0) || !std::isfinite(measurement.value)) {
    return leave_out(fmt::format("{} is measured, which is not positive", measurement.value),
                     "measure again with more repetitions");
  }
  reading_.measurements.push_back(std::move(measurement));
}

void MeasuredFile::note(const std::string& what, const std::string& remedy) {
  if (reading_.notes.size() == kMostNotes) {
    ++notes_beyond_;
    return;
  }
  reading_.notes.push_back(fmt::format("{}:{}: {}{}{}", file_, number_, what, remedy.empty() ? "" : "; ", remedy));
}

void MeasuredFile::leave_out(const std::string& what, const std::string& remedy) {
  const std::string& right = remedy.empty() ? "it is left out" : remedy;
  note(what, right);
  if (first_fault_.empty()) {
    first_fault_ = fmt::format("{}:{}: {}; {}", file_, number_, what, remedy.empty() ? "give " + expected_ : remedy);
  }
}

void MeasuredFile::pass_over(const std::string& what) {
  if (!passed_over_.insert(what).second) return;
  note(what, "");
  if (first_passed_over_.empty()) {
    first_passed_over_ = fmt::format("{}:{}: {}; give {}", file_, number_, what, expected_);
  }
}

Reading MeasuredFile::finish() {
  if (reading_.measurements.empty()) {
    if (!first_fault_.empty()) throw InputError::of_message(first_fault_);
    if (!first_passed_over_.empty()) throw InputError::of_message(first_passed_over_);
    throw InputError(fmt::format("{}:{}", file_, std::max(number_, 1)), "ends without a measurement",
                     "give " + expected_);
  }
  if (notes_beyond_ > 0) reading_.notes.push_back(fmt::format("{}: {} more lines are not used", file_, notes_beyond_));
  reading_.program = std::move(program);
  return std::move(reading_);
}

}  // namespace strata::calibration
