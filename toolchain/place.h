// SPDX-License-Identifier: LGPL-2.1-only
// Tells a program which rank it is. libstrata_loader.so, which is preloaded into the simulator, has the answers.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

struct strata_place {
  const char* node;    // the name of its node, as MPI_Get_processor_name gives it
  char** environment;  // its environment variables: setenv changes only its own
};

/// The rank that is actor `pid` of the simulation. Call it the first time while all ranks exist. NULL: there is no such
/// rank.
__attribute__((weak)) struct strata_place* strata_place_of(long pid);

#ifdef __cplusplus
}
#endif
