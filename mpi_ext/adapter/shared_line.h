// SPDX-License-Identifier: LGPL-2.1-only
// The shared part of a line's two ends under a real MPI: a queue to each of them.
#pragma once

#include <array>
#include <condition_variable>
#include <deque>
#include <mutex>

#include "mpi_ext/adapter/line.h"

namespace strata::mpix {

struct Line::Shared {
  std::mutex mutex;
  std::array<std::deque<void*>, 2> queue;  // by the end that reads it
  std::array<long, 2> posted{};            // so far
  std::array<std::condition_variable, 2> changed;
};

}  // namespace strata::mpix
