// SPDX-License-Identifier: LGPL-2.1-only
#include "calibration/loop.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "calibration/evidence.h"
#include "calibration/fit/sample.h"
#include "calibration/fit/saturation.h"
#include "calibration/fit/segmented.h"
#include "calibration/queue_search.h"
#include "platforms/memory.h"
#include "platforms/segments.h"

namespace strata::calibration {
namespace {

// The sizes to which a figure applies: those of its segment, or those below all segments.
struct Sizes {
  double from = 0, to = std::numeric_limits<double>::infinity();
  bool holds(double bytes) const { return bytes >= from && bytes < to; }
};

class Simulated {
 public:
  Simulated(const Calibration& calibration, const Evidence& samples) : calibration_(calibration), samples_(samples) {}

  std::optional<double> figure(const CalibratedFigure& f) const {
    if (f.key == "eager_limit") return eager_limit();
    if (f.key == "queue_search") return queue_search();
    if (f.level == "core" || f.level == "memory") return of_memory(f.level, f.key);
    const LevelCosts* level = nullptr;
    for (const LevelCosts& c : calibration_.machine.levels) {
      if (c.level == f.level) level = &c;
    }
    if (level == nullptr) return std::nullopt;
    const Sizes sizes = sizes_of(*level, f.from_bytes);
    if (f.key == "latency" || f.key == "bandwidth") return of_line(f.level, sizes, f.key);
    if (f.key == "overhead") return overhead(Operation::kSendOverhead, f.level, sizes, level->segments.empty());
    if (f.key == "receive_overhead")
      return overhead(Operation::kReceiveOverhead, f.level, sizes, level->segments.empty());
    if (f.key == "link_bandwidth") return saturated(f.level, Operation::kOneWay);
    if (f.key == "duplex_bandwidth") return saturated(f.level, Operation::kBothWays);
    if (f.key == "gap") {
      const std::optional<double> rate = saturated(f.level, Operation::kRate);
      return rate ? std::optional(1 / *rate) : std::nullopt;
    }
    return std::nullopt;  // a simulation cannot change where a segment begins
  }

 private:
  static Sizes sizes_of(const LevelCosts& level, double from) {
    Sizes sizes{from};
    for (const Segment& s : level.segments) {
      if (s.from.si > from) sizes.to = std::min(sizes.to, s.from.si);
    }
    return sizes;
  }

  std::optional<double> of_line(const std::string& level, const Sizes& sizes, const std::string& name) const {
    const Evidence times = select(select(samples_, Operation::kPingPong, level),
                                  [&](const Measurement& m) { return sizes.holds(m.bytes); });
    const std::vector<Sample> points = medians(by_bytes(times));
    if (points.size() < 2) return std::nullopt;
    const Line line = fit_line(points, relative_noise(points), 0);
    if (name == "bandwidth") return 1 / line.seconds_per_byte;
    return line.latency_s - kEnvelopeBytes * line.seconds_per_byte;
  }

  std::optional<double> overhead(Operation call, const std::string& level, const Sizes& sizes, bool of_any_size) const {
    const Evidence times = select(select(samples_, call, level),
                                  [&](const Measurement& m) { return of_any_size || sizes.holds(m.bytes); });
    if (times.empty()) return std::nullopt;
    return median(values_of(times));
  }

  // A simulated machine has the same limit at all levels.
  std::optional<double> eager_limit() const {
    const Evidence limits =
        select(samples_, [](const Measurement& m) { return m.operation == Operation::kEagerLimit; });
    return limits.empty() ? std::nullopt : std::optional(median(values_of(limits)));
  }

  // Nor does it have lists of its own at each level.
  std::optional<double> queue_search() const {
    const std::optional<Estimate> entry =
        estimate_queue_search(select(samples_, [](const Measurement& m) { return m.operation == Operation::kQueue; }));
    return entry ? std::optional(entry->si) : std::nullopt;
  }

  std::optional<double> saturated(const std::string& level, Operation operation) const {
    const Evidence rates = select(samples_, operation, level);
    if (rates.empty()) return std::nullopt;
    return fit_saturation(by_number(of_best_size(rates))).all;
  }

  // The rate of one core, or of the largest simulated number of cores.
  std::optional<double> of_memory(const std::string& level, const std::string& name) const {
    const bool combines = name == "combine_bandwidth";
    if (!combines && name != "copy_bandwidth" && name != "bandwidth") return std::nullopt;
    const Evidence rates = select(samples_, [&](const Measurement& m) {
      return m.operation == (combines ? Operation::kDaxpy : Operation::kCopy);
    });
    if (rates.empty()) return std::nullopt;
    const auto by_cores = [](const Measurement& a, const Measurement& b) { return a.at_once < b.at_once; };
    const auto [one, all] = std::minmax_element(rates.begin(), rates.end(), by_cores);
    if (level == "memory") return all->value;
    return one->value / (combines ? kMovedByCombine : kMovedByCopy);
  }

  const Calibration& calibration_;
  const Evidence& samples_;
};

}  // namespace

std::vector<LoopFigure> close_loop(const Calibration& c, const std::vector<Measurement>& simulated) {
  const Simulated of(c, simulated);
  std::vector<LoopFigure> figures;
  for (const CalibratedFigure& f : c.figures) {
    if (!f.is_measured()) continue;
    const std::optional<double> back = of.figure(f);
    if (!back) continue;
    LoopFigure figure{.measured = f, .simulated = *back, .within = std::nullopt};
    if (f.interval) {
      const bool is_of_links = f.key == "link_bandwidth" || f.key == "duplex_bandwidth" || f.key == "gap";
      const double room = (is_of_links ? kLinkTolerance : kLoopTolerance) * f.figure.si;
      figure.within = *back >= f.interval->low - room && *back <= f.interval->high + room;
    }
    figures.push_back(std::move(figure));
  }
  return figures;
}

}  // namespace strata::calibration
