// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/launcher/balance_shards.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <queue>
#include <string>
#include <utility>

#include "base/error.h"
#include "records/folder.h"
#include "records/launch.h"
#include "records/seconds.h"

namespace strata::sim {

std::vector<double> estimated_costs(const Study& study, const std::vector<Json>& points) {
  const auto counts = [&](const std::string& name, const Json& value) {
    return value.is_number() && !is_for_launcher(name) && !study.figures.contains(name);
  };
  std::vector<Json> parameters;
  std::map<std::string, double> largest;
  for (const Json& point : points) {
    parameters.push_back(study.parameters_of(point));
    for (const auto& [name, value] : parameters.back().items()) {
      if (counts(name, value)) largest[name] = std::max(largest[name], std::abs(value.get<double>()));
    }
  }
  std::vector<double> costs;
  for (const Json& p : parameters) {
    double size = 1;
    for (const auto& [name, value] : p.items()) {
      if (counts(name, value) && largest[name] > 0) size += std::abs(value.get<double>()) / largest[name];
    }
    costs.push_back(p.value(kRanksAxis, std::max(study.ranks, 1)) * size);
  }
  return costs;
}

std::vector<double> measured_costs(const Study& study, const std::vector<Json>& points,
                                   const std::filesystem::path& earlier) {
  const std::map<int, double> seconds = read_seconds(earlier);
  std::map<std::string, double> by_parameters;
  const std::vector<Json> theirs = load_manifest(earlier).study.points();
  for (const auto& [point, value] : seconds) {
    if (static_cast<size_t>(point) < theirs.size()) by_parameters[theirs[point].dump()] = value;
  }
  const std::vector<double> estimates = estimated_costs(study, points);
  std::vector<double> costs(points.size());
  std::vector<size_t> unknown;
  double measured = 0, estimated = 0;  // sums over the points that have both
  for (size_t p = 0; p < points.size(); ++p) {
    const auto known = by_parameters.find(points[p].dump());
    if (known == by_parameters.end()) {
      unknown.push_back(p);
      continue;
    }
    costs[p] = known->second;
    measured += costs[p];
    estimated += estimates[p];
  }
  if (unknown.size() == points.size()) {
    throw InputError("--balance " + earlier.string(),
                     "has no seconds of points of this scenario (" + std::string(kSecondsFile) + ")",
                     "give the results folder of an earlier run of it, or leave --balance out");
  }
  for (const size_t p : unknown) costs[p] = estimates[p] * measured / estimated;
  return costs;
}

std::vector<std::vector<int>> balance_shards(int shards, const std::vector<double>& costs) {
  std::vector<int> order(costs.size());
  std::iota(order.begin(), order.end(), 0);
  const auto cost = [&](int p) { return costs[p]; };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return cost(a) > cost(b); });
  using Load = std::pair<double, int>;  // load and number of a shard
  std::priority_queue<Load, std::vector<Load>, std::greater<>> loads;
  for (int s = 1; s <= shards; ++s) loads.emplace(0.0, s);
  std::vector<std::vector<int>> points_by_shard(shards);
  for (const int p : order) {
    const auto [load, number] = loads.top();
    loads.pop();
    loads.emplace(load + cost(p), number);
    points_by_shard[number - 1].push_back(p);
  }
  for (std::vector<int>& points : points_by_shard) std::sort(points.begin(), points.end());
  return points_by_shard;
}

std::vector<int> points_of(const Shard& shard, const std::vector<double>& costs) {
  return balance_shards(shard.of, costs)[shard.number - 1];
}

}  // namespace strata::sim
