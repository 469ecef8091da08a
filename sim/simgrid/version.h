// SPDX-License-Identifier: LGPL-2.1-only
// The versions of SimGrid whose private layout this folder declares. The order of members and of virtual functions is
// the library's binary interface, so another version must be compared before it is used; README.md lists the files.
#pragma once

#include <simgrid/forward.h>  // version.h needs it
#include <simgrid/version.h>

#if SIMGRID_VERSION_MAJOR == 3 && SIMGRID_VERSION_MINOR == 32
#define STRATA_SIMGRID_3_32
#elif SIMGRID_VERSION_MAJOR == 4 && SIMGRID_VERSION_MINOR == 0
#define STRATA_SIMGRID_4_0
#else
#error "this SimGrid is neither 3.32 nor 4.0: compare sim/simgrid/*.h with its sources, as sim/simgrid/README.md says"
#endif

namespace strata::sim {

/// SimGrid's option for the time (s) by which two events must differ to count as separate.
#ifdef STRATA_SIMGRID_3_32
inline constexpr const char* kPrecision = "surf/precision";
#else
inline constexpr const char* kPrecision = "precision/timing";
#endif

}  // namespace strata::sim
