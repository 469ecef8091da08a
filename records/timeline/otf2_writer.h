// SPDX-License-Identifier: LGPL-2.1-only
// Timelines as OTF2 archives (Open Trace Format 2, score-p.org), which Vampir, Scalasca and otf2-print open:
//
//   run.otf2/traces.otf2    the anchor file, which readers are given
//   run.otf2/traces.def     machine, nodes, packages, ranks, functions, the communicator of all ranks that are shown
//   run.otf2/traces/0.evt   rank 0: Enter and Leave of regions, MpiSend, MpiRecv
//   run.otf2/traces/0.def   empty
//
// A clock tick is a picosecond. The regions of a rank: the program; in it phases, calls of MPI, and in these "waits",
// whose attribute "waits for rank" says for which. Messages of all communicators are between ranks of one, numbered as
// the ranks that are shown; so with all ranks the numbers are those of MPI_COMM_WORLD. A negative tag, inside of MPI's
// own collectives, is shown as the 32 bits that it is.
//
// OTF2 has an open file and large buffers for each rank that is being written. So ranks are written in groups, which
// need at most 256 MiB, and the events are read again for each group.
#pragma once

#include <filesystem>

#include "records/timeline/event_timeline.h"
#include "records/timeline/places.h"

namespace strata {

/// The folder appears whole or not at all; one of an earlier archive is replaced. The same timeline gives the same
/// bytes. Throws OutputError, also where `folder` is anything else.
void write_otf2_timeline(EventTimeline& timeline, const RankPlaces& places, const std::filesystem::path& folder);

}  // namespace strata
