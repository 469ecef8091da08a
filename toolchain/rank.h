// SPDX-License-Identifier: LGPL-2.1-only
// Shared by the parts of libstrata_program: tells whether the caller is a rank of a simulation.
//
// These parts redefine functions of the C library and of compilers' libraries, because in a rank these have to refer to
// the simulated machine. The definitions are hidden, so they apply only to the object into which they are linked. They
// are also weak, so a program may define its own getopt. SMPI's header does the same with macros, but these break C++
// code such as `std::exit` or `object.free()`.
#pragma once

#ifndef _GNU_SOURCE
#error "dlfcn.h has RTLD_NEXT with _GNU_SOURCE"
#endif
#include <dlfcn.h>
#include <stdint.h>

#define STRATA_HIDDEN __attribute__((visibility("hidden")))
#define STRATA_HERE \
  __attribute__((visibility("hidden"), weak))  // replaces a library's function, but not one of the program
#define STRATA_SIMGRID __attribute__((weak))   // NULL if libsimgrid is not loaded

/// The library's function `name`, which ours hides: the next definition in search order. `type`: pointer to the
/// function.
#define STRATA_REAL(type, name)                 \
  ({                                            \
    static void* known;                         \
    if (!known) known = dlsym(RTLD_NEXT, name); \
    (type)(uintptr_t) known;                    \
  })

extern void* sg_actor_self(void) STRATA_SIMGRID;
extern long sg_actor_get_pid(const void*) STRATA_SIMGRID;

/// Whether the caller is a rank of a simulation. False in a rank's threads, and in the simulator's own context, which
/// is actor 0.
static inline int strata_in_rank(void) { return sg_actor_self && sg_actor_get_pid(sg_actor_self()) > 0; }

/// Whether a simulation is running. Only programs that the simulator has loaded have libsimgrid in their process: an
/// MPI program that is started directly replaces itself by the launcher first.
extern double simgrid_get_clock(void) STRATA_SIMGRID;
static inline int strata_in_simulation(void) { return simgrid_get_clock != 0; }

/// Simulated seconds since the start. If computation is measured, this includes the computation until now. Call this
/// only in a simulation.
STRATA_HIDDEN double strata_seconds(void);
