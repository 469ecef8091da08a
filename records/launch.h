// SPDX-License-Identifier: LGPL-2.1-only
// What a study tells the launcher, not its program: parameters with these names, and the traffic to record.
#pragma once

#include <optional>
#include <string>

#include "base/words.h"

namespace strata {

/// Parameters for the launcher, not for the program. Four of them place the ranks of a point (platforms/placement.h):
inline constexpr const char* kRanksAxis = "ranks";            // the number of ranks
inline constexpr const char* kProgressAxis = "progress";      // the policy of their progress threads
inline constexpr const char* kAllocationAxis = "allocation";  // the nodes that the job has (platforms/allocation.h)
inline constexpr const char* kMapByAxis = "map_by";           // the objects over which ranks are dealt
inline constexpr const char* kShimAxis =
    "shim";                                     // whether the Cartesian shim is in front of SMPI (mpi_ext/preload/shim)
inline constexpr const char* kMpiAxis = "mpi";  // whose collectives SMPI has (mpi_ext/preload/algorithms)
inline constexpr const char* kMpiRulesAxis = "mpi_rules";  // the file of rules by which it chooses algorithms
/// Whether a parameter is one of them.
bool is_for_launcher(const std::string& parameter);

/// Values of kShimAxis. The name of a method of mpi_ext/cart/cart_mapping.h also means on, with that method.
inline constexpr const char* kShimOff = "off";
inline constexpr const char* kShimOn = "on";

/// The value of kMpiAxis with which SMPI's collectives are its own. Other values: collectives/rules/library.h.
inline constexpr const char* kSmpi = "smpi";
/// Whether SMPI gets another library's collectives. Empty: not said, so it keeps its own.
inline bool has_other_collectives(const std::string& mpi) { return !mpi.empty() && mpi != kSmpi; }

/// The value of kMpiRulesAxis without a file.
inline constexpr const char* kNoRules = "none";
/// A file of rules, read before the first run, so that all runs have the same.
struct GivenRules {
  std::string file;  // as the user has named it; empty: no rules
  std::string text;
};

/// A metric that the platform plugin reports, not the program: when the last rank ended, in kSimulatedTimeUnit.
inline constexpr const char* kSimulatedTime = "simulated_time";
inline constexpr const char* kSimulatedTimeUnit = "s";

/// How a scenario gets the simulated time of its points: the program runs at each point; or it runs once for each of
/// its inputs, is recorded, and the other points replay the recording (replay/engine.h).
enum class Engine { kSimulation, kReplay };
inline constexpr Word<Engine> kEngineWords[] = {{Engine::kSimulation, "simulation"}, {Engine::kReplay, "replay"}};

/// The traffic that a scenario's `traffic` asks to record: messages between ranks, and bytes on links (record.h).
struct Traffic {
  bool kept = false;
  double period_s = 0;    // simulated time between samples of the links; 0: links are not sampled
  bool messages = false;  // also each single message
};
enum class TrafficWord { kOff, kOn, kMessages };
inline constexpr Word<TrafficWord> kTrafficWords[] = {
    {TrafficWord::kOff, "off"}, {TrafficWord::kOn, "on"}, {TrafficWord::kMessages, "messages"}};
/// Parses `off`, `on` (and YAML's other words for them), `messages`, or a time such as `10 ms`. No value for other
/// texts.
std::optional<Traffic> traffic_of(const std::string& text);

}  // namespace strata
