// SPDX-License-Identifier: LGPL-2.1-only
// Timelines as OTF2 archives (Open Trace Format 2, score-p.org), for Vampir, Scalasca and otf2-print:
//
//   run.otf2/traces.otf2    the anchor file, which readers open
//   run.otf2/traces.def     machine, nodes, packages, ranks, functions, the communicator of all selected ranks
//   run.otf2/traces/0.evt   rank 0: Enter and Leave of regions, MpiSend, MpiRecv
//   run.otf2/traces/0.def   empty
//
// A clock tick is a picosecond. Regions of a rank are nested: the program contains phases, these contain MPI calls, and
// these contain "waits", whose attribute "waits for rank" names the other rank. Messages on any communicator are
// written as messages on one communicator of the selected ranks. With all ranks selected, rank numbers are those of
// MPI_COMM_WORLD. Negative tags, which occur inside MPI's own collectives, are written as unsigned 32-bit numbers.
//
// OTF2 needs an open file and large buffers for each rank that is being written. Therefore ranks are written in groups
// of at most 256 MiB, and the events are read again for each group.
#pragma once

#include <filesystem>

#include "records/timeline/event_timeline.h"
#include "records/timeline/rank_places.h"

namespace strata {

/// The folder appears complete or not at all, and replaces an earlier archive. Equal timelines give equal bytes. Throws
/// OutputError, also if `folder` exists and is not an archive.
void write_otf2_timeline(EventTimeline& timeline, const RankPlaces& places, const std::filesystem::path& folder);

/// Throws OutputError if the folder is there and is not an archive of OTF2.
void refuse_other_folders(const std::filesystem::path& folder);

}  // namespace strata
