// SPDX-License-Identifier: LGPL-2.1-only
#include "check/messages/replay_log.h"

#include <fmt/format.h>
#include <re2/re2.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>
#include <sstream>

#include "base/error.h"
#include "check/messages/model_checker.h"
#include "records/exchange/exchanged_words.h"
#include "sim/launcher/diagnosis.h"

namespace strata::check {
namespace {

// A line of SimGrid's log. After kLogMark it has the actor, which is the rank, and the category.
struct LogLine {
  std::string actor, category, message;
};

std::optional<LogLine> log_line(const std::string& line) {
  const size_t mark = line.find(kLogMark);
  if (mark == std::string::npos) return std::nullopt;
  std::istringstream in(line.substr(mark + std::strlen(kLogMark)));
  LogLine log;
  std::getline(in, log.actor, '|');
  std::getline(in, log.category, '|');
  std::getline(in, log.message);
  return log;
}

// A request as logged by SMPI: "New send  request 0x1  [buf = 0x2, size = 4, src = 1, dst = 2, tag = 7, flags = 1]".
struct Request {
  std::string event, id;
  long size = 0, source = 0, destination = 0, tag = 0;
};

std::optional<Request> request_in(const std::string& message) {
  static const RE2 form(
      R"((.*?)\s+request (\S+)\s+\[buf = [^,]*, size = (\d+), src = (-?\d+), dst = (-?\d+), tag = (-?\d+), .*)",
      RE2::Latin1);
  Request r;
  if (!RE2::FullMatch(message, form, &r.event, &r.id, &r.size, &r.source, &r.destination, &r.tag)) return std::nullopt;
  return r;
}

// SMPI's ranks have actor ids from 1 to n.
std::string rank_named(long actor) { return actor <= 0 ? "any rank" : "rank " + std::to_string(actor - 1); }

std::string with_tag(long tag) {
  constexpr long kAnyTag = -444;  // MPI_ANY_TAG
  if (tag == kAnyTag) return ", any tag";
  return tag < 0 ? "" : ", tag " + std::to_string(tag);  // negative tags are those of SMPI's own collectives
}

std::string describe(const Request& request) {
  if (request.event == "New send")
    return fmt::format("sends {} B to {}{}", request.size, rank_named(request.destination), with_tag(request.tag));
  if (request.event == "New recv")
    return fmt::format("posts a receive of up to {} B from {}{}", request.size, rank_named(request.source),
                       with_tag(request.tag));
  if (request.event == "New iprobe")
    return fmt::format("probes for a message from {}{}", rank_named(request.source), with_tag(request.tag));
  return "";
}

// The object of a wait by `actor`.
std::string describe_wait(const Request& request, long actor) {
  if (request.destination == actor && request.source != actor)
    return fmt::format("a receive from {}{}", rank_named(request.source), with_tag(request.tag));
  return fmt::format("its send to {}{}", rank_named(request.destination), with_tag(request.tag));
}

// The next action of a rank.
struct Rank {
  std::vector<std::string> calls;  // MPI functions that it is in, outermost first
  std::string next;                // its next step; empty: only the call is known
  std::string waits;               // what it waits for, if it waits
};

std::string in_call(const Rank& rank) { return rank.calls.empty() ? "" : " (" + rank.calls.front() + ")"; }

// Describes a step that SMPI does not log: one that looks at requests or messages.
std::string look_in(const Rank& rank, const std::string& choice) {
  const std::string call = rank.calls.empty() ? "" : rank.calls.front();
  if (call.find("robe") != std::string::npos) return "looks for a message";
  if (call.find("Test") != std::string::npos) return "tests";
  if (call.find("Wait") != std::string::npos)
    return "completes the one that is number " + std::to_string(std::stol(choice) + 1) + " of those that can be";
  return "goes on";
}

bool follows_not(const std::string& error) {
  constexpr const char* kSays[] = {"Unexpected simcall",     "Unexpected actor",
                                   "No simcall for process", "Could not parse record path",
                                   " is not visible.",       ") is not enabled."};  // the last two: SimGrid 4.0
  return std::any_of(std::begin(kSays), std::end(kSays),
                     [&error](const char* words) { return error.find(words) != std::string::npos; });
}

// The end of a replay's path.
enum class Led { kNowhere, kToTheEnd, kToADeadlock, kToTheMiddle };

Led where_led(const std::string& error) {
  static const RE2 end(std::string(words::kReplayed) + R"( actors (\d+) enabled (\d+))", RE2::Latin1);
  long actors = 0, enabled = 0;
  if (RE2::PartialMatch(error, end, &actors, &enabled))
    return actors == 0 ? Led::kToTheEnd : enabled == 0 ? Led::kToADeadlock : Led::kToTheMiddle;
  const auto says = [&error](const char* words) {  // SimGrid 4.0
    return error.find(std::string("The replay of the trace is complete") + words) != std::string::npos;
  };
  if (says(" and no actor remains")) return Led::kToTheEnd;
  if (says(". DEADLOCK detected")) return Led::kToADeadlock;
  return says(". The application could run further") ? Led::kToTheMiddle : Led::kNowhere;
}

// The program's own lines, without SimGrid's.
std::string own_lines(const std::string& error) {
  static const RE2 not_its_own(R"(\[\d+\.\d+\] .*|Backtrace \(displayed.*|\(backtrace not set.*)", RE2::Latin1);
  std::istringstream in(error);
  std::string own;
  for (std::string line; std::getline(in, line);) {
    if (line.find(kLogMark) != std::string::npos || line.starts_with(words::kMark)) continue;
    if (RE2::FullMatch(line, not_its_own)) continue;
    own += line + "\n";
  }
  return own;
}

std::string last_line(const std::string& text) {
  std::istringstream in(text);
  std::string last;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) last = line;
  }
  return last;
}

// "smpimain: ./prog.c:8: main: Assertion `x == 1' failed." without the program's name.
std::string assertion_in(const std::string& text) {
  static const RE2 form(R"((?:\S+: )?(.*: Assertion `.*' failed\.))", RE2::Latin1);
  std::istringstream in(text);
  for (std::string line, assertion; std::getline(in, line);) {
    if (RE2::FullMatch(line, form, &assertion)) return assertion;
  }
  return "";
}

std::string message_in_log(const std::string& error, const std::string& words) {
  std::istringstream in(error);
  for (std::string line; std::getline(in, line);) {
    const std::optional<LogLine> log = log_line(line);
    if (log.has_value() && log->message.find(words) != std::string::npos)
      return "rank " + log->actor + ": " + log->message;
  }
  return "";
}

}  // namespace

CounterExample read_replay(const std::string& error) {
  CounterExample run;
  std::map<long, Rank> ranks;  // by actor id
  std::istringstream in(error);
  long stepping = 0;  // the actor of the current step
  for (std::string line; std::getline(in, line);) {
    const std::optional<LogLine> log = log_line(line);
    if (!log.has_value()) continue;
    if (log->category == "mc_record") {
      static const RE2 form(R"((?:Executing|\* Path chunk #\d+) '?(\d+)[$/](\d+)(?:'.*)?)", RE2::Latin1);  // 3.32, 4.0
      std::string look;
      if (!RE2::FullMatch(log->message, form, &stepping, &look)) continue;
      Rank& rank = ranks[stepping];
      const std::string what = (rank.next.empty() ? look_in(rank, look) : rank.next) + in_call(rank);
      run.steps.push_back({static_cast<int>(stepping - 1), what});
      rank.next.clear();
      rank.waits.clear();
      continue;
    }
    long actor = 0;
    const char* const end = log->actor.data() + log->actor.size();
    if (std::from_chars(log->actor.data(), end, actor).ptr != end) continue;
    Rank& rank = ranks[++actor];
    if (log->category == "smpi_mpi") {
      static const std::string entering = "SMPI - Entering ", leaving = "SMPI - Leaving ";
      if (log->message.rfind(entering, 0) == 0) rank.calls.push_back(log->message.substr(entering.size()));
      if (log->message.rfind(leaving, 0) == 0 && !rank.calls.empty()) rank.calls.pop_back();
      continue;
    }
    static const RE2 received(R"(Received from (\d+), tag (-?\d+), (\d+) bytes)", RE2::Latin1);
    long sender = 0, tag = 0, bytes = 0;
    if (RE2::FullMatch(log->message, received, &sender, &tag, &bytes)) {
      if (stepping == actor && !run.steps.empty())
        run.steps.back().what += fmt::format(": {} B of {}{}", bytes, rank_named(sender), with_tag(tag));
      continue;
    }
    const std::optional<Request> request = request_in(log->message);
    if (!request.has_value()) continue;
    if (request->event == "Waiting") {
      rank.waits = describe_wait(*request, actor);
      rank.next = "completes " + rank.waits;
    } else if (const std::string text = describe(*request); !text.empty()) {
      rank.next = text;
      rank.waits = request->event == "New iprobe" ? "a message" : "";
    }
  }
  for (const auto& [actor, rank] : ranks) {
    if (rank.calls.empty()) continue;
    run.message += fmt::format("{}rank {} waits{}{} in {}", run.message.empty() ? "" : "; ", actor - 1,
                               rank.waits.empty() ? "" : " for ", rank.waits, rank.calls.front());
  }
  run.err = own_lines(error);
  return run;
}

Verdict judge_replay(int status, const std::string& error, CounterExample& run) {
  std::string words_after;
  if (follows_not(error)) {
    throw InputError("key", "does not fit the program: it cannot take these steps",
                     "give the program, arguments and ranks that the key was printed for");
  }
  static const RE2 usage(std::string(words::kUsage) + " (.*)", RE2::Latin1);  // printed by our programs
  if (RE2::PartialMatch(error, usage, &words_after)) throw InputError("program", "refuses its arguments", words_after);
  const std::string waiting = run.message;
  run.message.clear();
  if (const std::string line = message_in_log(error, sim::kAbortMessage); !line.empty()) {
    run.message = line.substr(0, line.find(':')) + " called MPI_Abort";
    return Verdict::kAborted;
  }
  if (const Led led = where_led(error); led != Led::kNowhere) {
    static const RE2 unmatched(std::string(words::kNeverReceived) + " (.*)", RE2::Latin1);
    for (re2::StringPiece rest = error; RE2::FindAndConsume(&rest, unmatched, &words_after);)
      run.message += (run.message.empty() ? "" : "; ") + words_after;
    if (!run.message.empty()) {
      run.message = "never received: " + run.message;
      return Verdict::kUnmatched;
    }
    if (led == Led::kToTheEnd) return Verdict::kHolds;
    run.message = waiting;
    return led == Led::kToADeadlock ? Verdict::kDeadlock : Verdict::kHolds;
  }
  if (const std::string assertion = assertion_in(run.err); !assertion.empty()) {
    run.message = assertion;
    return Verdict::kAborted;
  }
  static const RE2 refused(std::string(words::kRefused) + " (.*)", RE2::Latin1);
  if (RE2::PartialMatch(error, refused, &words_after)) {
    run.message = words_after;
    return Verdict::kUndecided;
  }
  const std::string said = last_line(run.err);
  if (WIFSIGNALED(status)) {
    if (WTERMSIG(status) == SIGABRT) {
      // "Not yet implemented: PMPI_Open_port. Please contact the SimGrid team ..."
      static const RE2 lacking("Not yet implemented: P?(MPI_[A-Za-z0-9_]+(?: on an intercommunicator)?)", RE2::Latin1);
      if (RE2::PartialMatch(error, lacking, &words_after)) {
        run.message = "SimGrid lacks " + words_after;
        return Verdict::kUndecided;
      }
      std::string fatal = message_in_log(error, "instead of MPI_SUCCESS");
      if (fatal.empty()) fatal = message_in_log(error, "MC assertion failed");  // assert() by mpi.h of SimGrid 4.0
      run.message = !fatal.empty() ? fatal : said.empty() ? "abort()" : said;
      return Verdict::kAborted;
    }
    run.message = std::string(::strsignal(WTERMSIG(status))) + (said.empty() ? "" : ": " + said);
    return Verdict::kCrashed;
  }
  run.message = "the program ended in the middle with status " + std::to_string(WEXITSTATUS(status)) +
                (said.empty() ? "" : ": " + said);
  return Verdict::kCrashed;
}

std::optional<Statistics> read_statistics(const std::string& error) {
  const size_t at = error.rfind(words::kStates + std::string(" "));
  if (at == std::string::npos || error.find('\n', at) == std::string::npos) return std::nullopt;
  std::istringstream in(error.substr(at, error.find('\n', at) - at));
  Statistics s;
  std::string word, last;
  in >> word >> word >> s.states >> word >> s.transitions >> word >> s.replayed >> word >> s.executions >> word >>
      s.redundant >> word >> s.cut >> last;
  s.end = last == "end";
  return s;
}

std::optional<std::string> read_path(const std::string& error) {
  static const RE2 form(R"(Path = ([0-9;/]*))", RE2::Latin1);
  std::string path;
  if (!RE2::PartialMatch(error, form, &path)) return std::nullopt;
  return path;
}

std::optional<long> read_prefix(const std::string& log) {
  static const RE2 form(R"(Prefix = (\d+))", RE2::Latin1);
  long prefix = 0;
  if (!RE2::PartialMatch(log, form, &prefix)) return std::nullopt;
  return prefix;
}

}  // namespace strata::check
