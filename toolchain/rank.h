// SPDX-License-Identifier: LGPL-2.1-only
// Shared by the parts of libstrata_program: whether the caller is a rank of a simulation.
//
// These parts define functions of the C library and of the compilers' libraries again, because in a rank they must
// answer for the simulated machine. The definitions are hidden: they hold in the object that they are linked into. They
// are weak: a program may have a getopt of its own. SMPI does the same by macros in its header, which C++ does not
// survive
// (`std::exit`, `object.free()`).
#pragma once

#ifndef _GNU_SOURCE
#error "dlfcn.h has RTLD_NEXT with _GNU_SOURCE"
#endif
#include <dlfcn.h>
#include <stdint.h>

#define STRATA_HIDDEN __attribute__((visibility("hidden")))
#define STRATA_HERE \
  __attribute__((visibility("hidden"), weak))  // replaces a function of a library, but none of the program
#define STRATA_SIMGRID __attribute__((weak))   // NULL where libsimgrid is not loaded

/// The next definition of a function after ours: the library's own. `type` is that of a pointer to it.
#define STRATA_REAL(type, name)                 \
  ({                                            \
    static void* known;                         \
    if (!known) known = dlsym(RTLD_NEXT, name); \
    (type)(uintptr_t) known;                    \
  })

extern void* sg_actor_self(void) STRATA_SIMGRID;
extern long sg_actor_get_pid(const void*) STRATA_SIMGRID;

/// Whether the caller is a rank of a simulation: not its threads, and not the simulator's own context, which is actor
/// 0.
static inline int strata_in_rank(void) { return sg_actor_self && sg_actor_get_pid(sg_actor_self()) > 0; }

/// Whether there is a simulation. Only programs that are loaded by the simulator have libsimgrid in their process, for
/// those that need it and are started become the launcher before anything else.
extern double simgrid_get_clock(void) STRATA_SIMGRID;
static inline int strata_in_simulation(void) { return simgrid_get_clock != 0; }

/// Simulated seconds since the start, with the computation until now where that is measured. Only in a simulation.
STRATA_HIDDEN double strata_seconds(void);
