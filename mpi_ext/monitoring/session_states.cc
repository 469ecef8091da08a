// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/monitoring/session_states.h"

#include <array>

namespace strata::mpix {
namespace {

struct Rule {
  Verdict active, suspended;  // the result of the call in each state
};

constexpr Verdict kFine = Verdict::kFine, kActive = Verdict::kSessionActive, kSuspended = Verdict::kSessionSuspended;

// By SessionCall.
constexpr std::array<Rule, 6> kRules = {{
    {kFine, kSuspended},  // suspend
    {kActive, kFine},     // continue
    {kActive, kFine},     // reset
    {kActive, kFine},     // free
    {kFine, kFine},       // get_info
    {kActive, kFine},     // get_data and other calls that need the data
}};

}  // namespace

Verdict Protocol::judge_init() const { return on_ ? Verdict::kMultipleInit : kFine; }

Verdict Protocol::judge_finalize() const {
  if (!on_) return Verdict::kMissingInit;
  return sessions_.empty() ? kFine : Verdict::kSessionsLeft;
}

Verdict Protocol::judge_start() const { return on_ ? kFine : Verdict::kMissingInit; }

Verdict Protocol::judge(SessionCall call, int session) const {
  if (!on_) return Verdict::kMissingInit;
  const auto at = sessions_.find(session);
  if (at == sessions_.end()) return Verdict::kInvalidMsid;
  const Rule& rule = kRules[static_cast<int>(call)];
  return at->second == SessionState::kActive ? rule.active : rule.suspended;
}

void Protocol::apply(SessionCall call, int session) {
  switch (call) {
    case SessionCall::kSuspend:
      sessions_.at(session) = SessionState::kSuspended;
      break;
    case SessionCall::kContinue:
      sessions_.at(session) = SessionState::kActive;
      break;
    case SessionCall::kFree:
      sessions_.erase(session);
      break;
    case SessionCall::kReset:
    case SessionCall::kGetInfo:
    case SessionCall::kGetData:
      break;  // the state does not change
  }
}

std::vector<int> Protocol::all_for(SessionCall call) const {
  std::vector<int> result;
  for (const auto& [session, state] : sessions_) {
    if (judge(call, session) == kFine) result.push_back(session);
  }
  return result;
}

std::vector<int> Protocol::sessions() const {
  std::vector<int> result;
  for (const auto& [session, state] : sessions_) result.push_back(session);
  return result;
}

}  // namespace strata::mpix
