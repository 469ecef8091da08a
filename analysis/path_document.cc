// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/path_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "analysis/format.h"
#include "records/levels.h"

namespace strata::analysis {
namespace {

constexpr size_t kShownParts = 8;

std::string seconds(double value) { return with_unit(value, "s", 3); }

// "1 message", "12 messages".
std::string messages(std::int64_t count) { return fmt::format("{} message{}", count, count == 1 ? "" : "s"); }

const std::string& at(const std::vector<std::string>& names, int index) { return names[index]; }

// --- text ---

struct Line {
  std::string what;
  double seconds;
  std::string note = {};
};

void keep_largest_first(std::vector<Line>& lines) {
  std::erase_if(lines, [](const Line& l) { return l.seconds <= 0; });
  std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) { return a.seconds > b.seconds; });
}

std::string text_of(const Line& l, double whole) {
  return fmt::format("  {:<36}{:>16}{:>12}{}{}\n", l.what, seconds(l.seconds), percent(l.seconds, whole),
                     l.note.empty() ? "" : "  ", l.note);
}

std::string heading_of(const std::string& what) { return fmt::format("{:<38}{:>16}{:>12}\n", what, "time", "share"); }

// "rank 7", or "40 ranks, rank 7 most: 2.0 %".
std::string computing_ranks(const CriticalPath& path) {
  const auto part = [](const PathShare& s) { return s.seconds(PathKind::kComputing); };
  const auto ranks =
      std::count_if(path.by_rank.begin(), path.by_rank.end(), [&](const auto& s) { return part(s) > 0; });
  const auto most = std::max_element(path.by_rank.begin(), path.by_rank.end(),
                                     [&](const auto& a, const auto& b) { return part(a) < part(b); });
  if (ranks == 1) return fmt::format("rank {}", most->index);
  return fmt::format("{} ranks, most on rank {}: {}", ranks, most->index, percent(part(*most), path.seconds));
}

std::vector<Line> run_lines(const CriticalPath& path) {
  std::vector<Line> lines;
  const double computing = path.whole.seconds(PathKind::kComputing);
  if (computing > 0) lines.push_back({"computing", computing, computing_ranks(path)});
  for (const PathShare& s : named(path.by_function)) {
    lines.push_back({"work in " + at(path.functions, s.index), s.seconds(PathKind::kMpi)});
    lines.push_back({"waiting in " + at(path.functions, s.index), s.seconds(PathKind::kWaiting)});
  }
  for (const PathShare& s : named(path.by_level)) {
    for (const PathKind kind : {PathKind::kLatency, PathKind::kTransfer, PathKind::kContention}) {
      lines.push_back({fmt::format("{}: {}", name_of(kind), level_name(at(path.levels, s.index))), s.seconds(kind),
                       messages(s.messages)});
    }
  }
  lines.push_back({"messages", path.whole.seconds(PathKind::kMessage), messages(path.whole.messages)});
  keep_largest_first(lines);
  return lines;
}

std::string table(const std::string& heading, std::vector<Line> lines, double whole) {
  keep_largest_first(lines);
  std::string text = heading_of(heading);
  double rest = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (i >= kShownParts) {
      rest += lines[i].seconds;
    } else {
      text += text_of(lines[i], whole);
    }
  }
  if (rest > 0) text += text_of({"the rest", rest}, whole);
  return text;
}

// --- JSON ---

// `name(index)`, or null if the index is -1.
template <class Name>
Json shares(const std::vector<PathShare>& all, const char* key, const Name& name) {
  Json array = Json::array();
  for (const PathShare& s : all) {
    array.push_back({{key, s.index < 0 ? Json() : Json(name(s.index))},
                     {"seconds", s.seconds()},
                     {"by_kind", seconds_by_kind(s)},
                     {"messages", s.messages}});
  }
  return array;
}

Json run_piece(const CriticalPath& path, const PathPiece& p) {
  Json piece = {{"from", p.from}, {"to", p.to}, {"kind", name_of(p.kind)}, {"rank", p.rank}};
  if (p.function >= 0) piece["function"] = at(path.functions, p.function);
  if (p.level >= 0) piece["level"] = at(path.levels, p.level);
  if (p.message != 0) {
    piece["message"] = p.message;
    piece["sender"] = p.sender;
    piece["receiver"] = p.receiver;
    piece["bytes"] = static_cast<std::int64_t>(p.bytes);
  }
  return piece;
}

Json replay_piece(const CriticalPath& path, const PathPiece& p) {
  Json piece = {{"from", p.from}, {"to", p.to}, {"kind", name_of(p.kind)}, {"rank", p.rank}};
  if (p.function >= 0) piece["call"] = at(path.functions, p.function);
  if (p.message != 0) {
    piece["sender"] = p.sender;
    piece["receiver"] = p.receiver;
    piece["bytes"] = p.bytes;
  }
  return piece;
}

using Shares = std::vector<PathShare>;

// A document with these shares and pieces.
Json path_json(const CriticalPath& path, const char* function_key, const Shares& by_function, const Shares& by_level,
               Json (*piece)(const CriticalPath&, const PathPiece&), size_t most_pieces) {
  const std::vector<size_t> kept = longest_pieces(path.pieces, most_pieces);
  Json pieces = Json::array();
  for (const size_t i : kept) pieces.push_back(piece(path, path.pieces[i]));
  const std::string by_function_key = std::string("by_") + function_key;
  return {{"seconds", path.seconds},
          {"last_rank", path.last_rank},
          {"by_kind", seconds_by_kind(path.whole)},
          {"messages", path.whole.messages},
          {"by_rank", shares(path.by_rank, "rank", [](int r) { return r; })},
          {by_function_key, shares(by_function, function_key, [&](int f) { return at(path.functions, f); })},
          {"by_level", shares(by_level, "level", [&](int l) { return at(path.levels, l); })},
          {"pieces", pieces},
          {"pieces_left_out", path.pieces.size() - kept.size()}};
}

}  // namespace

std::string run_path_text(const CriticalPath& path) {
  std::string text = heading_of("critical path");
  const std::vector<Line> lines = run_lines(path);
  double rest = path.seconds;
  for (size_t i = 0; i < std::min(kShownParts, lines.size()); ++i) {
    text += text_of(lines[i], path.seconds);
    rest -= lines[i].seconds;
  }
  if (lines.size() > kShownParts) text += text_of({"the rest", rest}, path.seconds);
  return text;
}

std::string replay_path_text(const CriticalPath& path) {
  std::vector<Line> kinds, calls, levels, ranks;
  for (size_t k = 0; k < kPathKinds; ++k) {
    const auto kind = static_cast<PathKind>(k);
    kinds.push_back({std::string(name_of(kind)), path.whole.seconds(kind)});
  }
  for (const PathShare& s : path.by_function)
    calls.push_back({s.index < 0 ? "outside MPI" : at(path.functions, s.index), s.seconds()});
  for (const PathShare& s : path.by_level) {
    if (s.index < 0) {
      levels.push_back({"no message", s.seconds()});
    } else {
      levels.push_back({level_name(at(path.levels, s.index)), s.seconds(), messages(s.messages)});
    }
  }
  for (const PathShare& s : path.by_rank) ranks.push_back({fmt::format("rank {}", s.index), s.seconds()});
  return table("critical path", std::move(kinds), path.seconds) + "\n" +
         table("its MPI functions", std::move(calls), path.seconds) + "\n" +
         table("its levels of the machine", std::move(levels), path.seconds) + "\n" +
         table("its ranks", std::move(ranks), path.seconds);
}

Json run_path_json(const CriticalPath& path, size_t most_pieces) {
  return path_json(path, "function", named(path.by_function), named(path.by_level), run_piece, most_pieces);
}

Json replay_path_json(const CriticalPath& path, size_t most_pieces) {
  return path_json(path, "call", path.by_function, path.by_level, replay_piece, most_pieces);
}

std::string percent(double part, double whole) { return whole > 0 ? fmt::format("{:.1f} %", 100 * part / whole) : "-"; }

std::string level_name(const std::string& level) { return level == kLoopbackLevel ? "to itself" : level; }

}  // namespace strata::analysis
