// SPDX-License-Identifier: LGPL-2.1-only
#include "collectives/rules/library.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/line_text.h"

namespace strata::collectives {
namespace {

constexpr Library kOfMpich(int major, int minor, int release) {
  return {Library::Family::kMpich, major, minor, release};
}

// The newest release of each series whose sources were read for the tables and readers of this folder.
constexpr Library kSeries[] = {kOpenMpi41,        kOpenMpi50,        kOpenMpi60,        kMpich40,
                               kOfMpich(4, 1, 3), kOfMpich(4, 2, 3), kOfMpich(4, 3, 2), kMpich50};

// The numbers of "4.1.4"; empty if it is not of this form.
std::vector<int> numbers_of(std::string_view text) {
  std::vector<int> numbers;
  while (true) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || value < 0 || end == text.data()) return {};
    numbers.push_back(value);
    text.remove_prefix(end - text.data());
    if (text.empty()) return numbers;
    if (text.front() != '.') return {};
    text.remove_prefix(1);
  }
}

}  // namespace

Library parse_library(const std::string& text, const std::string& where) {
  const size_t dash = text.find('-');
  const std::string name = text.substr(0, dash);
  const std::vector<int> version =
      dash == std::string::npos ? std::vector<int>{} : numbers_of(std::string_view(text).substr(dash + 1));
  if ((name == "openmpi" || name == "mpich") && (version.size() == 2 || version.size() == 3)) {
    const auto family = name == "mpich" ? Library::Family::kMpich : Library::Family::kOpenMpi;
    for (const Library& series : kSeries) {
      if (series.family != family || series.major != version[0] || series.minor != version[1]) continue;
      return {family, version[0], version[1], version.size() == 3 ? version[2] : series.release};
    }
  }
  std::vector<std::string> known;
  std::transform(std::begin(kSeries), std::end(kSeries), std::back_inserter(known), [](const Library& l) {
    return fmt::format("{}-{}.{}", l.is_openmpi() ? "openmpi" : "mpich", l.major, l.minor);
  });
  throw InputError(where, shown(text) + " is not a library whose rules are known",
                   fmt::format("write one of {}", fmt::join(known, ", ")));
}

std::string title_of(const Library& l) {
  return fmt::format("{} {}.{}.{}", l.is_openmpi() ? "Open MPI" : "MPICH", l.major, l.minor, l.release);
}

}  // namespace strata::collectives
