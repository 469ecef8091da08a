// SPDX-License-Identifier: LGPL-2.1-only
// Reports phases of the calling rank: from monitoring sessions to the library that records phases (sim/profile, which
// is preloaded into the simulator).
#pragma once

extern "C" {

/// Begins a phase; strata_phase_end ends the phase of that name that began last. Weak: null if no library records.
__attribute__((weak)) void strata_phase_begin(const char* name);
__attribute__((weak)) void strata_phase_end(const char* name);
}
