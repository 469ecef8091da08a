// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/line_reader.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

#include "platforms/error.h"
#include "platforms/utf8.h"

namespace strata {
namespace {

constexpr std::string_view kBlanks = " \t\r\v\f";
constexpr size_t kMostQuoted = 60;  // characters

}  // namespace

std::string shown(std::string_view text) {
  std::string result = "'";
  for (const char c : text.substr(0, kMostQuoted)) result += c == '\t' ? ' ' : c < ' ' || c > '~' ? '.' : c;
  return result + (text.size() > kMostQuoted ? "...'" : "'");
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (size_t at = line.find_first_not_of(kBlanks); at != std::string_view::npos;) {
    const size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(kBlanks, end);
  }
  return words;
}

LineReader::LineReader(const std::filesystem::path& file, std::string expected)
    : file_(file.string()), expected_(std::move(expected)) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) throw InputError(file_, "is a directory", "give " + expected_);
  std::ifstream in(file, std::ios::binary);
  if (!in) throw InputError(file_, std::strerror(errno), "give " + expected_);
  bytes_.assign(std::istreambuf_iterator<char>(in), {});
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
  text_ = std::string_view(bytes_).substr(next_, is_cut_ ? std::string_view::npos : end - next_);
  next_ = is_cut_ ? bytes_.size() : end + 1;
  ++line_;
  const size_t first = text_.find_first_not_of(kBlanks);
  text_ = first == std::string_view::npos ? std::string_view()
                                          : text_.substr(first, text_.find_last_not_of(kBlanks) + 1 - first);
  return true;
}

void LineReader::fail(int line, const std::string& what, const std::string& remedy) const {
  throw InputError(where(line), what, remedy.empty() ? "give " + expected_ : remedy);
}

}  // namespace strata
