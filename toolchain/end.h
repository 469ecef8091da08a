// SPDX-License-Identifier: LGPL-2.1-only
#pragma once

#include "toolchain/rank.h"

/// Runs a program's main as a rank. Returns if the rank ends with code 0, by return or exit; otherwise ends the rank
/// with its code.
STRATA_HIDDEN void strata_run_rank(int (*program)(int, char**, char**), int argc, char** argv, char** environment);
