// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/page/path_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace strata::analysis {
namespace {

Json seconds_json(const PathShare& share) {
  Json json = Json::array();
  for (const PathKind kind : kKindsOfRuns) json.push_back(share.seconds(kind));
  return json;
}

// `name(index)`.
template <class Name>
Json shares_json(const std::vector<PathShare>& shares, const Name& name) {
  Json json = Json::array();
  for (size_t i = 0; i < std::min(shares.size(), kMostPathShares); ++i) {
    const PathShare& s = shares[i];
    json.push_back({{"name", name(s.index)}, {"seconds", seconds_json(s)}, {"messages", s.messages}});
  }
  return json;
}

std::string name_at(const std::vector<std::string>& names, int index) { return index < 0 ? "" : names[index]; }

Json pieces_json(const CriticalPath& path) {
  Json json = Json::array();
  for (const size_t i : longest_pieces(path.pieces, kMostPathPieces)) {
    const PathPiece& p = path.pieces[i];
    json.push_back({{"from", p.from},
                    {"to", p.to},
                    {"kind", name_of(p.kind)},
                    {"rank", p.rank},
                    {"call", name_at(path.functions, p.function)},
                    {"level", name_at(path.levels, p.level)},
                    {"sender", p.sender},
                    {"receiver", p.receiver},
                    {"bytes", static_cast<std::int64_t>(p.bytes)}});
  }
  return json;
}

// The worst entries.
template <class T>
Json worst(const std::vector<T>& all) {
  Json json = Json::array();
  for (size_t i = 0; i < std::min(all.size(), kMostLatePairs); ++i) json.push_back(figures_of(all[i]));
  return json;
}

Json late_json(const Late& late) {
  const auto left_out = [](size_t n) { return n - std::min(n, kMostLatePairs); };
  return {
      {"senders", worst(late.senders)},
      {"receivers", worst(late.receivers)},
      {"barriers", worst(late.barriers)},
      {"sender_seconds", late.sender_seconds},
      {"receiver_seconds", late.receiver_seconds},
      {"barrier_seconds", late.barrier_seconds},
      {"unknown_seconds", late.unknown_seconds},
      {"left_out", left_out(late.senders.size()) + left_out(late.receivers.size()) + left_out(late.barriers.size())}};
}

Json phases_json(const std::vector<Phase>& phases) {
  Json json = Json::array();
  for (const Phase& p : phases) {
    json.push_back({{"name", p.name}});
    add_figures(p, json.back());
  }
  return json;
}

}  // namespace

Json path_json(const TimeReport& report) {
  const CriticalPath& path = report.path;
  Json kinds = Json::array();
  for (const PathKind kind : kKindsOfRuns) kinds.push_back(name_of(kind));
  return {{"seconds", path.seconds},
          {"last_rank", path.last_rank},
          {"kinds", kinds},
          {"whole", seconds_json(path.whole)},
          {"messages", path.whole.messages},
          {"by_rank", shares_json(path.by_rank, [](int r) { return fmt::format("rank {}", r); })},
          {"by_function", shares_json(named(path.by_function), [&](int f) { return name_at(path.functions, f); })},
          {"by_level", shares_json(named(path.by_level), [&](int l) { return name_at(path.levels, l); })},
          {"pieces", pieces_json(path)},
          {"pieces_left_out", path.pieces.size() - std::min(path.pieces.size(), kMostPathPieces)},
          {"late", late_json(report.late)},
          {"phases", phases_json(report.phases)}};
}

}  // namespace strata::analysis
