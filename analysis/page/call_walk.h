// SPDX-License-Identifier: LGPL-2.1-only
// The events of a run as calls: what each rank did from one moment to the next, as each call ends.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace strata::analysis {

/// A rank waits for another inside a call.
struct Waiting {
  double from = 0, to = 0;  // s
  int other = -1;           // the rank that it waits for; -1: not known
};

/// A call of an MPI function. Those that it calls itself are part of it.
struct Call {
  int rank = 0, function = 0;
  double from = 0, to = 0;  // s
  std::vector<Waiting> waits;
};

/// Called by a walk. Empty functions are left out.
struct CallVisitor {
  std::function<void(const Call&)> call;            // of each rank in the order of time
  std::function<void(int rank, double end)> ended;  // after the rank's last call
};

struct Walked {
  std::vector<std::string> functions;
  std::vector<int> cores;  // by rank
  double end = 0;          // s
};

/// Walks through a file of events. A call that has not ended ends with its rank. O(ranks + messages) memory.
/// Throws InputError as EventReader does.
Walked walk_calls(const std::filesystem::path& events, const CallVisitor& visitor);

}  // namespace strata::analysis
