// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/hostlist.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "base/line_reader.h"
#include "platforms/topology.h"

namespace strata {
namespace {

constexpr const char* kExample = "write for example node[01-16,20]";

class Expansion {
 public:
  Expansion(std::string_view list, const std::string& where) : list_(list), where_(where) {}

  std::vector<std::string> names() {
    std::vector<std::string> all;
    size_t begin = 0, open = 0;
    for (size_t at = 0; at <= list_.size(); ++at) {
      const char c = at < list_.size() ? list_[at] : ',';
      if (c == '[' && ++open > 1) fail("has a bracket within brackets");
      if (c == ']' && open-- == 0) fail("has a bracket that closes none");
      if (c != ',' || (open > 0 && at < list_.size())) continue;
      if (open > 0) fail("has a bracket that is not closed");
      const std::vector<std::string> part = names_of(list_.substr(begin, at - begin));
      all.insert(all.end(), part.begin(), part.end());
      require_few(all.size());
      begin = at + 1;
    }
    return all;
  }

 private:
  // Expands one item, which has no commas outside brackets.
  std::vector<std::string> names_of(std::string_view item) const {
    if (item.empty()) fail("has an empty name");
    std::vector<std::string> names = {""};
    while (!item.empty()) {
      const size_t open = item.find('['), plain = std::min(open, item.size());
      for (std::string& name : names) name += item.substr(0, plain);
      if (open == std::string_view::npos) break;
      const size_t close = item.find(']', open);
      names = combined(names, numbers_of(item.substr(open + 1, close - open - 1)));
      item.remove_prefix(close + 1);
    }
    return names;
  }

  std::vector<std::string> combined(const std::vector<std::string>& names,
                                    const std::vector<std::string>& tails) const {
    require_few(names.size() * tails.size());
    std::vector<std::string> all;
    for (const std::string& name : names) {
      for (const std::string& tail : tails) all.push_back(name + tail);
    }
    return all;
  }

  // The numbers in a pair of brackets: "01-03,10".
  std::vector<std::string> numbers_of(std::string_view ranges) const {
    std::vector<std::string> numbers;
    for (bool more = true; more;) {
      const size_t comma = ranges.find(',');
      const std::string_view range = ranges.substr(0, comma);
      more = comma != std::string_view::npos;
      if (more) ranges.remove_prefix(comma + 1);
      const size_t dash = range.find('-');
      const std::string_view first = range.substr(0, dash);
      const long low = number(first);
      const long high = dash == std::string_view::npos ? low : number(range.substr(dash + 1));
      if (high < low) fail(fmt::format("has a range that ends before it begins, {}", shown(range)));
      require_few(numbers.size() + static_cast<size_t>(high - low) + 1);
      for (long i = low; i <= high; ++i) numbers.push_back(fmt::format("{:0{}}", i, first.size()));
    }
    return numbers;
  }

  long number(std::string_view digits) const {
    constexpr size_t kMostDigits = 15;
    long value = -1;
    const bool is_number = !digits.empty() && digits.size() <= kMostDigits &&
                           std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (is_number) std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (value < 0) fail(fmt::format("has {} where a number should be", shown(digits)));
    return value;
  }

  void require_few(size_t names) const {
    if (names > kMaxNodes) fail(fmt::format("has more than {} names", kMaxNodes));
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(where_, fmt::format("the list of names {} {}", shown(list_), what), kExample);
  }

  std::string_view list_;
  const std::string& where_;
};

}  // namespace

std::string hostlist_of(const std::vector<std::string>& names) {
  constexpr size_t kMostDigits = 9;
  std::string list;
  for (size_t first = 0, next; first < names.size(); first = next) {
    const std::string& name = names[first];
    size_t stem = name.size();
    while (stem > 0 && name.size() - stem < kMostDigits && name[stem - 1] >= '0' && name[stem - 1] <= '9') --stem;
    const size_t digits = name.size() - stem;
    const auto nth = [&](size_t i) {
      return fmt::format("{}{:0{}}", name.substr(0, stem), std::stol(name.substr(stem)) + static_cast<long>(i), digits);
    };
    next = first + 1;
    while (digits > 0 && next < names.size() && names[next] == nth(next - first)) ++next;
    if (!list.empty()) list += ",";
    list += next == first + 1
                ? name
                : fmt::format("{}[{}-{}]", name.substr(0, stem), name.substr(stem), nth(next - first - 1).substr(stem));
  }
  return list;
}

std::vector<std::string> expand_hostlist(std::string_view list, const std::string& where) {
  return Expansion(list, where).names();
}

}  // namespace strata
