// SPDX-License-Identifier: LGPL-2.1-only
#include "records/timeline/selection.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "base/error.h"
#include "base/time_text.h"

namespace strata {
namespace {

double time_of(const std::string& option, const std::string& text) {
  const std::optional<double> time = time_in(text);
  if (time) return *time;
  throw InputError(option, fmt::format("'{}' is not a time with its unit", text),
                   "write for example 1ms, 0.5s or 20us");
}

std::vector<bool> ranks_of(const std::string& option, const std::string& text, int ranks) {
  std::vector<bool> chosen(ranks);
  const char* end = text.data() + text.size();
  const auto fail = [&] {
    throw InputError(option, fmt::format("'{}' is not a list of ranks", text), "write for example 0-63,128");
  };
  const auto number = [&](const char*& at) {
    int rank = 0;
    const auto [after, error] = std::from_chars(at, end, rank);
    if (error != std::errc() || rank < 0) fail();
    if (rank >= ranks) {
      throw InputError(option, fmt::format("there is no rank {}: the run has {}", rank, ranks),
                       fmt::format("give ranks from 0 to {}", ranks - 1));
    }
    at = after;
    return rank;
  };
  for (const char* at = text.data();; ++at) {
    const int first = number(at);
    int last = first;
    if (at != end && *at == '-') last = number(++at);
    if (last < first || (at != end && *at != ',')) fail();
    std::fill(chosen.begin() + first, chosen.begin() + last + 1, true);
    if (at == end) return chosen;
  }
}

}  // namespace

TimelineSelection select(const TimelineWords& words, int ranks) {
  TimelineSelection selection{.messages = words.messages};
  if (!words.from.empty()) selection.from = time_of(words.prefix + "from", words.from);
  if (!words.to.empty()) selection.to = time_of(words.prefix + "to", words.to);
  if (!(selection.from < selection.to)) {
    throw InputError(words.prefix + "to",
                     fmt::format("no time is between {} and {}", words.from.empty() ? "0" : words.from, words.to),
                     "give an end after the begin");
  }
  if (!words.ranks.empty()) selection.ranks = ranks_of(words.prefix + "ranks", words.ranks, ranks);
  return selection;
}

}  // namespace strata
