// SPDX-License-Identifier: LGPL-2.1-only
// Runs something in a separate process and reports its resources, including its descendants'.
//
// Every measurement needs a process: SimGrid has one engine per process, and the kernel counts peak memory per process.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace strata::benchmarks {

struct Usage {
  double wall_s = 0;
  double cpu_s = 0;       // user and system time, all processes together
  double peak_bytes = 0;  // peak resident memory of the largest process
  std::string said;       // what `body` returned, or `command` printed
};

/// Forks and runs `body` in the child; its result is returned in `said`. Throws std::runtime_error if the child ends in
/// any other way than by returning.
Usage run_in_child(const std::function<std::string()>& body);

/// Runs `command` (looked up in PATH); `said` is its stdout. Throws std::runtime_error if its exit code is not 0.
Usage run_command(const std::vector<std::string>& command);

/// The lower median and the minimum of the values.
double median(std::vector<double> values);
double minimum(const std::vector<double>& values);

}  // namespace strata::benchmarks
