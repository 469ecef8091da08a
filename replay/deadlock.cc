// SPDX-License-Identifier: LGPL-2.1-only
#include "replay/deadlock.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/error.h"

namespace strata::replay {
namespace {

constexpr std::size_t kMostNamed = 3;

// "for rank 3 (send of 8 B)".
std::string wait_of(const StuckRank& r) {
  if (!r.has_request) return "at a barrier, a lock or a probe";
  if (!r.message) return "for a request";
  return fmt::format("for rank {} ({} {:.0f} B)", r.message->other, r.message->sends ? "send of" : "receive of up to",
                     r.message->bytes);
}

}  // namespace

void fail_stuck(const std::vector<StuckRank>& ranks) {
  std::string waiting;
  for (std::size_t i = 0; i < std::min(ranks.size(), kMostNamed); ++i)
    waiting += fmt::format("{}rank {} waits {}", i == 0 ? "" : ", ", ranks[i].rank, wait_of(ranks[i]));
  if (ranks.size() > kMostNamed) waiting += fmt::format(" and {} more", ranks.size() - kMostNamed);
  throw InputError("trace", "no rank can go on: " + waiting, "the program deadlocks, or it did when it was recorded");
}

}  // namespace strata::replay
