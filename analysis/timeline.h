// SPDX-License-Identifier: LGPL-2.1-only
// What reports ask of a timeline, a Paje trace of a simulation.
#pragma once

#include <string>
#include <vector>

#include "records/paje.h"

namespace strata::analysis {

using Timeline = PajeTrace;

/// The index of the state of that name, or -1.
int find_state(const std::vector<Timeline::State>& states, const std::string& name);

/// Whether what a thread does in this interval is a copy or a combination.
bool is_communication(const Timeline& timeline, const Timeline::Interval& of_thread);

/// The phase of that name: the last, if there are several. Without a phase of that name, the stretch from the
/// first to the last moment when a core is not idle, with an empty name.
Timeline::Phase find_phase(const Timeline& timeline, const std::string& name);

}  // namespace strata::analysis
