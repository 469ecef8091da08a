// SPDX-License-Identifier: LGPL-2.1-only
#include "calibration/prediction_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace strata::calibration {
namespace {

using std::size_t;

// The probe's repetitions (collective() of calibration/probe/probe.c).
constexpr double kProbeShort = 4096;  // B
constexpr int kProbeShortRepetitions = 10, kProbeLongRepetitions = 2;
// The repetitions of a ring differ, because each begins when the previous one has released the ranks. Those of
// collectives are alike.
constexpr int kRingRepetitions = 4;

bool is_ring(Operation o) { return o == Operation::kRing || o == Operation::kExchange; }

int repetitions_of(const HeldOut& h, double bytes) {
  if (h.manner == Manner::kProbe) return bytes <= kProbeShort ? kProbeShortRepetitions : kProbeLongRepetitions;
  return is_ring(h.operation) ? kRingRepetitions : 1;
}

// An upper bound, including a warm-up repetition. A segmented broadcast sends more messages, but to few ranks.
double messages_of(const HeldOut& h, double bytes) {
  const double ranks = h.ranks;
  const bool is_of_pairs = h.operation == Operation::kAllgather || h.operation == Operation::kAlltoall;
  return ranks * (is_of_pairs ? ranks : 16) * (repetitions_of(h, bytes) + 1);
}

double messages_of(const HeldOut& h) {
  double all = 0;
  for (const double bytes : h.bytes) all += messages_of(h, bytes);
  return all;
}

// `count` evenly spread indexes out of n, including the first and the last.
std::vector<size_t> spread(size_t count, size_t n) {
  std::vector<size_t> indexes;
  for (size_t i = 0; i < count; ++i) indexes.push_back(count == 1 ? n / 2 : i * (n - 1) / (count - 1));
  return indexes;
}

// The sizes to simulate for each operation. Operations with few messages leave the rest of their share to the others.
std::vector<std::vector<size_t>> sizes_of(const std::vector<HeldOut>& all, double most_messages,
                                          std::vector<std::string>& notes) {
  std::vector<size_t> order(all.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return messages_of(all[a]) < messages_of(all[b]); });
  std::vector<std::vector<size_t>> sizes(all.size());
  std::vector<std::string> left_out(all.size());
  double left = most_messages;
  for (size_t done = 0; done < order.size(); ++done) {
    const HeldOut& h = all[order[done]];
    const double share = left / static_cast<double>(order.size() - done);
    const double each = messages_of(h) / static_cast<double>(h.bytes.size());
    const size_t count = std::min(h.bytes.size(), static_cast<size_t>(share / each));
    sizes[order[done]] = spread(count, h.bytes.size());
    left -= static_cast<double>(count) * each;
    if (count < h.bytes.size()) {
      left_out[order[done]] = fmt::format("{}: {} on {} ranks: {} of {} sizes are simulated; more with --most-messages",
                                          h.source, word_of(h.operation), h.ranks, count, h.bytes.size());
    }
  }
  for (const std::string& note : left_out) {
    if (!note.empty()) notes.push_back(note);
  }
  return sizes;
}

// Makes a simulation for each number of repetitions.
std::vector<SimulationPart> parts_of(const std::vector<HeldOut>& all, const std::vector<std::vector<size_t>>& sizes) {
  std::vector<SimulationPart> parts;
  for (size_t i = 0; i < all.size(); ++i) {
    int repetitions = 0;
    for (const size_t k : sizes[i]) {
      const double bytes = all[i].bytes[k];
      if (bytes > std::numeric_limits<int>::max()) continue;  // MPI counts bytes with an int
      if (repetitions != repetitions_of(all[i], bytes)) parts.push_back({.of = i, .sizes = {}, .arguments = {}});
      repetitions = repetitions_of(all[i], bytes);
      parts.back().sizes.push_back(k);
    }
  }
  return parts;
}

std::vector<std::string> arguments_of(const HeldOut& h, const SimulationPart& part) {
  std::vector<std::string> sizes;
  for (const size_t k : part.sizes) sizes.push_back(fmt::format("{:.0f}", h.bytes[k]));
  const int repetitions = repetitions_of(h, h.bytes[part.sizes.front()]);
  std::vector<std::string> arguments = {"--operation",   word_of(h.operation),
                                        "--bytes",       fmt::format("{}", fmt::join(sizes, ",")),
                                        "--repetitions", std::to_string(repetitions)};
  if (h.manner == Manner::kProbe) {
    arguments.emplace_back("--as-probe");
  } else {
    arguments.insert(arguments.end(), {"--warm-up", "1"});
  }
  return arguments;
}

}  // namespace

std::vector<SimulationPart> plan_of(const std::vector<HeldOut>& all, double most_messages,
                                    std::vector<std::string>& notes) {
  std::vector<SimulationPart> parts = parts_of(all, sizes_of(all, most_messages, notes));
  for (SimulationPart& part : parts) part.arguments = arguments_of(all[part.of], part);
  return parts;
}

void add_times(const std::vector<double>& times, const SimulationPart& part, Predicted& into) {
  for (size_t i = 0; i < std::min(times.size(), part.sizes.size()); ++i) {
    const size_t k = part.sizes[i];
    into.sizes.push_back({into.of.bytes[k], into.of.measured_s[k], times[i]});
  }
}

}  // namespace strata::calibration
