// SPDX-License-Identifier: LGPL-2.1-only
#include "command/simulated_prediction.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "command/command.h"
#include "console/progress.h"
#include "records/exchange/exchanged_words.h"
#include "sim/launcher/scratch.h"
#include "sim/launcher/simulation.h"

namespace strata::command {
namespace {

using calibration::HeldOut;
using calibration::Manner;
using calibration::Operation;
using calibration::Predicted;

constexpr double kLimit = 120;  // s of wall time per simulation
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

// One simulation, for some sizes of one operation.
struct Part {
  size_t of = 0;  // index of the operation
  std::vector<size_t> sizes;
};

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
std::vector<Part> parts_of(const std::vector<HeldOut>& all, const std::vector<std::vector<size_t>>& sizes) {
  std::vector<Part> parts;
  for (size_t i = 0; i < all.size(); ++i) {
    int repetitions = 0;
    for (const size_t k : sizes[i]) {
      const double bytes = all[i].bytes[k];
      if (bytes > std::numeric_limits<int>::max()) continue;  // MPI counts bytes with an int
      if (repetitions != repetitions_of(all[i], bytes)) parts.push_back({i, {}});
      repetitions = repetitions_of(all[i], bytes);
      parts.back().sizes.push_back(k);
    }
  }
  return parts;
}

std::vector<std::string> arguments_of(const HeldOut& h, const Part& part) {
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

// Reads the times that the program printed, in the order of the sizes; after a failure, there are fewer.
void take(const sim::Outcome& outcome, const HeldOut& h, const Part& part, Predicted& into) {
  std::istringstream printed(outcome.printed);
  size_t next = 0;
  for (std::string line; next < part.sizes.size() && std::getline(printed, line);) {
    if (!line.starts_with(words::kMark)) continue;
    const Json json = Json::parse(line.substr(std::string_view(words::kMark).size()), nullptr, false);
    if (json.is_discarded() || json.value("metric", "") != "time") continue;
    const size_t k = part.sizes[next++];
    into.sizes.push_back({h.bytes[k], h.measured_s[k], json.at("value").get<double>()});
  }
}

}  // namespace

std::vector<Predicted> predict(const Machine& machine, const std::vector<HeldOut>& held_out,
                               const sim::Installation& installation, const PredictionOptions& options,
                               std::vector<std::string>& notes) {
  std::vector<HeldOut> possible;
  std::vector<std::unique_ptr<sim::ScratchFolder>> folders;
  std::vector<sim::Stage> stages;
  for (const HeldOut& h : held_out) {
    try {
      const std::vector<Binding> ranks = bindings_of(h, machine, options.ranks_per_node);
      folders.push_back(std::make_unique<sim::ScratchFolder>());
      stages.push_back(sim::prepare_stage(machine, {ranks}, folders.back()->path(), installation, "repeated", kLimit));
      possible.push_back(h);
    } catch (const InputError& e) {
      const std::string note = std::string(e.what()) + "; not predicted";
      if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
    }
  }
  const std::vector<Part> parts = parts_of(possible, sizes_of(possible, options.most_messages, notes));
  std::vector<Predicted> all;
  for (const HeldOut& h : possible) all.push_back({h, {}});
  const sim::ScratchFolder outputs;
  std::vector<sim::Simulation> simulations;
  for (const Part& part : parts) {
    simulations.push_back({.stage = part.of,
                           .arguments = arguments_of(possible[part.of], part),
                           .output = outputs.path() / std::to_string(simulations.size())});
  }
  std::vector<std::string> failures(simulations.size());  // by simulation, so that notes do not depend on which ends
                                                          // first
  console::Progress progress({.what = "predictions", .total = simulations.size()});
  sim::run_simulations(stages, simulations, default_jobs(), [&](size_t i, const sim::Outcome& outcome) {
    const HeldOut& h = possible[parts[i].of];
    const std::string name = fmt::format("{} on {} ranks", word_of(h.operation), h.ranks);
    failures[i] = outcome.failure;
    take(outcome, h, parts[i], all[parts[i].of]);
    progress.point_done(name);
    return true;
  });
  for (size_t i = 0; i < failures.size(); ++i) {
    const HeldOut& h = possible[parts[i].of];
    if (failures[i].empty()) continue;
    notes.push_back(
        fmt::format("{}: {} on {} ranks is not predicted: {}", h.source, word_of(h.operation), h.ranks, failures[i]));
  }
  for (Predicted& p : all) {
    std::sort(p.sizes.begin(), p.sizes.end(), [](const auto& a, const auto& b) { return a.bytes < b.bytes; });
  }
  std::erase_if(all, [](const Predicted& p) { return p.sizes.empty(); });
  return all;
}

}  // namespace strata::command
