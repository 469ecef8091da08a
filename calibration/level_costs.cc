// SPDX-License-Identifier: LGPL-2.1-only
#include "calibration/level_costs.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <stdexcept>

#include "platforms/payload.h"

namespace strata::calibration {
namespace {

// Programs with random sizes measure thousands of them; fitting 64 takes less than a second.
constexpr int kMostSizes = 64;
// s: fraction of a clock cycle. Shorter times are differences of equal numbers, as in a simulation where receiving is
// free.
constexpr double kNoTime = 1e-10;

// The number of cores of the second largest part below a vertex: the maximum number of pairs between two parts.
int cores_of_part(const Topology& t, int vertex) {
  std::vector<int> cores;
  for (const int c : t.children(vertex)) cores.push_back(t.num_cores(c));
  std::sort(cores.begin(), cores.end(), std::greater<>());
  return cores.size() < 2 ? 0 : cores[1];
}

Estimate estimate_median(const Evidence& evidence) {
  const std::vector<double> values = values_of(evidence);
  return {median(values), interval_of_median(values), evidence};
}

Evidence of_sizes(const Evidence& evidence, double from, double to) {
  return select(evidence, [&](const Measurement& m) { return m.bytes >= from && m.bytes < to; });
}

// The measurements with the fewest pairs at once; with more pairs, these share links.
Evidence of_fewest(const Evidence& evidence) {
  int fewest = std::numeric_limits<int>::max();
  for (const Measurement& m : evidence) fewest = std::min(fewest, m.at_once);
  return select(evidence, [&](const Measurement& m) { return m.at_once == fewest; });
}

// The latency of a machine whose ping-pongs lie on this line.
double without_envelope(const Piece& p, double least_latency_s) {
  return std::max(least_latency_s, p.latency_s - kEnvelopeBytes / p.bandwidth);
}

std::vector<double> figures_of(const std::vector<Piece>& pieces, double least_latency_s) {
  std::vector<double> figures;
  for (const Piece& p : pieces)
    figures.insert(figures.end(), {p.from_bytes, without_envelope(p, least_latency_s), p.bandwidth});
  return figures;
}

std::vector<PieceEstimate> fit_pieces(const Evidence& evidence, double least_latency_s) {
  const std::vector<Sample> samples = grouped(by_bytes(evidence), kMostSizes);
  SegmentedRules rules{.least_latency_s = least_latency_s};
  const std::vector<Piece> pieces = fit_segmented(samples, rules).pieces;
  const int count = static_cast<int>(pieces.size());
  rules.fewest_pieces = rules.most_pieces = count;
  const std::vector<Interval> intervals =
      bootstrap(samples, {.fitted = [&](double bytes) { return seconds_of(pieces, bytes); },
                          .parameters = 3 * count - 1,
                          .figures = [&](std::span<const Sample> again) -> std::optional<std::vector<double>> {
                            try {
                              return figures_of(fit_segmented(again, rules).pieces, least_latency_s);
                            } catch (const std::invalid_argument&) {
                              return std::nullopt;  // the drawn times do not grow with the size
                            }
                          }});
  const auto interval = [&](size_t figure) {
    return intervals.empty() ? std::nullopt : std::optional(intervals[figure]);
  };
  std::vector<PieceEstimate> estimates;
  for (size_t i = 0; i < pieces.size(); ++i) {
    const double to = i + 1 < pieces.size() ? pieces[i + 1].from_bytes : std::numeric_limits<double>::infinity();
    const Evidence of_piece = of_sizes(evidence, pieces[i].from_bytes, to);
    estimates.push_back({.from = {pieces[i].from_bytes, interval(3 * i), of_piece},
                         .latency = {without_envelope(pieces[i], least_latency_s), interval(3 * i + 1), of_piece},
                         .bandwidth = {pieces[i].bandwidth, interval(3 * i + 2), of_piece}});
  }
  return estimates;
}

void fit_ping_pongs(LevelEstimate& level, const Evidence& sent, const Evidence& all, std::vector<std::string>& notes) {
  const Evidence evidence = of_fewest(all);
  if (evidence.empty()) return;
  if (evidence.size() < all.size()) {
    notes.push_back(fmt::format("{}: latencies of more than {} at once are not used, for pairs share links",
                                level.level, evidence.front().at_once));
  }
  double least = 0;
  if (!sent.empty()) {
    const std::vector<Sample> overheads = medians(by_bytes(sent));
    least = std::min_element(overheads.begin(), overheads.end(), [](auto& a, auto& b) { return a.y < b.y; })->y;
  }
  if (medians(by_bytes(evidence)).size() == 1) {
    level.one_size = estimate_median(evidence);
    return;
  }
  try {
    level.pieces = fit_pieces(evidence, least);
    level.ping_pongs = evidence;
  } catch (const std::invalid_argument& e) {
    notes.push_back(
        fmt::format("{}: ping-pongs of {} are {}; they are not used", level.level, files_of(evidence), e.what()));
  }
}

double end_of(const std::vector<PieceEstimate>& pieces, size_t i) {
  return i + 1 < pieces.size() ? pieces[i + 1].from.si : std::numeric_limits<double>::infinity();
}

// Sets the level's overhead, or that of each piece, from times of calls.
void fit_overheads(LevelEstimate& level, const Evidence& times, std::optional<Estimate> LevelEstimate::*of_level,
                   std::optional<Estimate> PieceEstimate::*of_piece) {
  if (times.empty()) return;
  if (level.pieces.empty()) level.*of_level = estimate_median(times);
  for (size_t i = 0; i < level.pieces.size(); ++i) {
    const Evidence here = of_sizes(times, level.pieces[i].from.si, end_of(level.pieces, i));
    if (!here.empty()) {
      level.pieces[i].*of_piece = estimate_median(here);
    } else {
      level.pieces[i].*of_piece = i > 0 ? level.pieces[i - 1].*of_piece : estimate_median(times);
    }
  }
}

// The times of eager messages of one pair, from rates in messages/s (kRate) or B/s of all directions together.
Evidence seconds_of_messages(const Evidence& rates, double eager_bytes, int directions) {
  Evidence seconds;
  for (Measurement m : rates) {
    const bool in_messages = m.operation == Operation::kRate;
    if (m.at_once != 1 || m.bytes >= eager_bytes || (m.bytes <= 0 && !in_messages)) continue;
    m.value = in_messages ? 1 / m.value : directions * m.bytes / m.value;
    seconds.push_back(m);
  }
  return seconds;
}

// As MessageSeconds has it.
void fit_exchanges(LevelEstimate& level, const Evidence& exchanges) {
  for (size_t i = 0; i < level.pieces.size(); ++i) {
    PieceEstimate& piece = level.pieces[i];
    Evidence here = of_sizes(exchanges, piece.from.si, end_of(level.pieces, i));
    for (Measurement& m : here) m.value -= (m.bytes + kEnvelopeBytes) / piece.bandwidth.si;
    if (!here.empty()) piece.eager.exchange = estimate_median(here);
  }
}

void fit_message_seconds(LevelEstimate& level, const Evidence& one_way, const Evidence& both_ways) {
  const auto estimate = [&](const Evidence& seconds, size_t i, std::optional<Estimate>& start,
                            std::optional<Estimate>& copy) {
    const Evidence here = of_sizes(seconds, level.pieces[i].from.si, end_of(level.pieces, i));
    if (here.empty()) return;
    start = estimate_median(here);
    const std::vector<Sample> by_size = medians(by_bytes(here));
    if (level.is_network || by_size.size() < kFewestSizes) return;
    const Line line = fit_line(by_size, relative_noise(by_size), 0);
    if (line.seconds_per_byte <= 0) return;
    start = {line.latency_s, std::nullopt, here};
    copy = {1 / line.seconds_per_byte, std::nullopt, here};
  };
  for (size_t i = 0; i < level.pieces.size(); ++i) {
    MessageSeconds& eager = level.pieces[i].eager;
    estimate(one_way, i, eager.one_way, eager.one_way_copy);
    estimate(both_ways, i, eager.both_ways, eager.both_ways_copy);
  }
}

// Uses the rates of as many pairs as a part's link can serve. They only show the capacity of the link if there are
// rates of several pairs, or if one pair is the maximum.
std::optional<SaturationOf> saturation_of_link(const LevelEstimate& level, const Evidence& rates,
                                               std::vector<std::string>& notes) {
  const Evidence of_link = select(rates, [&](const Measurement& m) { return m.at_once <= level.cores_of_part; });
  if (of_link.size() < rates.size()) {
    notes.push_back(fmt::format(
        "{}: rates ({}) of more than {} pair{} at once are not used, for a part has only as many cores", level.level,
        name_of(rates.front().operation), level.cores_of_part, level.cores_of_part == 1 ? "" : "s"));
  }
  const bool several = std::any_of(of_link.begin(), of_link.end(), [](const auto& m) { return m.at_once > 1; });
  if (of_link.empty() || (!several && level.cores_of_part > 1)) return std::nullopt;
  return saturation_of(of_best_size(of_link));
}

}  // namespace

LevelEstimate estimate_level(const Topology& t, const std::string& name, const Evidence& measurements,
                             double eager_bytes, std::vector<std::string>& notes) {
  LevelEstimate level{.level = name, .cores_of_part = 0};
  for (int v = 0; v < t.num_vertices(); ++v) {
    if (t.name(v) != name) continue;
    level.is_network = t.type(v) == ObjectType::kNetwork;
    level.cores_of_part = std::max(level.cores_of_part, cores_of_part(t, v));
  }
  const auto of = [&](Operation operation) { return select(measurements, operation, name); };
  const Evidence sent = of(Operation::kSendOverhead);
  fit_ping_pongs(level, sent, of(Operation::kPingPong), notes);
  fit_overheads(level, sent, &LevelEstimate::overhead, &PieceEstimate::overhead);
  fit_overheads(level, select(of(Operation::kReceiveOverhead), [](const Measurement& m) { return m.value > kNoTime; }),
                &LevelEstimate::receive_overhead, &PieceEstimate::receive_overhead);

  const auto is_of_one = [](const Measurement& m) { return m.at_once == 1; };
  const Evidence one_way = of(Operation::kOneWay), rates = of(Operation::kRate);
  const Evidence of_pair = select(one_way, is_of_one), rates_of_pair = select(rates, is_of_one);
  if (!of_pair.empty()) {
    const SaturationOf best = saturation_of(of_best_size(of_pair));
    level.pair_bandwidth = {best.fit.one, best.one, best.evidence};
  }
  if (!rates_of_pair.empty()) {
    const SaturationOf best = saturation_of(of_best_size(rates_of_pair));
    level.seconds_per_message = {1 / best.fit.one, std::nullopt, best.evidence};
  }
  level.one_way = saturation_of_link(level, one_way, notes);
  const Evidence both_ways = of(Operation::kBothWays);
  // A rate in messages/s comes with the one in B/s, except from the probe.
  fit_message_seconds(level, seconds_of_messages(rates_of_pair.empty() ? one_way : rates, eager_bytes, 1),
                      seconds_of_messages(both_ways, eager_bytes, 2));
  fit_exchanges(level, select(of(Operation::kExchange),
                              [&](const Measurement& m) { return shows_overheads(m) && m.bytes < eager_bytes; }));
  level.both_ways = saturation_of_link(level, both_ways, notes);
  if (!both_ways.empty() && !level.both_ways && std::all_of(both_ways.begin(), both_ways.end(), is_of_one)) {
    notes.push_back(
        fmt::format("{}: rates both ways ({}) of one pair alone do not show what the link of {} cores carries", name,
                    files_of(both_ways), level.cores_of_part));
  }
  if (level.is_network) level.rate = saturation_of_link(level, rates, notes);
  return level;
}

}  // namespace strata::calibration
