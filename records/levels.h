// SPDX-License-Identifier: LGPL-2.1-only
// levels.csv in a traffic folder: the messages that met at each level of the machine.
//
//   level,messages,bytes
//   Package,12,98304
//   System - Cluster,4,32768
//   loopback,0,0
//
// The level of a message is the level at which the paths of its two cores in the machine's tree meet. A message from a
// core to itself is in the row "loopback". The platform plugin writes the file at the end of a simulation.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace strata {

struct LevelMessages {
  std::string level;  // of machine.yaml's costs, or "loopback"
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;  // data only, without envelopes

  bool operator==(const LevelMessages&) const = default;
};

inline constexpr const char* kLevelsFile = "levels.csv";
inline constexpr const char* kLoopbackLevel = "loopback";

/// The whole table.
std::string format_levels(const std::vector<LevelMessages>& levels);

/// Throws InputError with file, line and remedy if the file is damaged.
std::vector<LevelMessages> read_levels(const std::filesystem::path& file);

}  // namespace strata
