// SPDX-License-Identifier: LGPL-2.1-only
// How the time of a computation goes with the number of cores that share it.
#pragma once

#include <functional>
#include <limits>
#include <string>

namespace strata::models {

struct Scalability {
  std::function<double(int cores)> time;  // in any unit: ratios are what counts; positive
  int least_cores = 1;                    // where `time` is known
  int most_cores = std::numeric_limits<int>::max();
};

/// `spec`: "linear" (1 / cores); "amdahl:F", a serial part F from 0 to 1 of the time on one core: F + (1 - F) / cores;
/// or a file with lines `cores time`, any order, `#` starting a comment, between which the speed, 1 / time, is
/// interpolated linearly (exact for a computation that scales linearly). Throws InputError with `option`, or file and
/// line.
Scalability read_scalability(const std::string& spec, const std::string& option = "--scalability");

}  // namespace strata::models
