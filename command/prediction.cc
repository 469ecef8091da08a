// SPDX-License-Identifier: LGPL-2.1-only
#include "command/prediction.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "command/command.h"
#include "platforms/error.h"
#include "sim/launcher/progress.h"
#include "sim/launcher/scratch.h"
#include "sim/launcher/simulation.h"

namespace strata::command {
namespace {

using calibration::HeldOut;
using calibration::Manner;
using calibration::Operation;
using calibration::Predicted;
using calibration::Prediction;

constexpr double kLimit = 300;         // s of wall time of a simulation
constexpr double kMostMessages = 2e6;  // of a simulation: about 20 s
// The probe's repetitions (collective() of calibration/probe/probe.c).
constexpr double kProbeShort = 4096;  // B
constexpr int kProbeShortRepetitions = 10, kProbeLongRepetitions = 2;
// A repetition of a ring begins where the one before has left the ranks; those of collectives are alike.
constexpr int kRingRepetitions = 4;

bool is_ring(Operation o) { return o == Operation::kRing || o == Operation::kExchange; }

int repetitions_of(const HeldOut& h, double bytes) {
  if (h.manner == Manner::kProbe) return bytes <= kProbeShort ? kProbeShortRepetitions : kProbeLongRepetitions;
  return is_ring(h.operation) ? kRingRepetitions : 1;
}

// An upper bound, with one repetition to warm up; a broadcast in segments sends more, but to few.
double messages_of(const HeldOut& h, double bytes) {
  const double ranks = h.ranks;
  const bool is_of_pairs = h.operation == Operation::kAllgather || h.operation == Operation::kAlltoall;
  return ranks * (is_of_pairs ? ranks : 16) * (repetitions_of(h, bytes) + 1);
}

// One simulation: sizes of one operation.
struct Part {
  size_t of = 0;  // which operation
  std::vector<size_t> sizes;
};

// Sizes with the same number of repetitions, together few enough messages.
std::vector<Part> parts_of(const std::vector<HeldOut>& all, std::vector<std::string>& notes) {
  std::vector<Part> parts;
  for (size_t i = 0; i < all.size(); ++i) {
    double messages = std::numeric_limits<double>::infinity();
    int repetitions = 0;
    std::vector<double> left_out;
    for (size_t k = 0; k < all[i].bytes.size(); ++k) {
      const double bytes = all[i].bytes[k], more = messages_of(all[i], bytes);
      if (more > kMostMessages || bytes > std::numeric_limits<int>::max()) {
        left_out.push_back(bytes);
        continue;
      }
      if (messages + more > kMostMessages || repetitions != repetitions_of(all[i], bytes)) {
        parts.push_back({i, {}});
        messages = 0;
        repetitions = repetitions_of(all[i], bytes);
      }
      messages += more;
      parts.back().sizes.push_back(k);
    }
    if (!left_out.empty()) {
      notes.push_back(fmt::format("{}: {} on {} ranks of {} B is not predicted: too many messages to simulate",
                                  all[i].source, word_of(all[i].operation), all[i].ranks, fmt::join(left_out, ", ")));
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

// The times that the program printed, in the order of the sizes; after a failure fewer.
void take(const sim::Outcome& outcome, const HeldOut& h, const Part& part, Predicted& into) {
  size_t next = 0;
  for (const Json& line : outcome.lines) {
    if (next == part.sizes.size() || line.value("metric", "") != "time") continue;
    const size_t k = part.sizes[next++];
    into.sizes.push_back({h.bytes[k], h.measured_s[k], line.at("value").get<double>()});
  }
}

}  // namespace

std::vector<Predicted> predict(const Machine& machine, const std::vector<HeldOut>& held_out,
                               const sim::Installation& installation, int ranks_per_node,
                               std::vector<std::string>& notes) {
  std::vector<HeldOut> possible;
  std::vector<std::unique_ptr<sim::ScratchFolder>> folders;
  std::vector<sim::Stage> stages;
  for (const HeldOut& h : held_out) {
    try {
      const std::vector<Binding> ranks = bindings_of(h, machine, ranks_per_node);
      folders.push_back(std::make_unique<sim::ScratchFolder>());
      stages.push_back(sim::prepare_stage(machine, {ranks}, folders.back()->path(), installation, "repeated", kLimit));
      possible.push_back(h);
    } catch (const InputError& e) {
      const std::string note = std::string(e.what()) + "; not predicted";
      if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
    }
  }
  const std::vector<Part> parts = parts_of(possible, notes);
  std::vector<Predicted> all;
  for (const HeldOut& h : possible) all.push_back({h, {}});
  const sim::ScratchFolder outputs;
  std::vector<sim::Simulation> simulations;
  for (const Part& part : parts) {
    simulations.push_back({.stage = part.of,
                           .arguments = arguments_of(possible[part.of], part),
                           .output = outputs.path() / std::to_string(simulations.size())});
  }
  std::vector<std::string> failures(simulations.size());  // by simulation: notes do not depend on which ends first
  sim::Progress progress("predictions", simulations.size(), 0, false);
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
