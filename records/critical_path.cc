// SPDX-License-Identifier: LGPL-2.1-only
#include "records/critical_path.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

namespace strata {
namespace {

using Shares = std::map<int, PathShare>;  // by index

void count(PathShare& share, const PathPiece& p, bool another_message) {
  share.by_kind[static_cast<std::size_t>(p.kind)] += p.to - p.from;
  share.messages += another_message ? 1 : 0;
}

std::vector<PathShare> largest_first(const Shares& shares) {
  std::vector<PathShare> sorted;
  for (const auto& [index, share] : shares) {
    sorted.push_back(share);
    sorted.back().index = index;
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const PathShare& a, const PathShare& b) { return a.seconds() > b.seconds(); });
  return sorted;
}

}  // namespace

std::string_view name_of(PathKind kind) {
  constexpr std::array<std::string_view, kPathKinds> kNames = {
      "computing", "mpi", "overhead", "sleeping", "latency", "transfer", "contention", "message", "waiting"};
  return kNames[static_cast<std::size_t>(kind)];
}

double PathShare::seconds() const { return std::accumulate(by_kind.begin(), by_kind.end(), 0.0); }

void add_up(CriticalPath& path) {
  path.whole = {};
  Shares by_rank, by_function, by_level;
  std::int64_t counted = 0;
  for (const PathPiece& p : path.pieces) {
    const bool another = p.message != 0 && p.message != counted;
    if (p.message != 0) counted = p.message;
    for (PathShare* share : {&path.whole, &by_rank[p.rank], &by_function[p.function], &by_level[p.level]})
      count(*share, p, another);
  }
  path.by_rank = largest_first(by_rank);
  path.by_function = largest_first(by_function);
  path.by_level = largest_first(by_level);
}

std::vector<PathShare> named(const std::vector<PathShare>& shares) {
  std::vector<PathShare> with_name;
  std::copy_if(shares.begin(), shares.end(), std::back_inserter(with_name),
               [](const PathShare& s) { return s.index >= 0; });
  return with_name;
}

std::vector<std::size_t> longest_pieces(const std::vector<PathPiece>& pieces, std::size_t most) {
  std::vector<std::size_t> order(pieces.size());
  std::iota(order.begin(), order.end(), 0);
  if (order.size() <= most) return order;
  const auto length = [&](std::size_t i) { return pieces[i].to - pieces[i].from; };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return length(a) > length(b); });
  order.resize(most);
  std::sort(order.begin(), order.end());
  return order;
}

Json seconds_by_kind(const PathShare& share) {
  Json kinds = Json::object();
  for (std::size_t k = 0; k < kPathKinds; ++k) {
    const auto kind = static_cast<PathKind>(k);
    if (share.seconds(kind) > 0) kinds[std::string(name_of(kind))] = share.seconds(kind);
  }
  return kinds;
}

}  // namespace strata
