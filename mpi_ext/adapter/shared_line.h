// SPDX-License-Identifier: LGPL-2.1-only
// Data that both ends of a line share under a real MPI: a queue to each end.
#pragma once

#include <array>
#include <condition_variable>
#include <deque>
#include <mutex>

#include "mpi_ext/adapter/line.h"

namespace strata::mpix {

struct Line::Shared {
  std::mutex mutex;
  std::array<std::deque<void*>, 2> queue;  // indexed by the end that reads it
  std::array<long, 2> posted{};            // so far
  std::array<std::condition_variable, 2> changed;
};

}  // namespace strata::mpix
