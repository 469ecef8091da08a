// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/launcher/diagnosis.h"

#include <fmt/format.h>
#include <re2/re2.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

#include "records/exchange/exchanged_words.h"

namespace strata::sim {
namespace {

// The number of waiting ranks that a failure names, and of messages for each of them.
constexpr size_t kMostWaiting = 8, kMostAwaited = 4;

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string w; in >> w;) words.push_back(w);
  return words;
}

// " for a message from rank 1 (tag 7)"; empty if the message is unknown.
std::string awaited_text(const std::vector<Awaited>& awaits) {
  std::vector<std::string> texts;
  for (const Awaited& a : awaits) {
    const std::string other = a.rank < 0 ? "any rank" : fmt::format("rank {}", a.rank);
    const std::string tag = a.tag < 0 ? "" : fmt::format(" (tag {})", a.tag);
    texts.push_back(fmt::format("{} {}{}", a.receive ? "a message from" : "the receive of", other, tag));
    if (texts.size() == kMostAwaited) break;
  }
  if (awaits.size() > texts.size()) texts.push_back(fmt::format("{} more", awaits.size() - texts.size()));
  return texts.empty() ? "" : fmt::format(" for {}", fmt::join(texts, ", "));
}

// Gets the text after the mark in the first line that contains it. Returns false if no line does.
bool marked(const std::string& text, const std::string& mark, std::string& rest) {
  const size_t at = text.find(mark);
  if (at == std::string::npos) return false;
  const size_t end = std::min(text.find('\n', at), text.size());
  rest = text.substr(at + mark.size(), end - at - mark.size());
  if (!rest.empty() && rest[0] == ' ') rest.erase(0, 1);
  return true;
}

// Turns a line of SimGrid's log, "[host:rank:(pid) time] file:line: [category/LEVEL] message", into "rank R: message",
// and "[time] file:line: [category/LEVEL] message" of the simulator itself into "message". Returns any other line
// unchanged.
std::string without_decoration(const std::string& line) {
  static const RE2 log(R"(\[(?:[^:\]]*:(\d+):\(\d+\) )?[0-9.e+-]+\] \S+:\d+: \[[^\]]*\] (.*))", RE2::Latin1);
  std::string rank, message;
  if (!RE2::FullMatch(line, log, &rank, &message)) return line;
  return rank.empty() ? message : "rank " + rank + ": " + message;
}

// The line that best explains why a program ended: the first that SimGrid marks as critical, otherwise the last.
std::string telling_line(const std::string& text) {
  static const RE2 nothing_new("|.*--cfg=.*|.*xbt_cfg/INFO.*|Execution failed.*|" + std::string(words::kMark) +
                                   ".*|Aborted.*|Terminated.*|Segmentation fault.*",
                               RE2::Latin1);
  std::istringstream in(text);
  std::string last;
  for (std::string line; std::getline(in, line);) {
    if (RE2::FullMatch(line, nothing_new)) continue;
    last = without_decoration(line);
    if (line.find("/CRITICAL]") != std::string::npos) break;
  }
  return last;
}

// The whole number in `text`, or -1 if it is anything else.
long number_of(const std::string& text) {
  long value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? value : -1;
}

// "recv", "1", "7": operation, peer, tag.
std::string point_to_point(const std::string& operation, const std::string& peer, const std::string& tag) {
  return operation + (operation.find("recv") != std::string::npos ? " from rank " : " to rank ") + peer +
         (tag.empty() ? "" : " (tag " + tag + ")");
}

bool is_nonblocking(const std::string& operation) {
  return operation == "isend" || operation == "irecv" || operation == "Issend";
}

bool is_point_to_point(const std::string& operation) {
  return operation.find("send") != std::string::npos || operation.find("recv") != std::string::npos;
}

// ": rank 0 waits in MPI_Recv for a message from rank 1 (tag 7); rank 1 ..."
std::string who_waits(const std::vector<Ending>& endings) {
  std::vector<std::string> texts;
  size_t more = 0;
  for (const Ending& e : endings) {
    if (e.how != Ending::How::kDeadlock) continue;
    if (texts.size() < kMostWaiting) {
      texts.push_back(ending_text(e));
    } else {
      ++more;
    }
  }
  if (more > 0) texts.push_back(fmt::format("and {} more ranks", more));
  return texts.empty() ? "" : fmt::format(": {}", fmt::join(texts, "; "));
}

}  // namespace

Diagnosis diagnose(const Evidence& e, double time_limit_s) {
  if (e.timed_out) return {.failure = no_end_after(time_limit_s), .timed_out = true};
  const auto says = [&](const char* text) { return e.text.find(text) != std::string::npos; };
  const bool first_aborts =
      e.profile && !e.profile->endings.empty() && e.profile->endings.front().how == Ending::How::kAbort;
  bool deadlock = says(words::kDeadlock);
  const bool refused = says(words::kPlatform) || says(words::kRefused);
  const bool is_whole = WIFEXITED(e.status) && (e.profiled ? e.profile.has_value() : WEXITSTATUS(e.status) == 0);
  // After MPI_Abort smpimain ends with status 0, and SimGrid 3.32 may report that the other ranks cannot continue.
  const bool failed =
      e.profiled ? !first_aborts && (deadlock || refused || !is_whole) : deadlock || !is_whole || says(kAbortMessage);
  if (!failed) return {};
  if (!e.profiled && WIFEXITED(e.status) && WEXITSTATUS(e.status) == 127)
    return {.failure = "SimGrid's smpimain is not installed (Debian package libsimgrid-dev)"};
  Diagnosis d{.failure = describe_failure(e.status, e.text, deadlock),
              .deadlock = deadlock,
              .refused = refused,
              .bad_usage = says(words::kUsage)};
  if (d.deadlock && e.profile) d.failure += who_waits(e.profile->endings);
  return d;
}

std::string no_end_after(double time_limit_s) {
  return fmt::format("no end after {} s of wall time, the time limit", time_limit_s);
}

std::string ending_text(const Ending& e) {
  switch (e.how) {
    case Ending::How::kAbort:
      return fmt::format("rank {} called MPI_Abort with {}", e.rank, e.code);
    case Ending::How::kDeadlock:
      return fmt::format("rank {} waits in {}{}", e.rank, e.call, awaited_text(e.awaits));
    case Ending::How::kExit:
      return fmt::format("rank {} called exit with {}", e.rank, e.code);
    case Ending::How::kReturn:
      return fmt::format("rank {} returned {} from main", e.rank, e.code);
    case Ending::How::kUnfinalized:
      return fmt::format("rank {} ended without MPI_Finalize", e.rank);
  }
  return "";
}

std::string deadlock_text(const std::vector<Ending>& endings) { return "deadlock" + who_waits(endings); }

// Lines are "RANK OPERATION ...": peer and tag in "0 recv 1 7 ..."; source, destination and tag in "0 wait 1 0 7"; the
// number of requests in "0 waitall 2".
std::string waits_in(const std::vector<std::string>& trace) {
  std::vector<std::string> pending;  // nonblocking operations for which no wait has been seen, oldest first
  std::vector<std::string> last;
  for (const std::string& line : trace) {
    std::vector<std::string> w = words_of(line);
    if (w.size() < 2 || w[1] == "compute") continue;
    w.resize(std::max<size_t>(w.size(), 5));
    if (is_nonblocking(w[1])) pending.push_back(point_to_point(w[1], w[2], w[3]));
    if (w[1] == "wait") {
      const bool receives = w[3] == w[0];
      const std::string named = point_to_point(receives ? "irecv" : "isend", receives ? w[2] : w[3], w[4]);
      const auto at = std::find(pending.begin(), pending.end(), named);
      if (at != pending.end()) pending.erase(at);
      w = {w[0], w[1], named};
    } else if (w[1] == "waitall") {
      // The trace contains the number of requests, but not which. Usually they are the latest.
      const size_t count = std::min<size_t>(std::max(number_of(w[2]), 0L), pending.size());
      const auto first = pending.end() - static_cast<std::ptrdiff_t>(count);
      const std::string named = fmt::format("{}", fmt::join(first, pending.end(), ", "));
      pending.erase(first, pending.end());
      w = {w[0], w[1], named};
    }
    last = std::move(w);
  }
  if (last.empty()) return "waits before its first call";
  if (last[1] == "finalize") return "";
  if (last[1] == "wait" || last[1] == "waitall") {
    return "waits in " + last[1] + (last[2].empty() ? "" : " for " + last[2]);
  }
  if (!is_point_to_point(last[1]) || is_nonblocking(last[1]) || last[2].empty()) return "waits in " + last[1];
  return "waits in " + point_to_point(last[1], last[2], last[3]);
}

std::string who_waits(const std::filesystem::path& folder, int most) {
  std::map<int, std::vector<std::string>> traces;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    std::ifstream in(entry.path());
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    const std::vector<std::string> first = lines.empty() ? std::vector<std::string>() : words_of(lines.front());
    const long rank = first.empty() ? -1 : number_of(first.front());
    if (rank >= 0) traces[static_cast<int>(rank)] = lines;
  }
  std::vector<std::string> waiting;
  for (const auto& [rank, lines] : traces) {
    const std::string wait = waits_in(lines);
    if (!wait.empty()) waiting.push_back(fmt::format("rank {} {}", rank, wait));
  }
  const size_t told = std::min(waiting.size(), static_cast<size_t>(std::max(most, 0)));
  if (waiting.size() > told) {
    const std::string more = fmt::format("and {} more ranks", waiting.size() - told);
    waiting.resize(told);
    waiting.push_back(more);
  }
  return fmt::format("{}", fmt::join(waiting, "; "));
}

std::string name_threads(const std::string& text, int application) {
  static const RE2 rank(R"((?s)(.*?)\brank (\d{1,9})\b)", RE2::Latin1);
  std::string named, before;
  re2::StringPiece rest = text;
  for (long number = 0; RE2::Consume(&rest, rank, &before, &number);) {
    named += before + (number < application ? "rank " : "the progress thread of rank ") +
             std::to_string(number < application ? number : number - application);
  }
  return named.append(rest.data(), rest.size());
}

std::string describe_failure(int status, const std::string& error, bool& deadlock) {
  std::string rest;
  deadlock = false;
  if (marked(error, words::kRefused, rest)) return rest;
  if (marked(error, words::kDeadlock, rest)) {
    deadlock = true;
    return "deadlock";
  }
  if (marked(error, words::kWrong, rest)) return "wrong data: " + rest;
  if (marked(error, words::kUsage, rest)) return rest;
  if (marked(error, words::kPlatform, rest)) return "the platform plugin: " + rest;
  if (marked(error, words::kCrash, rest)) {
    std::vector<std::string> w = words_of(rest);  // rank R signal N at A in F
    w.resize(8);
    const std::string who = number_of(w[1]) >= 0 ? "rank " + w[1] : "the simulator", function = w[7];
    std::string line = telling_line(error);
    if (line.rfind(who + ": ", 0) == 0) line.erase(0, who.size() + 2);
    if (number_of(w[3]) == SIGABRT && !line.empty()) {
      // SimGrid's own reason.
      static const RE2 lacking(R"(Not yet implemented: P?(MPI_\w+).*)", RE2::Latin1);
      if (std::string lacks; RE2::FullMatch(line, lacking, &lacks))
        return who + " called " + lacks + ", which the simulated MPI does not have";
      if (!function.empty() && line.find(function) == std::string::npos) line.insert(0, function + ": ");
    }
    return who + " crashed: " + ::strsignal(static_cast<int>(number_of(w[3]))) + (line.empty() ? "" : ": " + line);
  }
  std::istringstream lines(error);
  for (std::string line; std::getline(lines, line);) {
    if (line.find(kAbortMessage) == std::string::npos) continue;
    const std::string who = without_decoration(line);  // "rank 1: MPI_Abort was called, ..."
    return who.substr(0, who.find(':')) + " called MPI_Abort";
  }
  std::string text;
  if (WIFEXITED(status)) {
    text = "the program ended with status " + std::to_string(WEXITSTATUS(status));
  } else if (WTERMSIG(status) == SIGPIPE) {
    return "the program's output has no reader any more (a broken pipe)";
  } else {
    text = "the simulator was ended by signal " + std::to_string(WTERMSIG(status)) + " (" +
           ::strsignal(WTERMSIG(status)) + ")";
  }
  const std::string line = telling_line(error);
  return line.empty() ? text : text + ": " + line;
}

}  // namespace strata::sim
