// SPDX-License-Identifier: LGPL-2.1-only
// Runs something in a process of its own and tells what it took, descendants included.
//
// A process for each measurement: SimGrid has one engine a process, and the kernel's peak of memory is a process's.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace strata::benchmarks {

struct Usage {
  double wall_s = 0;
  double cpu_s = 0;       // user and system, all processes together
  double peak_bytes = 0;  // resident, of the largest process
  std::string said;       // what `body` returned
};

/// Forks, and runs `body` in the child; what it returns comes back in `said`. Throws std::runtime_error where the child
/// ends otherwise than by returning.
Usage run_in_child(const std::function<std::string()>& body);

/// Runs `command` (looked up in PATH); `said` is what it printed on stdout. Throws std::runtime_error where its exit
/// code is not 0.
Usage run_command(const std::vector<std::string>& command);

/// The lower median and the minimum of what repetitions gave.
double median(std::vector<double> values);
double minimum(const std::vector<double>& values);

}  // namespace strata::benchmarks
