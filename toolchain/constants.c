// SPDX-License-Identifier: LGPL-2.1-only
// Tells the simulator's library of supplied functions that the program was built with mpi4.h, whose values of some
// constants are not SMPI's (mpi_ext/preload/supply/own_constants.h). Outside a simulation that library is not there.
extern int strata_supply_own_constants __attribute__((weak));

void strata_announce_constants(void) {
  if (&strata_supply_own_constants) strata_supply_own_constants = 1;
}
