// SPDX-License-Identifier: LGPL-2.1-only
// getopt in a rank. Its position in the arguments is a variable of the C library, which all ranks would share.
#define _GNU_SOURCE
#include <getopt.h>

#include "toolchain/rank.h"

typedef int Short(int, char* const*, const char*);
typedef int Long(int, char* const*, const char*, const struct option*, int*);

extern Short smpi_getopt STRATA_SIMGRID;
extern Long smpi_getopt_long STRATA_SIMGRID, smpi_getopt_long_only STRATA_SIMGRID;

STRATA_HERE int getopt(int argc, char* const* argv, const char* letters) {
  return (strata_in_rank() ? smpi_getopt : STRATA_REAL(Short*, "getopt"))(argc, argv, letters);
}

STRATA_HERE int getopt_long(int argc, char* const* argv, const char* letters, const struct option* words, int* index) {
  return (strata_in_rank() ? smpi_getopt_long : STRATA_REAL(Long*, "getopt_long"))(argc, argv, letters, words, index);
}

STRATA_HERE int getopt_long_only(int argc, char* const* argv, const char* letters, const struct option* words,
                                 int* index) {
  return (strata_in_rank() ? smpi_getopt_long_only : STRATA_REAL(Long*, "getopt_long_only"))(argc, argv, letters, words,
                                                                                             index);
}

STRATA_HIDDEN const char strata_options = 0;
