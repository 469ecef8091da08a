// SPDX-License-Identifier: LGPL-2.1-only
#include "records/matrix/matrix_market.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "base/limits.h"

namespace strata {
namespace {

constexpr std::string_view kBanner = "%%MatrixMarket";

// The lines before the entries.
std::string heading(const char* field, const char* comment, int order, long entries) {
  const std::string size = std::to_string(order);
  return std::string(kBanner) + " matrix coordinate " + field + " general\n" + comment + size + " " + size + " " +
         std::to_string(entries) + "\n";
}

}  // namespace

std::string format_matrix_market(int order, const std::vector<WholeEntry>& entries) {
  std::string lines;
  long count = 0;
  for (const WholeEntry& e : entries) {
    if (e.value == 0) continue;
    lines += std::to_string(e.row + 1) + ' ' + std::to_string(e.column + 1) + ' ' + std::to_string(e.value) + '\n';
    ++count;
  }
  return heading("integer", "", order, count) + lines;
}

namespace matrix_text {
namespace {

std::string lower(std::string_view word) {
  std::string text(word);
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

class Reader {
 public:
  Reader(Lines lines, int order) : lines_(std::move(lines)), wanted_order_(order) {}

  Pattern read() {
    read_banner();
    read_size();
    if (array_) {
      read_array();
    } else {
      read_coordinates();
    }
    return {static_cast<int>(order_), std::move(flows_)};
  }

 private:
  // Throws InputError if `word` is not one of `possible`.
  void expect(const std::string& word, const char* what, std::initializer_list<const char*> possible) const {
    std::string list;
    for (const char* p : possible) {
      if (word == p) return;
      list += (list.empty() ? "" : ", ") + std::string(p);
    }
    lines_.fail(std::string(what) + " " + in_quotes(word) + (word.empty() ? " is missing" : " is not read"),
                "possible: " + list);
  }

  void read_banner() {
    lines_.next();
    Words words(lines_.line());
    words.next();
    expect(lower(words.next()), "object", {"matrix"});
    const std::string layout = lower(words.next()), field = lower(words.next()), symmetry = lower(words.next());
    expect(layout, "format", {"coordinate", "array"});
    array_ = layout == "array";
    expect(field, "field", {"real", "integer", "pattern"});
    integer_ = field == "integer";
    pattern_ = field == "pattern";
    if (array_ && pattern_) lines_.fail("field 'pattern' of an array", "possible: real, integer");
    expect(symmetry, "symmetry", {"general", "symmetric"});
    symmetric_ = symmetry == "symmetric";
  }

  // The next line that is neither empty nor a comment.
  bool next_line() {
    while (lines_.next()) {
      const size_t first = lines_.line().find_first_not_of(" \t\r");
      if (first != std::string_view::npos && lines_.line()[first] != '%') return true;
    }
    return false;
  }

  void read_size() {
    const char* const form = array_ ? "`rows columns`" : "`rows columns entries`";
    if (!next_line()) lines_.fail_whole("has no size", std::string("give a line ") + form + " after the comments");
    Words words(lines_.line());
    order_ = static_cast<long>(read_whole(words.next(), kMostRanksInMemory, "number of rows", lines_));
    const auto columns = static_cast<long>(read_whole(words.next(), kMostRanksInMemory, "number of columns", lines_));
    if (order_ != columns) {
      lines_.fail(std::to_string(order_) + " rows and " + std::to_string(columns) + " columns: not square",
                  "give a square matrix");
    }
    if (order_ == 0) lines_.fail("a matrix of no ranks", "give one of at least 1");
    entries_ = symmetric_ ? static_cast<std::uint64_t>(order_) * (order_ + 1) / 2
                          : static_cast<std::uint64_t>(order_) * order_;
    // The same position may occur several times, so there may be more entries than positions.
    if (!array_) entries_ = read_whole(words.next(), INT64_MAX, "number of entries", lines_);
    if (!words.next().empty()) lines_.fail("more than a size", std::string("write ") + form);
    check_order(order_, wanted_order_, lines_);
  }

  double amount(std::string_view word) {
    const double value = amounts_.read(word, lines_);
    if (integer_ && value != std::floor(value)) {
      lines_.fail("the entry " + in_quotes(word) + " is not an integer", "write `real` in the first line");
    }
    return value;
  }

  // Adds an entry, with indexes from 0, and its mirror image if the file contains only one half.
  void add(long from, long to, double value) {
    if (value == 0) return;
    flows_.push_back({static_cast<int>(from), static_cast<int>(to), value});
    if (!symmetric_ || from == to) return;
    amounts_.add(value, lines_);
    flows_.push_back({static_cast<int>(to), static_cast<int>(from), value});
  }

  long index(std::string_view word, const char* what) const {
    const auto value = static_cast<long>(read_whole(word, INT64_MAX, what, lines_));
    if (value < 1 || value > order_) {
      lines_.fail(std::string(what) + " " + in_quotes(word) + " is out of range",
                  "give 1 to " + std::to_string(order_));
    }
    return value - 1;
  }

  void read_coordinates() {
    // The shortest entry is "1 1\n", which limits the declared number of entries.
    flows_.reserve(std::min(entries_, lines_.bytes_left() / 4 + 1) * (symmetric_ ? 2 : 1));
    std::uint64_t count = 0;
    for (; next_line(); ++count) {
      if (count == entries_) fail_entries("more");
      Words words(lines_.line());
      const long row = index(words.next(), "row");
      const long column = index(words.next(), "column");
      const std::string_view word = pattern_ ? "1" : words.next();
      if (word.empty()) lines_.fail("no value", "write `row column value`");
      const double value = amount(word);
      if (!words.next().empty()) {
        lines_.fail("more than an entry", pattern_ ? "write `row column`" : "write `row column value`");
      }
      if (symmetric_ && row < column) {
        lines_.fail("an entry above the diagonal of a symmetric matrix", "give those on it and below");
      }
      add(row, column, value);
    }
    if (count < entries_) fail_few(count);
  }

  // By column; for a symmetric matrix from the diagonal down.
  void read_array() {
    std::uint64_t count = 0;
    long row = 0, column = 0;
    while (next_line()) {
      Words words(lines_.line());
      for (std::string_view word = words.next(); !word.empty(); word = words.next(), ++count) {
        if (count == entries_) fail_entries("more");
        add(row, column, amount(word));
        if (++row == order_) {
          ++column;
          row = symmetric_ ? column : 0;
        }
      }
    }
    if (count < entries_) fail_few(count);
  }

  [[noreturn]] void fail_entries(const char* what) const {
    lines_.fail(std::string(what) + " entries than the " + std::to_string(entries_) + " that its size says",
                "make them agree");
  }
  [[noreturn]] void fail_few(std::uint64_t count) const {
    lines_.fail("ends after " + std::to_string(count) + (count == 1 ? " entry" : " entries") +
                    ", where its size says " + std::to_string(entries_),
                "make them agree");
  }

  Lines lines_;
  int wanted_order_;
  bool array_ = false, integer_ = false, pattern_ = false, symmetric_ = false;
  long order_ = 0;
  std::uint64_t entries_ = 0;
  Amounts amounts_;
  std::vector<Flow> flows_;
};

}  // namespace

bool is_matrix_market(std::string_view first_word) { return lower(first_word) == lower(kBanner); }

Pattern read_matrix_market(Lines lines, int order) { return Reader(std::move(lines), order).read(); }

std::string format_matrix_market(const Pattern& bytes) {
  bool integer = true;
  for (int r = 0; r < bytes.order(); ++r) {
    const auto values = bytes.bytes(r);
    integer = integer && std::all_of(values.begin(), values.end(), is_whole);
  }
  std::string text =
      heading(integer ? "integer" : "real", "% row: sender, column: receiver\n", bytes.order(), bytes.entries());
  for (int r = 0; r < bytes.order(); ++r) {
    const std::string row = std::to_string(r + 1) + " ";
    for (size_t i = 0; i < bytes.peers(r).size(); ++i) {
      const double value = bytes.bytes(r)[i];
      text += row;
      text += std::to_string(bytes.peers(r)[i] + 1);
      text += ' ';
      append_number(text, value, is_whole(value));
      text += '\n';
    }
  }
  return text;
}

}  // namespace matrix_text
}  // namespace strata
