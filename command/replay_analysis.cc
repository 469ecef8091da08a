// SPDX-License-Identifier: LGPL-2.1-only
#include "command/replay_analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "analysis/format.h"
#include "analysis/path_document.h"
#include "console/progress.h"

namespace strata::command {
namespace {

using replay::History;
using replay::Sensitivity;
using replay::SlackSummary;

std::string seconds(double value) { return analysis::with_unit(value, "s", 3); }
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

std::function<void(std::size_t all)> progress_of(const std::string& what) {
  return [what, progress = std::make_shared<std::optional<console::Progress>>()](std::size_t all) {
    if (!*progress) progress->emplace(console::Work{.what = "", .total = all, .logged = false});
    (*progress)->point_done(what);
  };
}

std::string slack_text(const SlackSummary& slack) {
  std::string text = fmt::format("{:<38}{:>16}\n", "slack: later without a later end", "messages");
  for (size_t b = 0; b < SlackSummary::kBins; ++b) {
    if (slack.messages[b] > 0) text += fmt::format("  {:<36}{:>16}\n", bin_name(b), slack.messages[b]);
  }
  if (slack.unawaited > 0) text += fmt::format("  {:<36}{:>16}\n", "no rank waits for them", slack.unawaited);
  text += fmt::format("\n{:<38}{:>16}{:>12}{:>12}\n", "slack by level", "messages", "least", "median");
  for (const replay::LevelSlack& l : slack.by_level) {
    text += fmt::format("  {:<36}{:>16}{:>12}{:>12}\n", analysis::level_name(slack.levels[l.level]), l.messages,
                        seconds(l.least), seconds(l.median));
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

Json slack_json(const SlackSummary& slack) {
  Json bins = Json::array(), levels = Json::array();
  for (size_t b = 0; b < SlackSummary::kBins; ++b) {
    const double to = SlackSummary::to(b);
    bins.push_back({{"from", SlackSummary::from(b)},
                    {"to", to == History::kNever ? Json() : Json(to)},
                    {"messages", slack.messages[b]}});
  }
  for (const replay::LevelSlack& l : slack.by_level) {
    levels.push_back(
        {{"level", slack.levels[l.level]}, {"messages", l.messages}, {"least", l.least}, {"median", l.median}});
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
