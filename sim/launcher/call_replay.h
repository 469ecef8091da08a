// SPDX-License-Identifier: LGPL-2.1-only
// Converts an OTF2 archive to a trace: the catalog's program `calls` repeats the calls of its ranks under SMPI, and is
// recorded like any program: collectives become the messages of the algorithms that are used here.
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "platforms/machine.h"
#include "platforms/placement.h"
#include "records/foreign/otf2_archive.h"
#include "records/trace/trace.h"
#include "sim/launcher/installation.h"

namespace strata::sim {

struct RecordedArchive {
  Otf2Summary archive;
  Trace trace;
};

/// `place` returns the ranks' cores for a number of ranks; `time_limit_s` is of wall time, 0: no limit. Needs a
/// SignalGuard in scope and no other threads: the archive is read in a separate process, because the OTF2 library may
/// crash on a damaged one. Throws InputError, OutputError, SimulationFailed (run.h) if the calls deadlock.
RecordedArchive record_archive(const std::filesystem::path& anchor, const Machine& machine,
                               const std::function<std::vector<Binding>(int)>& place, const Installation& installation,
                               double time_limit_s = 0);

}  // namespace strata::sim
