// SPDX-License-Identifier: LGPL-2.1-only
#include "base/line_reader.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/input_file.h"
#include "base/utf8.h"

namespace strata {

LineReader::LineReader(const std::filesystem::path& file, std::string expected)
    : file_(file.string()), expected_(std::move(expected)) {
  bytes_ = read_input(file, "give " + expected_);
  if (bytes_.empty()) throw InputError(file_, "is empty", "give " + expected_);
  const size_t bad = std::min(first_not_utf8(bytes_), bytes_.find('\0'));
  if (bad == std::string::npos) return;
  fail(1 + static_cast<int>(std::count(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(bad), '\n')),
       "has a byte that is not text in UTF-8");
}

bool LineReader::next() {
  if (next_ >= bytes_.size()) return false;
  const size_t end = bytes_.find('\n', next_);
  is_cut_ = end == std::string::npos;
  text_ = trimmed(std::string_view(bytes_).substr(next_, is_cut_ ? std::string_view::npos : end - next_));
  next_ = is_cut_ ? bytes_.size() : end + 1;
  ++line_;
  return true;
}

void LineReader::fail(int line, const std::string& what, const std::string& remedy) const {
  throw InputError(where(line), what, remedy.empty() ? "give " + expected_ : remedy);
}

}  // namespace strata
