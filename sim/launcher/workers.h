// SPDX-License-Identifier: LGPL-2.1-only
// Many small calculations on several processors, each in a process that may be stopped: by a time limit, by Ctrl-C.
//
//   run_in_workers(1000, 2, 600,
//                  [&](std::size_t i) { return fmt::format("{}", slow_function(i)); },           in a worker
//                  [&](std::size_t i, const Answer& a) { std::puts(a.text.c_str()); return true; });  here
//
// Workers are forked: they have all that was in memory before, and nothing that they change comes back but their texts.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace strata::sim {

struct Answer {
  std::string text;        // what the calculation returned
  std::string failure;     // empty where it went well; else one line
  bool bad_usage = false;  // it threw InputError
  double wall_s = 0;       // from its start to its end
};

/// Calls calculate(i) in one of `workers` processes for each i below `count`, and done(i, answer) here, as each ends;
/// returning false stops all. A calculation that takes more than `limit_s` of wall time, or whose process dies, fails,
/// and the others go on. Needs a SignalGuard in scope and no other threads; throws Interrupted. In no case does a
/// worker outlive the call.
void run_in_workers(std::size_t count, int workers, double limit_s,
                    const std::function<std::string(std::size_t)>& calculate,
                    const std::function<bool(std::size_t, const Answer&)>& done);

}  // namespace strata::sim
