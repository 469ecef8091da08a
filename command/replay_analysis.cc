// SPDX-License-Identifier: LGPL-2.1-only
#include "command/replay_analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "analysis/format.h"
#include "records/levels.h"

namespace strata::command {
namespace {

using replay::CriticalPath;
using replay::History;
using replay::kPathKinds;
using replay::PathKind;
using replay::PathShare;
using replay::PathStep;
using replay::Sensitivity;
using replay::SlackSummary;

constexpr size_t kShown = 8;

std::string seconds(double value) { return analysis::with_unit(value, "s", 3); }
std::string percent(double part, double whole) { return whole > 0 ? fmt::format("{:.1f} %", 100 * part / whole) : "-"; }

std::string messages(std::int64_t count) { return fmt::format("{} message{}", count, count == 1 ? "" : "s"); }

// The name of a level for people.
std::string level_name(const std::string& level) { return level == kLoopbackLevel ? "to itself" : level; }

struct Line {
  std::string what;
  double seconds;
  std::string note = {};
};

std::string table(const std::string& heading, std::vector<Line> lines, double whole) {
  std::erase_if(lines, [](const Line& l) { return l.seconds <= 0; });
  std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) { return a.seconds > b.seconds; });
  std::string text = fmt::format("{:<38}{:>16}{:>12}\n", heading, "time", "share");
  double rest = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    const Line& l = lines[i];
    if (i >= kShown) {
      rest += l.seconds;
      continue;
    }
    text += fmt::format("  {:<36}{:>16}{:>12}{}{}\n", l.what, seconds(l.seconds), percent(l.seconds, whole),
                        l.note.empty() ? "" : "  ", l.note);
  }
  if (rest > 0) text += fmt::format("  {:<36}{:>16}{:>12}\n", "the rest", seconds(rest), percent(rest, whole));
  return text;
}

double of(const PathShare& share, PathKind kind) { return share.by_kind[static_cast<size_t>(kind)]; }

Json by_kind(const PathShare& share) {
  Json kinds = Json::object();
  for (size_t k = 0; k < kPathKinds; ++k) {
    if (share.by_kind[k] > 0) kinds[std::string(replay::name_of(static_cast<PathKind>(k)))] = share.by_kind[k];
  }
  return kinds;
}

// `value(index)`, or null if the index is -1.
template <class Value>
Json shares(const std::vector<PathShare>& all, const char* key, const Value& value) {
  Json array = Json::array();
  for (const PathShare& s : all) {
    array.push_back({{key, s.index < 0 ? Json() : Json(value(static_cast<size_t>(s.index)))},
                     {"seconds", s.seconds()},
                     {"by_kind", by_kind(s)},
                     {"messages", s.messages}});
  }
  return array;
}

std::vector<size_t> longest(const CriticalPath& path) {
  std::vector<size_t> order(path.pieces.size());
  std::iota(order.begin(), order.end(), 0);
  if (order.size() <= kMostPieces) return order;
  const auto length = [&](size_t i) { return path.pieces[i].to - path.pieces[i].from; };
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return length(a) > length(b); });
  order.resize(kMostPieces);
  std::sort(order.begin(), order.end());
  return order;
}

// "without", "below 1 ns", "1 ns to 10 ns", or "10 s or more".
std::string bin_name(size_t bin) {
  if (bin == 0) return "none";
  const double from = SlackSummary::from(bin), to = SlackSummary::to(bin);
  if (bin == 1) return "below " + analysis::with_unit(to, "s", 1);
  if (to == History::kNever) return analysis::with_unit(from, "s", 1) + " or more";
  return analysis::with_unit(from, "s", 1) + " to " + analysis::with_unit(to, "s", 1);
}

std::string worth(double value) { return value == 0 ? "0 s" : (value > 0 ? "+" : "-") + seconds(std::abs(value)); }

// Which of the two computations applies, and why.
std::string verdict(const Sensitivity& s) {
  if (s.kink) return fmt::format("replays: a kink, {} for 1 % less", worth(*s.less));
  if (!s.more) return "replays: with 1 % less, for more is not possible alone";
  if (!s.less) return "replays: with 1 % more, for less is not possible alone";
  return s.same ? "both" : "replays: messages or work share something";
}

double effect(const Sensitivity& s) {
  return std::max({std::abs(s.path), std::abs(s.more.value_or(0)), std::abs(s.less.value_or(0))});
}

}  // namespace

std::string path_text(const CriticalPath& path, const std::vector<std::string>& functions) {
  std::vector<Line> kinds, calls, levels, ranks;
  for (size_t k = 0; k < kPathKinds; ++k) {
    const auto kind = static_cast<PathKind>(k);
    kinds.push_back({std::string(replay::name_of(kind)), of(path.whole, kind)});
  }
  for (const PathShare& s : path.by_function)
    calls.push_back({s.index < 0 ? "outside MPI" : functions[static_cast<size_t>(s.index)], s.seconds()});
  for (const PathShare& s : path.by_level) {
    if (s.index < 0) {
      levels.push_back({"no message", s.seconds()});
    } else {
      levels.push_back({level_name(path.levels[static_cast<size_t>(s.index)]), s.seconds(), messages(s.messages)});
    }
  }
  for (const PathShare& s : path.by_rank) ranks.push_back({fmt::format("rank {}", s.index), s.seconds()});
  return table("critical path", std::move(kinds), path.seconds) + "\n" +
         table("its MPI functions", std::move(calls), path.seconds) + "\n" +
         table("its levels of the machine", std::move(levels), path.seconds) + "\n" +
         table("its ranks", std::move(ranks), path.seconds);
}

std::string slack_text(const SlackSummary& slack) {
  std::string text = fmt::format("{:<38}{:>16}\n", "slack: later without a later end", "messages");
  for (size_t b = 0; b < SlackSummary::kBins; ++b) {
    if (slack.messages[b] > 0) text += fmt::format("  {:<36}{:>16}\n", bin_name(b), slack.messages[b]);
  }
  if (slack.unawaited > 0) text += fmt::format("  {:<36}{:>16}\n", "no rank waits for them", slack.unawaited);
  text += fmt::format("\n{:<38}{:>16}{:>12}{:>12}\n", "slack by level", "messages", "least", "median");
  for (const replay::LevelSlack& l : slack.by_level) {
    text += fmt::format("  {:<36}{:>16}{:>12}{:>12}\n", level_name(slack.levels[static_cast<size_t>(l.level)]),
                        l.messages, seconds(l.least), seconds(l.median));
  }
  return text;
}

std::string sensitivity_text(const std::vector<Sensitivity>& all, double simulated_time) {
  std::vector<const Sensitivity*> shown;
  for (const Sensitivity& s : all) {
    if (!s.is_zero()) shown.push_back(&s);
  }
  std::stable_sort(shown.begin(), shown.end(),
                   [](const Sensitivity* a, const Sensitivity* b) { return effect(*a) > effect(*b); });
  std::string text = fmt::format("{:<38}{:>14}{:>14}{:>12}{:>12}  {}\n", "1 % more of", "which is", "by replays",
                                 "share", "by path", "which holds");
  for (const Sensitivity* s : shown) {
    const Figure& f = s->figure.figure;
    const double share = simulated_time > 0 ? 100 * s->replays / simulated_time : 0;
    text += fmt::format("  {:<36}{:>14}{:>14}{:>12}{:>12}  {}\n", s->figure.name,
                        analysis::shortest(f.value) + " " + f.unit, worth(s->replays), fmt::format("{:+.3f} %", share),
                        worth(s->path), verdict(*s));
  }
  const size_t without = all.size() - shown.size();
  if (without > 0) text += fmt::format("  without effect: {} other figure{}\n", without, without == 1 ? "" : "s");
  return text;
}

Json path_json(const CriticalPath& path, const History& history, const std::vector<std::string>& functions) {
  const std::vector<size_t> kept = longest(path);
  Json pieces = Json::array();
  for (const size_t i : kept) {
    const replay::PathPiece& p = path.pieces[i];
    const PathStep& s = path.steps[static_cast<size_t>(p.step)];
    Json piece = {{"from", p.from}, {"to", p.to}, {"kind", replay::name_of(p.kind)}, {"rank", s.rank}};
    if (s.function >= 0) piece["call"] = functions[static_cast<size_t>(s.function)];
    if (s.message >= 0) {
      const History::Message& m = history.messages()[static_cast<size_t>(s.message)];
      piece["sender"] = m.from;
      piece["receiver"] = m.to;
      piece["bytes"] = m.bytes;
    }
    pieces.push_back(piece);
  }
  return {{"seconds", path.seconds},
          {"last_rank", path.last_rank},
          {"by_kind", by_kind(path.whole)},
          {"messages", path.whole.messages},
          {"by_rank", shares(path.by_rank, "rank", [](size_t i) { return i; })},
          {"by_call", shares(path.by_function, "call", [&](size_t i) { return functions[i]; })},
          {"by_level", shares(path.by_level, "level", [&](size_t i) { return path.levels[i]; })},
          {"pieces", pieces},
          {"pieces_left_out", path.pieces.size() - kept.size()}};
}

Json slack_json(const SlackSummary& slack) {
  Json bins = Json::array(), levels = Json::array();
  for (size_t b = 0; b < SlackSummary::kBins; ++b) {
    const double to = SlackSummary::to(b);
    bins.push_back({{"from", SlackSummary::from(b)},
                    {"to", to == History::kNever ? Json() : Json(to)},
                    {"messages", slack.messages[b]}});
  }
  for (const replay::LevelSlack& l : slack.by_level) {
    levels.push_back({{"level", slack.levels[static_cast<size_t>(l.level)]},
                      {"messages", l.messages},
                      {"least", l.least},
                      {"median", l.median}});
  }
  return {{"histogram", bins}, {"unawaited", slack.unawaited}, {"by_level", levels}};
}

Json sensitivity_json(const std::vector<Sensitivity>& all) {
  Json array = Json::array();
  const auto optional = [](const std::optional<double>& value) { return value ? Json(*value) : Json(); };
  for (const Sensitivity& s : all) {
    array.push_back({{"figure", s.figure.name},
                     {"value", s.figure.figure.value},
                     {"unit", s.figure.figure.unit},
                     {"path", s.path},
                     {"replays", s.replays},
                     {"more", optional(s.more)},
                     {"less", optional(s.less)},
                     {"same", s.same},
                     {"kink", s.kink}});
  }
  return array;
}

}  // namespace strata::command
