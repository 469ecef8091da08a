// SPDX-License-Identifier: LGPL-2.1-only
// The computation times of a rank, kept in one run and taken from it in others, so that these are the same to the bit
// although the first one measured:
//
//   first run      keep_computation(3.2e-6); keep_computation(1.1e-6);
//   other runs     next_computation()  3.2e-6,  then 1.1e-6
//
// They are numbers of 8 bytes in a file of the rank's own, which run/computation_file.h collects.
#pragma once

namespace strata::native {

/// No effect if they are not kept. s.
void keep_computation(double seconds);
/// s. Ends the process after the last one: then this program or its input is not that of the first run.
double next_computation();

}  // namespace strata::native
