// SPDX-License-Identifier: LGPL-2.1-only
// Runs many small calculations on several processors, each in a process that can be stopped by a time limit or by
// Ctrl-C.
//
//   run_in_workers(1000, 2, 600,
//                  [&](std::size_t i) { return fmt::format("{}", slow_function(i)); },           in a worker
//                  [&](std::size_t i, const Answer& a) { std::puts(a.text.c_str()); return true; });  here
//
// Workers are forked: they have a copy of all memory, and only their result texts come back.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace strata::sim {

struct Answer {
  std::string text;        // what the calculation returned
  std::string failure;     // empty on success; otherwise one line
  bool bad_usage = false;  // it threw InputError
  double wall_s = 0;       // from its start to its end
};

/// Calls calculate(i) in one of `workers` processes for each i below `count`, and done(i, answer) in this process as
/// each ends; if it returns false, all are stopped. A calculation that takes more than `limit_s` of wall time, or whose
/// process dies, fails, and the others continue. Needs a SignalGuard in scope and no other threads; throws Interrupted.
/// No worker outlives the call.
void run_in_workers(std::size_t count, int workers, double limit_s,
                    const std::function<std::string(std::size_t)>& calculate,
                    const std::function<bool(std::size_t, const Answer&)>& done);

}  // namespace strata::sim
