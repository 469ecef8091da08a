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

/// The simulated host of the rank that runs; NULL in the simulator's own context and in threads that SimGrid does not
/// know.
extern void* sg_host_self(void) STRATA_SIMGRID;

/// Whether the caller is a rank of a simulation. Otherwise everything here is as it would be without us.
static inline int strata_in_rank(void) { return sg_host_self && sg_host_self(); }

/// Simulated seconds since the start, with the computation until now where that is measured. Only in a rank.
STRATA_HIDDEN double strata_seconds(void);
