// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/page/path_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "analysis/time_report.h"

namespace strata::analysis {
namespace {

Json shares_json(const std::vector<PathShare>& shares) {
  Json json = Json::array();
  for (size_t i = 0; i < std::min(shares.size(), kMostPathShares); ++i) {
    const PathShare& s = shares[i];
    json.push_back({{"name", s.name.empty() ? fmt::format("rank {}", s.rank) : s.name},
                    {"seconds", s.by_kind},
                    {"messages", s.messages}});
  }
  return json;
}

// The longest ones, in the order of time.
std::vector<size_t> longest(const std::vector<PathPiece>& pieces) {
  std::vector<size_t> order(pieces.size());
  std::iota(order.begin(), order.end(), 0);
  if (order.size() <= kMostPathPieces) return order;
  const auto length = [&](size_t i) { return pieces[i].to - pieces[i].from; };
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return length(a) > length(b); });
  order.resize(kMostPathPieces);
  std::sort(order.begin(), order.end());
  return order;
}

std::string name_at(const std::vector<std::string>& names, int index) { return index < 0 ? "" : names[index]; }

Json pieces_json(const CriticalPath& path) {
  Json json = Json::array();
  for (const size_t i : longest(path.pieces)) {
    const PathPiece& p = path.pieces[i];
    json.push_back({{"from", p.from},
                    {"to", p.to},
                    {"kind", name_of(p.kind)},
                    {"rank", p.rank},
                    {"call", name_at(path.functions, p.function)},
                    {"level", name_at(path.levels, p.level)},
                    {"sender", p.sender},
                    {"receiver", p.receiver},
                    {"bytes", p.bytes}});
  }
  return json;
}

Json pairs_json(const std::vector<LatePair>& pairs) {
  Json json = Json::array();
  for (size_t i = 0; i < std::min(pairs.size(), kMostLatePairs); ++i) {
    const LatePair& p = pairs[i];
    json.push_back(
        {{"late", p.late}, {"waits", p.waits}, {"count", p.count}, {"seconds", p.seconds}, {"longest", p.longest}});
  }
  return json;
}

Json late_json(const Late& late) {
  Json barriers = Json::array();
  for (size_t i = 0; i < std::min(late.barriers.size(), kMostLatePairs); ++i) {
    const LateToBarrier& b = late.barriers[i];
    barriers.push_back({{"last", b.last}, {"count", b.count}, {"seconds", b.seconds}, {"longest", b.longest}});
  }
  const auto left_out = [](size_t n) { return n - std::min(n, kMostLatePairs); };
  return {
      {"senders", pairs_json(late.senders)},
      {"receivers", pairs_json(late.receivers)},
      {"barriers", barriers},
      {"sender_seconds", late.sender_seconds},
      {"receiver_seconds", late.receiver_seconds},
      {"barrier_seconds", late.barrier_seconds},
      {"unknown_seconds", late.unknown_seconds},
      {"left_out", left_out(late.senders.size()) + left_out(late.receivers.size()) + left_out(late.barriers.size())}};
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
  Json json = Json::array();
  for (const Phase& p : phases) {
    json.push_back({{"name", p.name},
                    {"ranks", p.ranks},
                    {"times", p.times},
                    {"seconds", spread_json(p.seconds)},
                    {"computing", spread_json(p.computing)},
                    {"communicating", spread_json(p.communicating)},
                    {"waiting", spread_json(p.waiting)}});
  }
  return json;
}

}  // namespace

Json path_json(const std::filesystem::path& events, const Machine& machine) {
  const TimeReport report = time_report(events, &machine);
  const CriticalPath& path = report.path;
  Json kinds = Json::array();
  for (size_t k = 0; k < kPathKinds; ++k) kinds.push_back(name_of(static_cast<PathKind>(k)));
  return {{"seconds", path.seconds},
          {"last_rank", path.last_rank},
          {"kinds", kinds},
          {"whole", path.whole.by_kind},
          {"messages", path.whole.messages},
          {"by_rank", shares_json(path.by_rank)},
          {"by_function", shares_json(path.by_function)},
          {"by_level", shares_json(path.by_level)},
          {"pieces", pieces_json(path)},
          {"pieces_left_out", path.pieces.size() - std::min(path.pieces.size(), kMostPathPieces)},
          {"late", late_json(report.late)},
          {"phases", phases_json(report.phases)}};
}

}  // namespace strata::analysis
