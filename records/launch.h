// SPDX-License-Identifier: LGPL-2.1-only
// What a study says to the launcher and not to its program: parameters of these names, and what is kept of the traffic.
#pragma once

#include <optional>
#include <string>

#include "platforms/words.h"

namespace strata {

/// Parameters that are not the program's. Four place the ranks of a point (platforms/placement.h):
inline constexpr const char* kRanksAxis = "ranks";            // how many
inline constexpr const char* kProgressAxis = "progress";      // the policy of their progress threads
inline constexpr const char* kAllocationAxis = "allocation";  // the nodes that the job has (platforms/allocation.h)
inline constexpr const char* kMapByAxis = "map_by";           // over which objects they are dealt
inline constexpr const char* kShimAxis = "shim";  // whether the Cartesian shim stands before SMPI (mpi_ext/shim)
/// Whether a parameter is one of them.
bool is_for_launcher(const std::string& parameter);

/// Values of the last; a method of mpi_ext/cart/mapping.h is one too, and means on, with that method.
inline constexpr const char* kShimOff = "off";
inline constexpr const char* kShimOn = "on";

/// A metric that no program prints: when the last rank ended, in kSimulatedTimeUnit. The platform plugin says it.
inline constexpr const char* kSimulatedTime = "simulated_time";
inline constexpr const char* kSimulatedTimeUnit = "s";

/// How the points of a scenario come by their simulated time: the program runs at each; or it runs once for each of its
/// inputs, is recorded, and the others are replayed (replay/engine.h).
enum class Engine { kSimulation, kReplay };
inline constexpr Word<Engine> kEngineWords[] = {{Engine::kSimulation, "simulation"}, {Engine::kReplay, "replay"}};

/// What a scenario's `traffic` asks to be kept of who sent what to whom, and of what links carried (record.h).
struct Traffic {
  bool kept = false;
  double period_s = 0;    // of simulated time: links are also sampled; 0: they are not
  bool messages = false;  // each message too
};
enum class TrafficWord { kOff, kOn, kMessages };
inline constexpr Word<TrafficWord> kTrafficWords[] = {
    {TrafficWord::kOff, "off"}, {TrafficWord::kOn, "on"}, {TrafficWord::kMessages, "messages"}};
/// `off`, `on` (YAML's other words too), `messages`, or a time as `10 ms`. Nothing where the text says none of these.
std::optional<Traffic> traffic_of(const std::string& text);

}  // namespace strata
