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

// The points of a level by the smallest payload for which their segment of the level holds. Sizes are payloads.
struct LevelPoints {
  std::string level;
  std::map<double, std::vector<MeasuredPoint>> segments;
};

// The records of one of the programs that measure between two neighbours of each level, and their machine.
struct Measured {
  Measured(const Results& all, const std::string& program)
      : results(all),
        where((all.folder / "records.jsonl").string()),
        machine((check(all, program), load_machine(all.folder / "machine.yaml"))) {}

  static void check(const Results& results, const std::string& program) {
    if (results.manifest.study.program == program) return;
    throw InputError(results.folder.string(), "holds results of program '" + results.manifest.study.program + "'",
                     "give those of a scenario with program " + program);
  }

  // In the order of the records.
  std::vector<LevelPoints> points(const std::string& metric) const {
    std::vector<LevelPoints> levels;
    for (const Record& r : results.records) {
      if (r.metric != metric) continue;
      const RecordParameters parameters(results.manifest, r, where);
      const std::string level = parameters.text("level");
      auto at = std::find_if(levels.begin(), levels.end(), [&](const LevelPoints& l) { return l.level == level; });
      if (at == levels.end()) at = levels.insert(levels.end(), {level, {}});
      const double bytes = parameters.number("bytes");
      double from_bytes = 0;
      for (const Segment& s : find_level(machine, level, where).segments) {
        if (s.from.si <= bytes) from_bytes = s.from.si;
      }
      at->segments[from_bytes].push_back({bytes, parameters.seconds()});
    }
    return levels;
  }

  // The two cores between which a level was measured.
  std::vector<Binding> pair(const std::string& level) const {
    std::vector<Binding> pair = neighbours(*machine.topology, find_level(machine, level, where).level);
    if (pair.empty()) throw InputError(where, "level '" + level + "' connects no two cores", "remove its points");
    return pair;
  }

  const Results& results;
  const std::string where;
  const Machine machine;
};

Seconds mean(const std::vector<MeasuredPoint>& points) {
  constexpr double kClock = 1e-12;  // s: what a simulated clock shows
  const double sum = std::accumulate(points.begin(), points.end(), 0.0,
                                     [](double s, const MeasuredPoint& p) { return s + p.seconds; });
  const double mean = sum / static_cast<double>(points.size());
  return Seconds(mean < kClock ? 0 : mean);
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
  const Measured measured(results, "pingpong");
  const std::string& where = measured.where;
  const Machine& machine = measured.machine;
  const std::vector<LevelPoints> levels = measured.points("time");
  if (levels.empty()) throw InputError(where, "has no times", "let the run finish: strata run --resume");
  std::vector<LevelFit> fits;
  const MessageCosts costs(machine);
  for (const LevelPoints& l : levels) {
    const std::vector<Binding> pair = measured.pair(l.level);
    std::vector<Fabric::Part> ways;
    costs.fabric_ways(pair[0].core, pair[1].core, ways);
    const double hops =
        std::accumulate(ways.begin(), ways.end(), 0.0, [](double sum, const Fabric::Part& p) { return sum + p.part; });
    for (const auto& [from_bytes, payloads] : l.segments) {
      std::vector<MeasuredPoint> points = payloads;  // on the wire
      for (MeasuredPoint& p : points) p.bytes += kEnvelopeBytes;
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

std::vector<OverheadFit> fit_overheads(const Results& results) {
  const Measured measured(results, "busy");
  const std::vector<LevelPoints> sends = measured.points("send_overhead"),
                                 receives = measured.points("receive_overhead");
  if (sends.empty()) throw InputError(measured.where, "has no times", "let the run finish: strata run --resume");
  std::vector<OverheadFit> fits;
  const MessageCosts costs(measured.machine);
  for (const LevelPoints& l : sends) {
    const std::vector<Binding> pair = measured.pair(l.level);
    const auto at =
        std::find_if(receives.begin(), receives.end(), [&](const LevelPoints& r) { return r.level == l.level; });
    for (const auto& [from_bytes, points] : l.segments) {
      if (at == receives.end() || !at->segments.contains(from_bytes)) {
        throw InputError(measured.where,
                         fmt::format("level '{}' has no receive_overhead from {} B on", l.level, from_bytes),
                         "give both metrics of program busy for each size");
      }
      const MessageCost described = costs.between(pair[0].core, pair[1].core, from_bytes);
      const Seconds send = mean(points), receive = mean(at->segments.at(from_bytes));
      fits.push_back({.level = l.level,
                      .from_bytes = from_bytes,
                      .send = send,
                      .receive = receive,
                      .machine_send = Seconds(described.overhead_s),
                      .machine_receive = Seconds(described.receive_overhead_s),
                      .send_difference = relative_difference(send.value, described.overhead_s),
                      .receive_difference = relative_difference(receive.value, described.receive_overhead_s)});
    }
  }
  return fits;
}

}  // namespace strata::models
