// SPDX-License-Identifier: LGPL-2.1-only
// Phases of the calling rank, between the code that knows of them (monitoring sessions) and the library that records
// them (sim/profile, which is preloaded into the simulator).
#pragma once

extern "C" {

/// A phase of that name begins; the one of that name that began last ends. Weak: null where no library records.
__attribute__((weak)) void strata_phase_begin(const char* name);
__attribute__((weak)) void strata_phase_end(const char* name);
}
