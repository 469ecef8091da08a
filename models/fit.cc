// SPDX-License-Identifier: LGPL-2.1-only
#include "models/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <eigen3/Eigen/QR>
#include <limits>
#include <map>
#include <numeric>
#include <stdexcept>

#include "base/error.h"
#include "models/message_cost.h"
#include "models/record_parameters.h"
#include "platforms/machine.h"
#include "platforms/payload.h"

namespace strata::models {
namespace {

double relative_difference(double ours, double reference) {
  if (ours == reference) return 0;
  return reference == 0 ? std::numeric_limits<double>::infinity() : (ours - reference) / reference;
}

}  // namespace

HockneyFit fit_hockney(std::span<const MeasuredPoint> points) {
  double smallest = std::numeric_limits<double>::infinity(), largest = 0;
  for (const MeasuredPoint& p : points) {
    if (!(p.seconds > 0) || !(p.bytes >= 0))
      throw std::invalid_argument("a point with a time or size that is not positive");
    smallest = std::min(smallest, p.bytes);
    largest = std::max(largest, p.bytes);
  }
  if (!(smallest < largest)) throw std::invalid_argument("points of only one size");
  // The unknowns are alpha and (largest size) beta. Both are times, so the columns have similar magnitudes.
  const auto n = static_cast<Eigen::Index>(points.size());
  Eigen::MatrixX2d a(n, 2);
  for (Eigen::Index i = 0; i < n; ++i) a.row(i) << 1 / points[i].seconds, points[i].bytes / largest / points[i].seconds;
  const Eigen::Vector2d solution = a.colPivHouseholderQr().solve(Eigen::VectorXd::Ones(n));
  if (!(solution[1] > 0)) throw std::invalid_argument("times that do not grow with the size");
  return {.latency = Seconds(solution[0]),
          .bandwidth = BytesPerSecond(largest / solution[1]),
          .max_relative_residual = (Eigen::VectorXd::Ones(n) - a * solution).cwiseAbs().maxCoeff()};
}

std::vector<Binding> neighbours(const Topology& t, const std::string& level) {
  for (int v = 0; v < t.num_vertices(); ++v) {
    if (t.name(v) != level) continue;
    std::vector<Binding> pair;
    for (int c : t.children(v)) {
      if (t.num_cores(c) == 0 || pair.size() == 2) continue;
      const int core = t.cores()[t.first_core(c)];
      pair.push_back({t.node(core), t.object(core)->cpuset, core});
    }
    if (pair.size() == 2) return pair;
  }
  return {};
}

std::vector<LevelFit> fit_levels(const Results& results) {
  const std::string where = (results.folder / "records.jsonl").string();
  if (results.manifest.study.program != "pingpong") {
    throw InputError(results.folder.string(), "holds results of program '" + results.manifest.study.program + "'",
                     "give those of a scenario with program pingpong");
  }
  const Machine machine = load_machine(results.folder / "machine.yaml");
  struct LevelPoints {
    std::string level;
    std::map<double, std::vector<MeasuredPoint>> segments;  // by the smallest payload for which the segment holds
  };
  std::vector<LevelPoints> levels;
  for (const Record& r : results.records) {
    if (r.metric != "time") continue;
    const RecordParameters parameters(results.manifest, r, where);
    const std::string level = parameters.text("level");
    auto at = std::find_if(levels.begin(), levels.end(), [&](const LevelPoints& l) { return l.level == level; });
    if (at == levels.end()) at = levels.insert(levels.end(), {level, {}});
    const double bytes = parameters.number("bytes");
    double from_bytes = 0;
    for (const Segment& s : find_level(machine, level, where).segments) {
      if (s.from.si <= bytes) from_bytes = s.from.si;
    }
    at->segments[from_bytes].push_back({bytes + kEnvelopeBytes, parameters.seconds()});
  }
  if (levels.empty()) throw InputError(where, "has no times", "let the run finish: strata run --resume");
  std::vector<LevelFit> fits;
  const MessageCosts costs(machine);
  for (const LevelPoints& l : levels) {
    const std::vector<Binding> pair = neighbours(*machine.topology, find_level(machine, l.level, where).level);
    if (pair.empty()) throw InputError(where, "level '" + l.level + "' connects no two cores", "remove its points");
    std::vector<Fabric::Part> ways;
    costs.fabric_ways(pair[0].core, pair[1].core, ways);
    const double hops =
        std::accumulate(ways.begin(), ways.end(), 0.0, [](double sum, const Fabric::Part& p) { return sum + p.part; });
    for (const auto& [from_bytes, points] : l.segments) {
      const MessageCost described = costs.between(pair[0].core, pair[1].core, from_bytes);
      try {
        const HockneyFit fit = fit_hockney(points);
        fits.push_back(
            {.level = l.level,
             .from_bytes = from_bytes,
             .hops = hops,
             .fitted = fit,
             .latency = Seconds(described.latency_s),
             .bandwidth = BytesPerSecond(described.bandwidth_bytes_per_s),
             .latency_difference = relative_difference(fit.latency.value, described.latency_s),
             .bandwidth_difference = relative_difference(fit.bandwidth.value, described.bandwidth_bytes_per_s)});
      } catch (const std::invalid_argument& e) {
        const bool whole = l.segments.size() == 1 && from_bytes == 0;
        throw InputError(where,
                         "level '" + l.level + "' has " + e.what() +
                             (whole ? "" : fmt::format(", of messages from {} B on", from_bytes)),
                         whole ? "sweep `bytes` over at least two sizes, such as 0 and 1048576"
                               : "sweep `bytes` over at least two sizes of each of the level's segments");
      }
    }
  }
  return fits;
}

}  // namespace strata::models
