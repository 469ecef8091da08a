// SPDX-License-Identifier: LGPL-2.1-only
// Recorded runs for tests of timelines, and their content computed in a slow, obvious way: all intervals of all ranks
// in memory.
#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "records/events.h"
#include "records/timeline/selection.h"

namespace strata {

struct RecordedRun {
  EventsHeader header;
  std::vector<Event> events;  // without the end event
  double end = 0;             // s

  void write(const std::filesystem::path& file) const;
};

/// The example of records/events.h: rank 1 waits from 0 s to 3 ms for a message that rank 0 sends at 1 ms; the run ends
/// at 4 ms.
RecordedRun example_run();

/// Ranks on cores 0 to `ranks` - 1 in random order, that call, wait, send and receive at random, with phases, messages
/// that never arrive, and waits that never end. Times are whole nanoseconds.
RecordedRun random_run(unsigned seed, int ranks, int steps);

/// Each rank of a ring sends to the next and waits for the previous one, `steps` times: 6 events each. One rank per
/// core.
void write_ring(const std::filesystem::path& file, const std::string& machine, int ranks, int steps);

/// A state of a rank. Times are in ps.
struct Interval {
  int rank = 0;
  std::int64_t from = 0, to = 0;
  std::string name;  // "MPI_Recv", "waits for rank 0", "waits", the name of a phase or of the program

  auto operator<=>(const Interval&) const = default;
};

struct Arrow {
  std::int64_t from = 0, to = 0;  // ps
  int sender = 0, receiver = 0;
  int tag = 0;
  std::int64_t bytes = 0;

  auto operator<=>(const Arrow&) const = default;
};

struct Shown {
  std::vector<Interval> program, phases, calls, waits;  // sorted
  std::vector<Arrow> arrows;                            // sorted
};
Shown shown(const RecordedRun& run, const TimelineSelection& selection);

std::int64_t picoseconds(double seconds);

}  // namespace strata
