// SPDX-License-Identifier: LGPL-2.1-only
#include "check/areas/sessions_area.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <span>
#include <utility>

#include "check/engine/key.h"
#include "mpi_ext/monitoring/members.h"

namespace strata::check {
namespace {

using mpix::Counters;
using mpix::Kind;
using mpix::Members;
using mpix::Protocol;
using mpix::Row;

constexpr unsigned kAllKinds = (1U << kMessageKinds) - 1;
constexpr const char* kForm = "calls with dots between, such as 'i.s1.m3.u1.d1'";
constexpr std::string_view kOfSessions = "sucrxnd", kSent = "mhoa";

mpix::SessionCall call_of(char what) {
  switch (what) {
    case 'u':
      return mpix::SessionCall::kSuspend;
    case 'c':
      return mpix::SessionCall::kContinue;
    case 'r':
      return mpix::SessionCall::kReset;
    case 'x':
      return mpix::SessionCall::kFree;
    case 'n':
      return mpix::SessionCall::kGetInfo;
    default:
      return mpix::SessionCall::kGetData;
  }
}

// Ids that differ from ranks. They are close together in odd sessions and far apart in even ones, because members.h
// looks them up differently.
ProcessId id_of(int process, int session) { return 1000 + (session % 2 == 1 ? 1 : 100) * process; }

// One process with its sessions, made of the parts of the library's MPI layer: the protocol judges calls, members find
// ranks, counters count.
class Process {
 public:
  // Returns the call's return code. If the call is allowed, executes it.
  int call(const SessionCall& call) {
    const mpix::Verdict verdict = judge(call);
    if (verdict == mpix::Verdict::kFine) apply(call);
    return static_cast<int>(verdict);
  }

  void send(const SessionCall& sent) {
    switch (sent.what) {
      case 'm':
        return send_to(sent.number, Kind::kExternal, 10);
      case 'o':
        return send_to(sent.number, Kind::kOneSided, 10);
      case 'h':
        return send_to(sent.number, Kind::kInternal, std::uint64_t{1} << 63);
      default:
        return collective(sent.number, 4);
    }
  }

  const Protocol& protocol() const { return protocol_; }

  Row row(int session, unsigned kinds = kAllKinds) const { return sessions_.at(session).sent.row(kinds); }
  const Row& when_suspended(int session) const { return sessions_.at(session).when_suspended; }

 private:
  struct Session {
    Counters sent;
    Row when_suspended;
  };

  mpix::Verdict judge(const SessionCall& call) const {
    if (call.what == 'i') return protocol_.judge_init();
    if (call.what == 'f') return protocol_.judge_finalize();
    if (call.what == 's') return protocol_.judge_start();
    return protocol_.judge(call_of(call.what), call.number);
  }

  void apply(const SessionCall& call) {
    if (call.what == 'i') return protocol_.init();
    if (call.what == 'f') return protocol_.finalize();
    if (call.what == 's') {
      sessions_.emplace(call.number, Session{});
      return protocol_.start(call.number);
    }
    protocol_.apply(call_of(call.what), call.number);
    Session& session = sessions_[call.number];
    if (call.what == 'r') session.sent.clear();
    if (call.what == 'r' || call.what == 'u') session.when_suspended = session.sent.row(kAllKinds);
    if (call.what == 'x') sessions_.erase(call.number);
  }

  static const Members& members(int session) {
    static const std::vector<Members> all = [] {
      std::vector<Members> made;
      for (int s = 1; s <= kMostSessions; ++s) {
        std::vector<ProcessId> ids;
        for (const int process : members_of(s)) ids.push_back(id_of(process, s));
        made.emplace_back(std::move(ids));
      }
      return made;
    }();
    return all[session - 1];
  }

  static int rank_in(int session, int process) { return members(session).rank_of(id_of(process, session)); }

  template <class Do>
  void for_each_active(const Do& act) {
    for (const int number : protocol_.sessions()) {
      if (protocol_.state(number) == mpix::SessionState::kActive) act(number, sessions_[number]);
    }
  }

  void send_to(int process, Kind kind, std::uint64_t bytes) {
    for_each_active([&](int number, Session& session) {
      const int from = rank_in(number, 0), to = rank_in(number, process);
      if (from >= 0 && to >= 0) session.sent.add(kind, to, {.messages = 1, .bytes = bytes});
    });
  }

  // The session on whose communicator the collective runs adds the same amount for all ranks.
  void collective(int of, std::uint64_t bytes) {
    for_each_active([&](int number, Session& session) {
      if (number == of) return session.sent.add_to_all({.messages = 1, .bytes = bytes});
      for (const int process : members_of(of)) {
        const int to = rank_in(number, process);
        if (process != 0 && to >= 0) session.sent.add(Kind::kCollective, to, {.messages = 1, .bytes = bytes});
      }
    });
  }

  Protocol protocol_;
  std::map<int, Session> sessions_;
};

struct Ran {
  Process process;
  std::vector<int> told;
};

Ran run_all(const SessionCase& c) {
  Ran ran;
  for (const SessionCall& call : c) {
    if (is_sent(call.what)) ran.process.send(call);
    ran.told.push_back(is_sent(call.what) ? 0 : ran.process.call(call));
  }
  return ran;
}

// The calls of a case without those of other sessions, and without finalizes that failed because of open sessions.
SessionCase only_of(const SessionCase& c, int session, const std::vector<int>& told) {
  SessionCase only;
  for (size_t i = 0; i < c.size(); ++i) {
    const bool of_another = kOfSessions.find(c[i].what) != std::string_view::npos && c[i].number != session;
    const bool refused_end = c[i].what == 'f' && told[i] == static_cast<int>(mpix::Verdict::kSessionsLeft);
    if (!of_another && !refused_end) only.push_back(c[i]);
  }
  return only;
}

std::vector<int> told_of(const SessionCase& c, int session, const std::vector<int>& told) {
  std::vector<int> result;
  for (size_t i = 0; i < c.size(); ++i) {
    if (!is_sent(c[i].what) && c[i].number == session) result.push_back(told[i]);
  }
  return result;
}

SessionData data_of(const Process& process, int session) {
  SessionData data;
  data.row = process.row(session);
  std::vector<std::uint64_t> numbers;
  mpix::pack(data.row, numbers);
  std::span<const std::uint64_t> rest = numbers;
  data.unpacked = mpix::unpack(rest);
  for (int kind = 0; kind < kMessageKinds; ++kind) data.of_kind[kind] = process.row(session, 1U << kind);
  const int size = static_cast<int>(members_of(session).size());
  mpix::for_each_peer(data.row, size - 1, size,
                      [&](int peer, const mpix::Amount& amount) { data.of_peer[peer] = amount; });
  data.when_suspended = process.when_suspended(session);
  return data;
}

int choose(Random& random, int least, int most) {
  return least + static_cast<int>(random() % static_cast<std::uint64_t>(most - least + 1));
}

bool is_started_in(const SessionCase& c, int session) {
  return std::ranges::find(c, SessionCall{'s', session}) != c.end();
}

// The case with sessions 1 and 2 exchanged. Processes that are only in one of them are exchanged too.
SessionCase renamed(const SessionCase& c) {
  SessionCase other = c;
  for (SessionCall& call : other) {
    if (call.number == 1 || call.number == 2) call.number = 3 - call.number;
  }
  return other;
}

std::string words_for(const SessionCall& call) {
  const std::string n = std::to_string(call.number);
  switch (call.what) {
    case 'i':
      return "init";
    case 'f':
      return "finalize";
    case 's':
      return "start of session " + n;
    case 'u':
      return "suspend of session " + n;
    case 'c':
      return "continue of session " + n;
    case 'r':
      return "reset of session " + n;
    case 'x':
      return "free of session " + n;
    case 'n':
      return "get_info of session " + n;
    case 'd':
      return "get_data of session " + n;
    case 'm':
      return "message of 10 B to process " + n;
    case 'o':
      return "one-sided message of 10 B to process " + n;
    case 'h':
      return "message of 2^63 B to process " + n;
    default:
      return "collective on session " + n + "'s communicator";
  }
}

class SessionsDomain : public Domain<SessionCase, SessionOutcome> {
 public:
  std::string name() const override { return "sessions"; }
  std::string about() const override { return "monitoring sessions: what calls are told, and what is recorded"; }

  Bounds bounds(Effort effort) const override {
    return {{"calls", effort == Effort::kFull ? 7 : 6, 1, 10, "calls and messages of a sequence"},
            {"sessions", 2, 1, kMostSessions, "sessions, each started once"}};
  }

  long random_cases(Effort effort) const override { return effort == Effort::kFull ? 20000 : 1000; }

  std::string remark(const Bounds&) const override {
    return "a refused call changes nothing and ends a sequence; sequences that differ by the sessions' names count "
           "once";
  }

  std::vector<Property<SessionCase, SessionOutcome>> properties() const override { return session_properties(); }

  void enumerate(const Bounds& bounds, const Visit& visit) const override {
    const std::vector<SessionCall> alphabet = alphabet_of(bounds["sessions"]);
    for (int length = 1; length <= bounds["calls"]; ++length) {
      SessionCase c;
      SessionReading reading;
      if (!go_on(alphabet, length, c, reading, visit)) return;
    }
  }

  // A longer case, with more sessions, processes and kinds of messages, and failing calls in between.
  SessionCase random(const Bounds& bounds, Random& random) const override {
    SessionCase c = {{'i', 0}};
    const int length = choose(random, bounds["calls"] + 1, 40);
    while (std::ssize(c) < length) {
      const int dice = choose(random, 0, 19);
      if (dice < 10) {
        const char what = kSent[choose(random, 0, kSent.size() - 1)];
        c.push_back({what, what == 'a' ? choose(random, 1, kMostSessions) : choose(random, 0, kProcesses - 1)});
      } else if (dice < 19) {
        const SessionCall call = {kOfSessions[choose(random, 0, kOfSessions.size() - 1)],
                                  choose(random, 1, kMostSessions)};
        if (call.what != 's' || !is_started_in(c, call.number)) c.push_back(call);
      } else {
        c.push_back({choose(random, 0, 1) == 0 ? 'i' : 'f', 0});
      }
    }
    return c;
  }

  std::uint64_t fingerprint(const SessionCase& c) const override {
    const std::hash<std::string> hash;
    return std::min(hash(session_key(c)), hash(session_key(renamed(c))));
  }

  SessionOutcome run(const SessionCase& c) const override { return session_outcome(c); }
  std::string key(const SessionCase& c) const override { return session_key(c); }
  SessionCase read(const std::string& key) const override { return read_session_key(key); }

  std::vector<SessionCase> smaller(const SessionCase& c) const override {
    std::vector<SessionCase> all;
    for (const size_t part : {c.size() / 2, size_t{1}}) {
      for (size_t first = 0; part > 0 && first + part <= c.size(); first += part) {
        SessionCase less = c;
        less.erase(less.begin() + static_cast<long>(first), less.begin() + static_cast<long>(first + part));
        all.push_back(std::move(less));
      }
    }
    return all;
  }

  Drawing draw(const SessionCase& c) const override {
    const SessionOutcome o = run(c);
    SessionReading reading;
    std::string text;
    for (size_t i = 0; i < c.size(); ++i) {
      text += fmt::format("{:4}. {:<42}", i + 1, words_for(c[i]));
      if (is_sent(c[i].what)) {
        std::string active;
        for (int session = 1; session <= kMostSessions; ++session) {
          if (reading.is_there(session) && reading.is_active(session)) active += fmt::format(" {}", session);
        }
        text += active.empty() ? "no session is active" : "active:" + active;
        reading.accept(c[i]);
      } else {
        const int expected = reading.code(c[i].what, c[i].number);
        text += o.told[i] == 0 ? "fine" : fmt::format("refused: {}", o.told[i]);
        if (o.told[i] != expected) text += fmt::format(", should be {}", expected);
        if (expected == 0) reading.accept(c[i]);
      }
      text += "\n";
    }
    for (const auto& [session, data] : o.data) {
      text += fmt::format("      session {} has", session);
      for (const auto& [peer, amount] : data.of_peer) {
        text += fmt::format(" {} x {} B to process {},", amount.messages, amount.bytes, members_of(session).at(peer));
      }
      if (data.of_peer.empty()) text += " nothing,";
      text.back() = '\n';
    }
    return {.text = text, .svg = {}};
  }

 private:
  static std::vector<SessionCall> alphabet_of(int sessions) {
    std::vector<SessionCall> all = {{'i', 0}, {'f', 0}};
    for (const char what : kOfSessions) {
      for (int session = 1; session <= sessions; ++session) all.push_back({what, session});
    }
    for (int session = 1; session <= sessions; ++session) all.push_back({'a', session});
    // Messages to processes in one session only, in all of them, and in none; the last one is so large that the sum of
    // two overflows.
    const int everywhere = (1 << sessions) - 1;
    for (int session = 1; session <= sessions; ++session) {
      if (1 << (session - 1) != everywhere) all.push_back({'m', 1 << (session - 1)});
    }
    all.push_back({'m', everywhere});
    all.push_back({'m', kProcesses - 1});
    all.push_back({'h', everywhere});
    return all;
  }

  // Visits all sequences with `left` more calls. Messages are only sent while a session exists, because otherwise no
  // session records them.
  static bool go_on(const std::vector<SessionCall>& alphabet, int left, SessionCase& c, SessionReading& reading,
                    const Visit& visit) {
    if (left == 0) return visit(c);
    bool somebody = false;
    for (int session = 1; session <= kMostSessions; ++session) somebody = somebody || reading.is_there(session);
    for (const SessionCall& call : alphabet) {
      if (is_sent(call.what) && !somebody) continue;
      if (call.what == 's' && is_started_in(c, call.number)) continue;
      const bool accepted = is_sent(call.what) || reading.code(call.what, call.number) == 0;
      if (!accepted && left > 1) continue;
      c.push_back(call);
      if (accepted) reading.accept(call);
      const bool more = go_on(alphabet, left - 1, c, reading, visit);
      if (accepted) reading.take_back();
      c.pop_back();
      if (!more) return false;
    }
    return true;
  }
};

}  // namespace

SessionOutcome session_outcome(const SessionCase& c) {
  Ran ran = run_all(c);
  const Protocol& protocol = ran.process.protocol();
  SessionOutcome o;
  o.there = protocol.sessions();
  for (size_t call = 0; call < o.all_for.size(); ++call) {
    o.all_for[call] = protocol.all_for(static_cast<mpix::SessionCall>(call));
  }
  for (const int session : o.there) {
    o.active[session] = protocol.state(session) == mpix::SessionState::kActive;
    o.data[session] = data_of(ran.process, session);
  }
  for (int session = 1; session <= kMostSessions; ++session) {
    if (!is_started_in(c, session)) continue;
    const SessionCase only = only_of(c, session, ran.told);
    const Ran alone = run_all(only);
    o.told_alone[session] = told_of(only, session, alone.told);
    if (std::ranges::count(alone.process.protocol().sessions(), session) > 0)
      o.alone[session] = alone.process.row(session);
  }
  o.told = std::move(ran.told);
  return o;
}

std::string session_key(const SessionCase& c) {
  std::string key;
  for (const SessionCall& call : c) {
    if (!key.empty()) key += '.';
    key += call.what;
    if (call.what != 'i' && call.what != 'f') key += std::to_string(call.number);
  }
  return key.empty() ? "nothing" : key;
}

SessionCase read_session_key(const std::string& text) {
  SessionCase c;
  if (text == "nothing") return c;
  KeyReader key(text);
  do {
    KeyReader begin = key;
    const auto refuse = [&](const std::string& why) { begin.fail(why, std::string("a case is ") + kForm); };
    SessionCall call = {key.next(), 0};
    key.take(call.what);
    const bool of_session = kOfSessions.find(call.what) != std::string_view::npos;
    if (of_session || is_sent(call.what)) {
      const bool by_session = of_session || call.what == 'a';
      const int least = by_session ? 1 : 0, most = by_session ? kMostSessions : kProcesses - 1;
      const std::optional<long> number = key.number(least, most);
      if (!number) refuse(fmt::format("not {} and a number from {} to {}", call.what, least, most));
      call.number = static_cast<int>(*number);
      if (call.what == 's' && is_started_in(c, call.number))
        refuse(fmt::format("session {} starts again", call.number));
    } else if (call.what != 'i' && call.what != 'f') {
      refuse("none of i f s u c r x n d m h o a");
    }
    if (!key.at_end() && key.next() != '.') refuse("more than a call");
    c.push_back(call);
  } while (key.take('.'));
  return c;
}

std::unique_ptr<Area> sessions_area() { return area_of(std::make_unique<SessionsDomain>()); }

}  // namespace strata::check
