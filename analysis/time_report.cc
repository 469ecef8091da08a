// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/time_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "analysis/format.h"
#include "analysis/path_document.h"
#include "analysis/waits.h"
#include "records/events.h"

namespace strata::analysis {
namespace {

constexpr size_t kShownLate = 4, kShownPhases = 8;

std::string seconds(double value) { return with_unit(value, "s", 3); }

// --- text ---

struct LateLine {
  std::string what;
  double seconds;
  long count;
};

std::string late_text(const Late& late) {
  std::vector<LateLine> lines;
  const auto add = [&lines](const auto& all, const auto& what) {
    for (size_t i = 0; i < std::min(kShownLate, all.size()); ++i)
      lines.push_back({what(all[i]), all[i].seconds, all[i].count});
  };
  add(late.senders, [](const LatePair& p) { return fmt::format("rank {} sends late to rank {}", p.late, p.waits); });
  add(late.receivers,
      [](const LatePair& p) { return fmt::format("rank {} receives late from rank {}", p.late, p.waits); });
  add(late.barriers,
      [](const LateToBarrier& b) { return fmt::format("rank {} is last at a barrier or lock", b.last); });
  if (lines.empty()) return "";
  std::stable_sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.seconds > b.seconds; });
  lines.resize(std::min(kShownLate, lines.size()));
  std::string text = fmt::format("{:<38}{:>16}{:>12}\n", "ranks that others wait for", "waiting", "waits");
  for (const LateLine& l : lines) text += fmt::format("  {:<36}{:>16}{:>12}\n", l.what, seconds(l.seconds), l.count);
  return text;
}

std::string phases_text(const std::vector<Phase>& all) {
  std::vector<Phase> phases = all;
  std::stable_sort(phases.begin(), phases.end(),
                   [](const auto& a, const auto& b) { return a.seconds.mean > b.seconds.mean; });
  std::string text = fmt::format("{:<24}{:>12}{:>12}{:>16}{:>10}  {}\n", "phase", "mean time", "computing",
                                 "communicating", "waiting", "imbalance of computing");
  for (size_t i = 0; i < std::min(kShownPhases, phases.size()); ++i) {
    const Phase& p = phases[i];
    const double whole = p.seconds.mean;
    const std::string imbalance =
        p.computing.mean > 0 ? fmt::format("{:.1f} %  (most: rank {}, least: rank {})", 100 * p.computing.imbalance(),
                                           p.computing.most_rank, p.computing.least_rank)
                             : "-";
    text += fmt::format("  {:<22}{:>12}{:>12}{:>16}{:>10}  {}\n", p.name.empty() ? "the whole run" : p.name,
                        seconds(whole), percent(p.computing.mean, whole), percent(p.communicating.mean, whole),
                        percent(p.waiting.mean, whole), imbalance);
  }
  if (phases.size() > kShownPhases) text += fmt::format("  ({} more phases)\n", phases.size() - kShownPhases);
  return text;
}

// --- JSON ---

Json pairs_json(const std::vector<LatePair>& pairs) {
  Json array = Json::array();
  for (size_t i = 0; i < std::min(kMostInJson, pairs.size()); ++i) {
    array.push_back(figures_of(pairs[i]));
    array.back()["in_collectives"] = pairs[i].in_collectives;
  }
  return array;
}

Json late_json(const Late& late) {
  Json barriers = Json::array();
  for (const LateToBarrier& b : late.barriers) barriers.push_back(figures_of(b));
  const auto left_out = [](size_t pairs) { return pairs - std::min(kMostInJson, pairs); };
  return {{"seconds",
           {{"senders", late.sender_seconds},
            {"receivers", late.receiver_seconds},
            {"barriers", late.barrier_seconds},
            {"unknown", late.unknown_seconds}}},
          {"senders", pairs_json(late.senders)},
          {"receivers", pairs_json(late.receivers)},
          {"barriers", barriers},
          {"pairs_left_out", left_out(late.senders.size()) + left_out(late.receivers.size())}};
}

Json spread_json(const Spread& s) {
  return {{"mean", s.mean},
          {"most", s.most},
          {"most_rank", s.most_rank},
          {"least", s.least},
          {"least_rank", s.least_rank},
          {"imbalance", s.imbalance()}};
}

Json phases_json(const std::vector<Phase>& phases) {
  Json array = Json::array();
  for (const Phase& p : phases) {
    array.push_back({{"phase", p.name.empty() ? Json() : Json(p.name)}});
    add_figures(p, array.back());
  }
  return array;
}

}  // namespace

Json figures_of(const LatePair& p) {
  return {{"late", p.late}, {"waits", p.waits}, {"count", p.count}, {"seconds", p.seconds}, {"longest", p.longest}};
}

Json figures_of(const LateToBarrier& b) {
  return {{"last", b.last}, {"count", b.count}, {"seconds", b.seconds}, {"longest", b.longest}};
}

void add_figures(const Phase& p, Json& document) {
  document["ranks"] = p.ranks;
  document["times"] = p.times;
  document["seconds"] = spread_json(p.seconds);
  document["computing"] = spread_json(p.computing);
  document["communicating"] = spread_json(p.communicating);
  document["waiting"] = spread_json(p.waiting);
}

TimeReport time_report(const EventStore& store, const Machine* machine) {
  EventReader events(store);
  const size_t ranks = events.header().cores.size();
  WaitFinder waits(ranks);
  PathFinder path(ranks);
  LateFinder late;
  PhaseFinder phases(ranks);
  const auto take = [&](const Wait& wait) {
    path.take(wait);
    late.take(wait);
    phases.take(wait);
  };
  Event e;
  for (bool more = true; more;) {
    more = events.next(e);
    if (const std::optional<Wait> wait = waits.take(e)) take(*wait);
    if (!more) {
      for (const Wait& wait : waits.blocked_at_end()) take(wait);
    }
    path.take(e);
    phases.take(e);
  }
  EventReader again(store);
  return {path.path(again, machine), late.late(), phases.phases()};
}

std::string time_text(const TimeReport& report) {
  std::string text = run_path_text(report.path);
  for (const std::string& part : {late_text(report.late), phases_text(report.phases)}) {
    if (!part.empty()) text += "\n" + part;
  }
  return text;
}

void add_time(const TimeReport& report, Json& document) {
  document["critical_path"] = run_path_json(report.path, kMostInJson);
  document["late"] = late_json(report.late);
  document["phases"] = phases_json(report.phases);
}

}  // namespace strata::analysis
