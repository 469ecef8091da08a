// SPDX-License-Identifier: LGPL-2.1-only
#include "base/units.h"

#include <array>

namespace strata {
namespace {

struct Unit {
  std::string_view dimension;
  std::string_view name;
  double factor;  // to s, B/s, flop/s, B or copies
};

constexpr std::array kUnits = {
    Unit{"time", "ns", 1e-9},
    Unit{"time", "us", 1e-6},
    Unit{"time", "ms", 1e-3},
    Unit{"time", "s", 1},
    Unit{"bandwidth", "B/s", 1},
    Unit{"bandwidth", "kB/s", 1e3},
    Unit{"bandwidth", "MB/s", 1e6},
    Unit{"bandwidth", "GB/s", 1e9},
    Unit{"bandwidth", "MiB/s", 1048576.0},
    Unit{"bandwidth", "GiB/s", 1073741824.0},
    Unit{"bandwidth", "Gb/s", 1e9 / 8},
    Unit{"speed", "flop/s", 1},
    Unit{"speed", "Mflop/s", 1e6},
    Unit{"speed", "Gflop/s", 1e9},
    Unit{"size", "B", 1},
    Unit{"size", "kB", 1e3},
    Unit{"size", "KiB", 1024},
    Unit{"size", "MiB", 1048576.0},
    Unit{"copies", "copies", 1},
};

}  // namespace

double unit_factor(std::string_view dimension, std::string_view unit) {
  for (const Unit& u : kUnits) {
    if (u.dimension == dimension && u.name == unit) return u.factor;
  }
  return 0;
}

std::vector<std::string> unit_names(std::string_view dimension) {
  std::vector<std::string> names;
  for (const Unit& u : kUnits) {
    if (u.dimension == dimension) names.emplace_back(u.name);
  }
  return names;
}

}  // namespace strata
