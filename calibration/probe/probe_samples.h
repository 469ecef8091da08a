// SPDX-License-Identifier: LGPL-2.1-only
// Reads the samples that the probe (probe.c) has written:
//
//   # strata probe 1
//   # mpi: Open MPI v4.1.4
//   # rank 0 on: node17
//   # ranks: 64
//   # place 0 0 2                       rank 0 ran on node 0, processor 2; a line for each rank
//   operation,level,bytes,at_once,sample,value
//   ping_pong,Package,1024,1,3,1.27e-06
//   copy,,268435456,4,0,1.76e+10
//   # left out, shorter than the clock's resolution: 2 of 123 samples
//
// The operations and the units of their values are those of Operation.
#pragma once

#include <filesystem>

#include "calibration/measured_number.h"

namespace strata::calibration {

/// Returns a measurement for each sample, and the places of the ranks if the file has them. Throws InputError with file
/// and line if this is not such a file, or it is truncated or contains an invalid value.
Reading read_probe(const std::filesystem::path& file);

}  // namespace strata::calibration
