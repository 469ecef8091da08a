// SPDX-License-Identifier: LGPL-2.1-only
#include "base/csv.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "base/input_file.h"

namespace strata {

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

CsvReader::CsvReader(const std::filesystem::path& file, std::string_view heading, std::string remedy)
    : file_(file.string()), remedy_(std::move(remedy)), in_(open_input(file, remedy_, kAnySize_bytes)) {
  row_number_ = 1;
  if (!read_line() || line_ != heading) fail("is not '" + std::string(heading) + "'");
  columns_ = static_cast<std::size_t>(std::count(heading.begin(), heading.end(), ',')) + 1;
}

void CsvReader::fail(const std::string& what) const {
  throw InputError(file_ + ":" + std::to_string(row_number_), what, remedy_);
}

bool CsvReader::read_line() {
  if (!std::getline(in_, line_)) return false;
  ++line_number_;
  return true;
}

bool CsvReader::next() {
  if (!read_line()) return false;
  row_number_ = line_number_;
  fields_.assign(1, "");
  bool quoted = false, closed = false;  // inside quotes; after the quote that ends a field
  for (std::size_t i = 0;; ++i) {
    if (i == line_.size()) {
      if (!quoted) break;
      if (!read_line()) fail("has a quote that does not end");
      fields_.back() += '\n';
      i = static_cast<std::size_t>(-1);
      continue;
    }
    const char c = line_[i];
    if (quoted) {
      if (c != '"') {
        fields_.back() += c;
      } else if (i + 1 < line_.size() && line_[i + 1] == '"') {
        fields_.back() += line_[++i];
      } else {
        quoted = false;
        closed = true;
      }
    } else if (c == ',') {
      fields_.emplace_back();
      closed = false;
    } else if (c == '"' && fields_.back().empty() && !closed) {
      quoted = true;
    } else if (c == '"' || closed) {
      fail("has a quote inside a field");
    } else {
      fields_.back() += c;
    }
  }
  if (fields_.size() == columns_) return true;
  fail("has " + std::to_string(fields_.size()) + (fields_.size() == 1 ? " field" : " fields") + " where " +
       std::to_string(columns_) + " were expected");
}

double CsvReader::number(std::size_t field) const {
  const std::string& text = fields_[field];
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || at != end || !std::isfinite(value) || value < 0) {
    fail("'" + text + "' is not a number of 0 or more");
  }
  return value;
}

std::uint64_t CsvReader::whole(std::size_t field, std::uint64_t most) const {
  const std::string& text = fields_[field];
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || at != end || value > most) {
    fail("'" + text + "' is not a whole number from 0 to " + std::to_string(most));
  }
  return value;
}

}  // namespace strata
