// SPDX-License-Identifier: LGPL-2.1-only
// nlohmann's parser reports events, but not where they are. It reads its input by an iterator, so an iterator that
// counts lines knows the line of each event: the parser has read a bracket or a string to its end when it reports it.
// After a number it has read one character more, which may end the line.
#include "collectives/rules/lined_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "base/line_text.h"

namespace strata::collectives {
namespace {

struct Lines {
  int now = 1;
  int last = 1;  // of the last character that is not white space
};

class CountingIterator {
 public:
  using difference_type = std::ptrdiff_t;
  using value_type = char;
  using pointer = const char*;
  using reference = const char&;
  using iterator_category = std::input_iterator_tag;

  CountingIterator(const char* at, Lines* lines) : at_(at), lines_(lines) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    if (*at_ == '\n') {
      ++lines_->now;
    } else if (*at_ != ' ' && *at_ != '\t' && *at_ != '\r') {
      lines_->last = lines_->now;
    }
    ++at_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  Lines* lines_;
};

class Builder : public nlohmann::json_sax<Json> {
 public:
  explicit Builder(const Lines* lines) : lines_(lines) {}

  bool null() override { return add({.kind = LinedJson::Kind::kNull}); }
  bool boolean(bool) override { return add({.kind = LinedJson::Kind::kBoolean}); }
  bool number_integer(number_integer_t value) override {
    return add({.kind = LinedJson::Kind::kInteger, .integer = value});
  }
  bool number_unsigned(number_unsigned_t value) override {
    if (value > static_cast<number_unsigned_t>(INT64_MAX)) return add({.kind = LinedJson::Kind::kNumber});
    return add({.kind = LinedJson::Kind::kInteger, .integer = static_cast<std::int64_t>(value)});
  }
  bool number_float(number_float_t, const string_t&) override { return add({.kind = LinedJson::Kind::kNumber}); }
  bool string(string_t& value) override { return add({.kind = LinedJson::Kind::kString, .text = value}); }
  bool binary(binary_t&) override { return false; }
  bool start_object(size_t) override { return begin(LinedJson::Kind::kObject); }
  bool key(string_t& value) override {
    open_.back().items.push_back({.key = value, .key_line = lines_->last});
    return true;
  }
  bool end_object() override { return end(); }
  bool start_array(size_t) override { return begin(LinedJson::Kind::kList); }
  bool end_array() override { return end(); }
  bool parse_error(size_t, const std::string& token, const nlohmann::detail::exception& e) override {
    is_cut_ = std::string_view(e.what()).find("unexpected end of input") != std::string_view::npos;
    token_ = token;
    return false;
  }

  bool is_too_deep() const { return is_too_deep_; }
  bool is_cut() const { return is_cut_; }
  const std::string& token() const { return token_; }
  LinedJson take() { return std::move(root_); }

 private:
  bool begin(LinedJson::Kind kind) {
    constexpr size_t kMostLevels = 200;
    is_too_deep_ = open_.size() == kMostLevels;
    open_.push_back({.kind = kind, .line = lines_->last});
    return !is_too_deep_;
  }
  bool end() {
    LinedJson closed = std::move(open_.back());
    open_.pop_back();
    return add(std::move(closed));
  }
  bool add(LinedJson value) {
    if (open_.empty()) {
      root_ = std::move(value);
    } else if (open_.back().kind == LinedJson::Kind::kObject) {
      LinedJson& member = open_.back().items.back();
      value.key = std::move(member.key);
      value.key_line = member.key_line;
      if (value.line == 0) value.line = value.key_line;
      member = std::move(value);
    } else {
      if (value.line == 0) value.line = open_.back().line;
      open_.back().items.push_back(std::move(value));
    }
    return true;
  }

  const Lines* lines_;
  std::vector<LinedJson> open_;
  LinedJson root_;
  bool is_too_deep_ = false, is_cut_ = false;
  std::string token_;
};

}  // namespace

const LinedJson* LinedJson::find(std::string_view name) const {
  if (kind != Kind::kObject) return nullptr;
  const auto at = std::find_if(items.begin(), items.end(), [&](const LinedJson& m) { return m.key == name; });
  return at == items.end() ? nullptr : &*at;
}

LinedJson parse_lined_json(const std::string& text, const std::string& file, const std::string& effect) {
  Lines lines;
  Builder builder(&lines);
  const CountingIterator begin(text.data(), &lines), end(text.data() + text.size(), &lines);
  if (!Json::sax_parse(begin, end, &builder)) {
    const std::string where = fmt::format("{}:{}", file, builder.is_cut() ? lines.now : lines.last);
    if (builder.is_too_deep()) throw InputError(where, "objects are nested more than 200 deep", "write fewer levels");
    const std::string at = builder.is_cut() ? "the end of the file" : shown(builder.token());
    throw InputError(where, fmt::format("the JSON is wrong at {}, so {}", at, effect),
                     "write JSON, in which no comma comes before a closing bracket");
  }
  return builder.take();
}

}  // namespace strata::collectives
