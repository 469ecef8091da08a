// SPDX-License-Identifier: LGPL-2.1-only
// An archive of OTF2 as a trace: the catalog's program `calls` makes the calls of its ranks again under SMPI, and is
// recorded like any program: collectives become the messages of the algorithms that runs here have.
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

/// `place`: the ranks' cores, for that many. Needs a SignalGuard in scope and no other threads: the archive is read in
/// a process of its own, for the library of OTF2 may crash on a damaged one. Throws InputError, OutputError,
/// SimulationFailed (run.h) where the calls deadlock.
RecordedArchive record_archive(const std::filesystem::path& anchor, const Machine& machine,
                               const std::function<std::vector<Binding>(int)>& place, const Installation& installation);

}  // namespace strata::sim
