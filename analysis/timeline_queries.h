// SPDX-License-Identifier: LGPL-2.1-only
// Queries on a timeline (a Paje trace of a simulation) that reports need.
#pragma once

#include <string>
#include <vector>

#include "records/paje.h"

namespace strata::analysis {

using Timeline = PajeTrace;

/// The index of the state with this name, or -1.
int find_state(const std::vector<Timeline::State>& states, const std::string& name);

/// Whether a thread copies or combines in this interval.
bool is_communication(const Timeline& timeline, const Timeline::Interval& of_thread);

/// The last phase with this name. If there is none, the interval from the first to the last moment when a core is not
/// idle, with an empty name.
Timeline::Phase find_phase(const Timeline& timeline, const std::string& name);

}  // namespace strata::analysis
