// SPDX-License-Identifier: LGPL-2.1-only
// The MPI functions and levels of a program's run, for documents and pages.
#pragma once

#include <vector>

#include "base/json.h"
#include "records/levels.h"
#include "records/profile.h"

namespace strata::analysis {

/// [{"call": "MPI_Send", "count": 48, "seconds": ..., "waiting": ...}, ...]
Json calls_json(const Profile& profile);

/// [{"level": "NUMANode", "messages": 48, "bytes": ...}, ...]
Json levels_json(const std::vector<LevelMessages>& levels);

}  // namespace strata::analysis
