// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/time_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

#include "analysis/format.h"
#include "analysis/waits.h"
#include "records/events.h"
#include "records/levels.h"

namespace strata::analysis {
namespace {

constexpr size_t kShownParts = 8, kShownLate = 4, kShownPhases = 8;

std::string percent(double part, double whole) { return whole > 0 ? fmt::format("{:.1f} %", 100 * part / whole) : "-"; }

std::string seconds(double value) { return with_unit(value, "s", 3); }

// --- text ---

struct Line {
  std::string what;
  double seconds;
  std::string note;
};

// "1 message", "12 messages".
std::string messages(std::int64_t count) { return fmt::format("{} message{}", count, count == 1 ? "" : "s"); }

// "rank 7", or "40 ranks, rank 7 most: 2.0 %".
std::string computing_ranks(const CriticalPath& path) {
  const auto part = [](const PathShare& s) { return s.seconds(PathKind::kComputing); };
  const auto ranks =
      std::count_if(path.by_rank.begin(), path.by_rank.end(), [&](const auto& s) { return part(s) > 0; });
  const auto most = std::max_element(path.by_rank.begin(), path.by_rank.end(),
                                     [&](const auto& a, const auto& b) { return part(a) < part(b); });
  if (ranks == 1) return fmt::format("rank {}", most->rank);
  return fmt::format("{} ranks, most on rank {}: {}", ranks, most->rank, percent(part(*most), path.seconds));
}

std::vector<Line> path_lines(const CriticalPath& path) {
  std::vector<Line> lines;
  const auto add = [&lines](const std::string& what, double s, const std::string& note = "") {
    if (s > 0) lines.push_back({what, s, note});
  };
  const double computing = path.whole.seconds(PathKind::kComputing);
  if (computing > 0) add("computing", computing, computing_ranks(path));
  for (const PathShare& s : path.by_function) {
    add("work in " + s.name, s.seconds(PathKind::kMpi));
    add("waiting in " + s.name, s.seconds(PathKind::kWaiting));
  }
  for (const PathShare& s : path.by_level) {
    for (const PathKind kind : {PathKind::kLatency, PathKind::kTransfer, PathKind::kContention}) {
      add(fmt::format("{}: {}", name_of(kind), s.name == kLoopbackLevel ? "to itself" : s.name), s.seconds(kind),
          messages(s.messages));
    }
  }
  add("messages", path.whole.seconds(PathKind::kMessage), messages(path.whole.messages));
  std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) { return a.seconds > b.seconds; });
  return lines;
}

std::string path_text(const CriticalPath& path) {
  std::string text = fmt::format("{:<38}{:>16}{:>12}\n", "critical path", "time", "share");
  const std::vector<Line> lines = path_lines(path);
  double rest = path.seconds;
  for (size_t i = 0; i < std::min(kShownParts, lines.size()); ++i) {
    const Line& l = lines[i];
    text += fmt::format("  {:<36}{:>16}{:>12}{}{}\n", l.what, seconds(l.seconds), percent(l.seconds, path.seconds),
                        l.note.empty() ? "" : "  ", l.note);
    rest -= l.seconds;
  }
  if (lines.size() > kShownParts)
    text += fmt::format("  {:<36}{:>16}{:>12}\n", "the rest", seconds(rest), percent(rest, path.seconds));
  return text;
}

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

Json by_kind(const PathShare& share) {
  Json kinds = Json::object();
  for (size_t k = 0; k < kPathKinds; ++k) {
    const auto kind = static_cast<PathKind>(k);
    if (share.seconds(kind) > 0) kinds[std::string(name_of(kind))] = share.seconds(kind);
  }
  return kinds;
}

template <class Key>
Json shares(const std::vector<PathShare>& all, const char* name, const Key& key) {
  Json array = Json::array();
  for (const PathShare& s : all) {
    array.push_back({{name, key(s)}, {"seconds", s.seconds()}, {"by_kind", by_kind(s)}, {"messages", s.messages}});
  }
  return array;
}

Json piece_json(const CriticalPath& path, const PathPiece& p) {
  Json piece = {{"from", p.from}, {"to", p.to}, {"kind", name_of(p.kind)}, {"rank", p.rank}};
  if (p.function >= 0) piece["function"] = path.functions[static_cast<size_t>(p.function)];
  if (p.level >= 0) piece["level"] = path.levels[static_cast<size_t>(p.level)];
  if (p.message != 0) {
    piece["message"] = p.message;
    piece["sender"] = p.sender;
    piece["receiver"] = p.receiver;
    piece["bytes"] = p.bytes;
  }
  return piece;
}

Json path_json(const CriticalPath& path) {
  const std::vector<size_t> kept = longest_pieces(path.pieces, kMostInJson);
  Json pieces = Json::array();
  for (const size_t i : kept) pieces.push_back(piece_json(path, path.pieces[i]));
  return {{"seconds", path.seconds},
          {"last_rank", path.last_rank},
          {"by_kind", by_kind(path.whole)},
          {"messages", path.whole.messages},
          {"by_rank", shares(path.by_rank, "rank", [](const PathShare& s) { return s.rank; })},
          {"by_function", shares(path.by_function, "function", [](const PathShare& s) { return s.name; })},
          {"by_level", shares(path.by_level, "level", [](const PathShare& s) { return s.name; })},
          {"pieces", pieces},
          {"pieces_left_out", path.pieces.size() - kept.size()}};
}

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

std::vector<size_t> longest_pieces(const std::vector<PathPiece>& pieces, size_t most) {
  std::vector<size_t> order(pieces.size());
  std::iota(order.begin(), order.end(), 0);
  if (order.size() <= most) return order;
  const auto length = [&](size_t i) { return pieces[i].to - pieces[i].from; };
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return length(a) > length(b); });
  order.resize(most);
  std::sort(order.begin(), order.end());
  return order;
}

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

TimeReport time_report(const std::filesystem::path& file, const Machine* machine) {
  EventReader events(file);
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
  EventReader again(file);
  return {path.path(again, machine), late.late(), phases.phases()};
}

std::string time_text(const TimeReport& report) {
  std::string text = path_text(report.path);
  for (const std::string& part : {late_text(report.late), phases_text(report.phases)}) {
    if (!part.empty()) text += "\n" + part;
  }
  return text;
}

void add_time(const TimeReport& report, Json& document) {
  document["critical_path"] = path_json(report.path);
  document["late"] = late_json(report.late);
  document["phases"] = phases_json(report.phases);
}

}  // namespace strata::analysis
