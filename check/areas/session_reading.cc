// SPDX-License-Identifier: LGPL-2.1-only
#include "check/areas/session_reading.h"

#include <algorithm>
#include <array>
#include <limits>

namespace strata::check {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

// Exact sums, which are reduced to the range of an unsigned long at the end.
struct Sum {
  unsigned __int128 messages = 0, bytes = 0;
};

}  // namespace

bool is_sent(char what) { return what == 'm' || what == 'o' || what == 'h' || what == 'a'; }

bool is_member(int process, int session) { return process == 0 || (process >> (session - 1) & 1) == 1; }

std::vector<int> members_of(int session) {
  std::vector<int> members;
  for (int process = kProcesses - 2; process >= 0; --process) {
    if (is_member(process, session)) members.push_back(process);
  }
  return members;
}

// "They must be used in a proper environment that can be set using init and finalize."
bool SessionReading::in_environment() const {
  bool environment = false;
  for (const SessionCall& call : history_) {
    if (call.what == 'i') environment = true;
    if (call.what == 'f') environment = false;
  }
  return environment;
}

bool SessionReading::is_there(int session) const {
  int balance = 0;
  for (const SessionCall& call : history_) {
    if (call.number == session && call.what == 's') ++balance;
    if (call.number == session && call.what == 'x') --balance;
  }
  return balance > 0;
}

bool SessionReading::any_is_there() const {
  for (int session = 1; session <= kMostSessions; ++session) {
    if (is_there(session)) return true;
  }
  return false;
}

// "The unique initial start put the session in its active state". suspend and continue change it.
bool SessionReading::is_active(int session) const {
  bool active = false;
  for (const SessionCall& call : history_) {
    if (call.number != session) continue;
    if (call.what == 's' || call.what == 'c') active = true;
    if (call.what == 'u' || call.what == 'x') active = false;
  }
  return active;
}

int SessionReading::code(char what, int session) const {
  const bool environment = in_environment();
  // "init and finalize could be called multiple times as long as their environment do not overlap."
  if (what == 'i') return environment ? 9002 : 0;
  if (!environment) return 9001;
  // "It is left to the user to properly use free on each started monitoring session."
  if (what == 'f') return any_is_there() ? 9006 : 0;
  if (what == 's') return 0;
  if (!is_there(session)) return 9003;
  const bool active = is_active(session);
  // "If the session is in the suspended (resp. active) state, suspend (resp. continue) cannot be called again."
  if (what == 'u') return active ? 0 : 9005;
  if (what == 'n') return 0;
  // "reset can be used on a session in the suspended state"; "the data can only be accessed while the session is in
  // the suspended state and not already freed"; start "must match a final suspend".
  return active ? 9004 : 0;
}

// "While the session is active, the number and size of the messages exchanged between processors of the communicator
// are recorded", "as long as both processors belong to it"; reset puts "the data it contains back to zero".
Recorded SessionReading::recorded(int session) const {
  std::map<std::pair<int, mpix::Kind>, Sum> sums;
  std::array<int, kProcesses> rank_of;
  rank_of.fill(-1);
  const std::vector<int> members = members_of(session);
  for (int rank = 0; rank < std::ssize(members); ++rank) rank_of[members[rank]] = rank;
  bool active = false;
  const auto sent = [&](int process, mpix::Kind kind, std::uint64_t bytes) {
    if (!active || rank_of[process] < 0) return;
    Sum& sum = sums[{rank_of[process], kind}];
    sum.messages += 1;
    sum.bytes += bytes;
  };
  for (const SessionCall& call : history_) {
    if (call.what == 'm') sent(call.number, mpix::Kind::kExternal, 10);
    if (call.what == 'o') sent(call.number, mpix::Kind::kOneSided, 10);
    if (call.what == 'h') sent(call.number, mpix::Kind::kInternal, std::uint64_t{1} << 63);
    if (call.what == 'a') {
      for (const int process : members_of(call.number)) {
        if (process != 0) sent(process, mpix::Kind::kCollective, 4);
      }
    }
    if (is_sent(call.what) || call.number != session) continue;
    if (call.what == 's' || call.what == 'c') active = true;
    if (call.what == 'u') active = false;
    if (call.what == 'r') sums.clear();
  }
  Recorded recorded;
  for (const auto& [to, sum] : sums) {
    recorded[to] = {static_cast<std::uint64_t>(std::min<unsigned __int128>(sum.messages, kMost)),
                    static_cast<std::uint64_t>(std::min<unsigned __int128>(sum.bytes, kMost)), sum.messages > kMost,
                    sum.bytes > kMost};
  }
  return recorded;
}

}  // namespace strata::check
