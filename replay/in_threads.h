// SPDX-License-Identifier: LGPL-2.1-only
// Replays on many machines, several at a time.
#pragma once

#include <cstddef>
#include <functional>

namespace strata::replay {

/// Calls task(0), task(1), ..., task(count - 1) in `jobs` threads, and then throws what a task threw. `done`, if there
/// is one, is called after each task, by one thread at a time.
void in_threads(std::size_t count, int jobs, const std::function<void(std::size_t)>& task,
                const std::function<void()>& done = {});

}  // namespace strata::replay
