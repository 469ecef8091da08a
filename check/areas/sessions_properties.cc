// SPDX-License-Identifier: LGPL-2.1-only
// Properties of monitoring sessions.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "check/areas/sessions_area.h"

namespace strata::check {
namespace {

using Case = SessionCase;
using Outcome = SessionOutcome;
using mpix::Amount;
using mpix::Kind;
using mpix::Row;

constexpr const char* kSection = "PDSEC'20, Section IV-A";
constexpr std::string_view kCallsOfSessions = "ucrxnd";  // by mpix::SessionCall

std::string text_of(const Amount& a) {
  return fmt::format("{}{} messages of {}{} B", a.messages, a.more_messages ? "+" : "", a.bytes,
                     a.more_bytes ? "+" : "");
}

std::string text_of(const Recorded& recorded) {
  std::string text;
  for (const auto& [to, amount] : recorded) {
    text += fmt::format("{}{} to rank {}", text.empty() ? "" : ", ", text_of(amount), to.first);
  }
  return text.empty() ? "nothing" : text;
}

// The slow implementation after all calls of the case.
SessionReading reading_of(const Case& c) {
  SessionReading reading;
  for (const SessionCall& call : c) {
    if (is_sent(call.what) || reading.code(call.what, call.number) == 0) reading.accept(call);
  }
  return reading;
}

std::vector<int> there_by(const SessionReading& reading) {
  std::vector<int> there;
  for (int session = 1; session <= kMostSessions; ++session) {
    if (reading.is_there(session)) there.push_back(session);
  }
  return there;
}

// The row by kind and peer, including messages to all.
Recorded flat(const Row& row, int session) {
  Recorded all;
  for (const auto& entry : row.entries) all[{entry.peer, entry.kind}] = entry.amount;
  const int others = static_cast<int>(members_of(session).size()) - 1;  // the calling process is the last rank
  for (int peer = 0; peer < others && row.to_all != Amount{}; ++peer) {
    Amount& amount = all[{peer, Kind::kCollective}];
    amount.messages += row.to_all.messages;
    amount.bytes += row.to_all.bytes;
  }
  return all;
}

// Checks every session that exists, according to both the code and the slow implementation.
template <class Ask>
Judgement of_each(const Case& c, const Outcome& o, const Ask& ask) {
  const SessionReading reading = reading_of(c);
  bool asked = false;
  for (const auto& [session, data] : o.data) {
    if (!reading.is_there(session)) continue;
    Judgement judgement = ask(session, data, reading);
    if (judgement.violation()) return judgement;
    asked = asked || judgement.asked();
  }
  return asked ? Judgement::holds() : Judgement::not_asked();
}

// Checks the return code of each call against the slow implementation.
template <class Ask>
Judgement of_calls(const Case& c, const Outcome& o, const Ask& ask) {
  SessionReading reading;
  bool asked = false;
  for (size_t i = 0; i < c.size(); ++i) {
    const int expected = is_sent(c[i].what) ? 0 : reading.code(c[i].what, c[i].number);
    if (ask(c[i], expected)) {
      asked = true;
      if (o.told[i] != expected) {
        return violated("call {} ({}) is told {}, not {}", i + 1, session_key({c[i]}), o.told[i], expected);
      }
    }
    if (expected == 0) reading.accept(c[i]);
  }
  return asked ? Judgement::holds() : Judgement::not_asked();
}

// --- states ---

Judgement verdicts(const Case& c, const Outcome& o) {
  return of_calls(c, o, [](const SessionCall& call, int) { return !is_sent(call.what); });
}

// A call on a session outside of an environment fails for two reasons, because no session exists then either.
Judgement verdict_order(const Case& c, const Outcome& o) {
  return of_calls(c, o, [](const SessionCall& call, int expected) {
    return expected == 9001 && kCallsOfSessions.find(call.what) != std::string_view::npos;
  });
}

Judgement sessions_there(const Case& c, const Outcome& o) {
  const SessionReading reading = reading_of(c);
  const std::vector<int> expected = there_by(reading);
  if (o.there != expected) {
    return violated("sessions {{{}}} are there, not {{{}}}", fmt::join(o.there, ","), fmt::join(expected, ","));
  }
  for (const auto& [session, active] : o.active) {
    if (active != reading.is_active(session))
      return violated("session {} is {}", session, active ? "active" : "suspended");
  }
  return Judgement::holds();
}

Judgement all_for(const Case& c, const Outcome& o) {
  const SessionReading reading = reading_of(c);
  for (size_t call = 0; call < kCallsOfSessions.size(); ++call) {
    std::vector<int> expected;
    for (const int session : there_by(reading)) {
      if (reading.code(kCallsOfSessions[call], session) == 0) expected.push_back(session);
    }
    if (o.all_for[call] != expected) {
      return violated("'{}' of all sessions is for {{{}}}, not {{{}}}", kCallsOfSessions[call],
                      fmt::join(o.all_for[call], ","), fmt::join(expected, ","));
    }
  }
  return Judgement::holds();
}

// --- data ---

Judgement recorded(const Case& c, const Outcome& o) {
  return of_each(c, o, [](int session, const SessionData& data, const SessionReading& reading) {
    const Recorded actual = flat(data.row, session), expected = reading.recorded(session);
    if (actual == expected) return Judgement::holds();
    return violated("session {} has {}; should have {}", session, text_of(actual), text_of(expected));
  });
}

Judgement suspended_stays(const Case& c, const Outcome& o) {
  return of_each(c, o, [](int session, const SessionData& data, const SessionReading& reading) {
    if (reading.is_active(session)) return Judgement::not_asked();
    if (data.row == data.when_suspended) return Judgement::holds();
    return violated("session {} has {}, and had {} when it was suspended", session, text_of(flat(data.row, session)),
                    text_of(flat(data.when_suspended, session)));
  });
}

// Nothing was recorded since the latest reset or start.
Judgement zero_after_reset(const Case& c, const Outcome& o) {
  return of_each(c, o, [&](int session, const SessionData& data, const SessionReading&) {
    SessionReading before;
    bool is_reset = false;
    for (const SessionCall& call : c) {
      const bool accepted = is_sent(call.what) || before.code(call.what, call.number) == 0;
      if (accepted && call.number == session && call.what == 'r') is_reset = true;
      if (accepted && call.number == session && call.what == 'c') is_reset = false;
      if (accepted) before.accept(call);
    }
    if (!is_reset) return Judgement::not_asked();
    if (data.row == Row{}) return Judgement::holds();
    return violated("session {} has {} after its reset", session, text_of(flat(data.row, session)));
  });
}

Judgement independent(const Case& c, const Outcome& o) {
  if (there_by(reading_of(c)).size() < 2 && o.told_alone.size() < 2) return Judgement::not_asked();
  for (const auto& [session, row] : o.alone) {
    const auto with = o.data.find(session);
    if (with == o.data.end() || with->second.row != row) {
      return violated("session {} has {} alone, and {} beside the others", session, text_of(flat(row, session)),
                      with == o.data.end() ? "is not there" : text_of(flat(with->second.row, session)));
    }
  }
  for (const auto& [session, told] : o.told_alone) {
    std::vector<int> with_others;
    for (size_t i = 0; i < c.size(); ++i) {
      if (!is_sent(c[i].what) && c[i].number == session) with_others.push_back(o.told[i]);
    }
    if (with_others != told) {
      return violated("session {}'s calls are told {{{}}}, and {{{}}} where no other session's are made", session,
                      fmt::join(with_others, ","), fmt::join(told, ","));
    }
  }
  return Judgement::holds();
}

Judgement kinds_apart(const Case& c, const Outcome& o) {
  return of_each(c, o, [](int session, const SessionData& data, const SessionReading& reading) {
    const Recorded expected = reading.recorded(session);
    for (int kind = 0; kind < kMessageKinds; ++kind) {
      Recorded of_kind;
      for (const auto& [to, amount] : expected) {
        if (static_cast<int>(to.second) == kind) of_kind.emplace(to, amount);
      }
      const Recorded actual = flat(data.of_kind[kind], session);
      if (actual != of_kind) {
        return violated("session {} has {} of kind {}; should have {}", session, text_of(actual), kind,
                        text_of(of_kind));
      }
    }
    return Judgement::holds();
  });
}

Judgement rows_travel(const Case& c, const Outcome& o) {
  return of_each(c, o, [](int session, const SessionData& data, const SessionReading&) {
    if (data.unpacked == data.row) return Judgement::holds();
    return violated("session {} sends {} and {} arrives", session, text_of(flat(data.row, session)),
                    text_of(flat(data.unpacked, session)));
  });
}

Judgement sums_by_peer(const Case& c, const Outcome& o) {
  return of_each(c, o, [](int session, const SessionData& data, const SessionReading& reading) {
    struct Sum {
      unsigned __int128 messages = 0, bytes = 0;
      bool more = false;  // more bytes than fit
    };
    constexpr std::uint64_t kMost = ~std::uint64_t{0};
    std::map<int, Sum> sums;
    for (const auto& [to, amount] : reading.recorded(session)) {
      Sum& sum = sums[to.first];
      sum.messages += amount.messages;
      sum.bytes += amount.bytes;
      sum.more = sum.more || amount.more_bytes || sum.bytes > kMost;
    }
    if (data.of_peer.size() != sums.size()) return violated("session {} has {} peers", session, data.of_peer.size());
    for (const auto& [peer, amount] : data.of_peer) {
      const Sum& sum = sums[peer];
      const auto most = std::min<unsigned __int128>(sum.bytes, kMost);
      if (amount.bytes == most && amount.messages == sum.messages && amount.more_bytes == sum.more) continue;
      return violated("session {} has {} for rank {}", session, text_of(amount), peer);
    }
    return Judgement::holds();
  });
}

// --- properties that some case must have ---

template <class Has>
auto where(const Has& has) {
  return [has](const Case& c, const Outcome& o) { return has(c, o) ? Judgement::holds() : Judgement::not_asked(); };
}

auto told(int code) {
  return where([code](const Case& c, const Outcome&) {
    SessionReading reading;
    for (const SessionCall& call : c) {
      const int expected = is_sent(call.what) ? 0 : reading.code(call.what, call.number);
      if (expected == code) return true;
      if (expected == 0) reading.accept(call);
    }
    return false;
  });
}

bool overlap(const Case& c, const Outcome&) {
  const SessionReading reading = reading_of(c);
  return reading.is_active(1) && reading.is_active(2) && !reading.recorded(1).empty() && !reading.recorded(2).empty() &&
         reading.recorded(1) != reading.recorded(2);
}

bool is_full(const Case& c, const Outcome&) {
  const SessionReading reading = reading_of(c);
  for (const int session : there_by(reading)) {
    for (const auto& [to, amount] : reading.recorded(session)) {
      if (amount.more_bytes) return true;
    }
  }
  return false;
}

bool went_on(const Case& c, const Outcome&) {
  const SessionReading reading = reading_of(c);
  return std::ranges::any_of(c, [&](const SessionCall& call) {
    return call.what == 'c' && reading.is_there(call.number) && !reading.recorded(call.number).empty();
  });
}

}  // namespace

std::vector<Property<SessionCase, SessionOutcome>> session_properties() {
  constexpr auto kSometimes = PropertyInfo::Kind::kSometimes;
  return {
      {{"verdict", "every call is told what the state of the environment and the session says", kSection}, verdicts},
      {{"verdict-order", "where nothing is right the missing environment is told",
        "mpi_ext/monitoring/session_states.h"},
       verdict_order},
      {{"states", "a session is there from its start to its free, active from start or continue to suspend", kSection},
       sessions_there},
      {{"all-for", "a call for all sessions is for those for which it is right, in the order of their numbers",
        "mpi_ext/MPI_Monitoring.h: MPI_M_ALL_MSID"},
       all_for},
      {{"recorded", "what is sent between members while a session is active is recorded in it, and nothing else",
        kSection},
       recorded},
      {{"suspended", "what is sent does not change the data of a suspended session", kSection}, suspended_stays},
      {{"reset", "reset puts a session's data to zero", kSection}, zero_after_reset},
      {{"independent", "a session's data and verdicts are what they are without the others", kSection}, independent},
      {{"kinds", "of each kind of communication there is what was sent of it", kSection}, kinds_apart},
      {{"rows", "a row arrives as it was sent", "mpi_ext/monitoring/counters.h"}, rows_travel},
      {{"peers", "the sum for each peer is that of the kinds, and says where it does not fit into an unsigned long",
        "mpi_ext/monitoring/counters.h"},
       sums_by_peer},
      {{"some-overlap", "two sessions are active and have recorded different things", kSection, kSometimes},
       where(overlap)},
      {{"some-full", "bytes do not fit into an unsigned long", kSection, kSometimes}, where(is_full)},
      {{"some-went-on", "a session was continued and has data", kSection, kSometimes}, where(went_on)},
      {{"some-9001", "a call is told that the environment is missing", "mpi_ext/MPI_Monitoring.h", kSometimes},
       told(9001)},
      {{"some-9002", "a call is told that there is an environment", "mpi_ext/MPI_Monitoring.h", kSometimes},
       told(9002)},
      {{"some-9003", "a call is told that there is no such session", "mpi_ext/MPI_Monitoring.h", kSometimes},
       told(9003)},
      {{"some-9004", "a call is told that the session is active", "mpi_ext/MPI_Monitoring.h", kSometimes}, told(9004)},
      {{"some-9005", "a call is told that the session is suspended", "mpi_ext/MPI_Monitoring.h", kSometimes},
       told(9005)},
      {{"some-9006", "a call is told that sessions are left", "mpi_ext/MPI_Monitoring.h", kSometimes}, told(9006)},
  };
}

}  // namespace strata::check
