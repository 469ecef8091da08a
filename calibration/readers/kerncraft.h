// SPDX-License-Identifier: LGPL-2.1-only
// The memory bandwidths of a kerncraft machine file (YAML, kerncraft 0.8), which likwid-bench measured:
//
//   cores per NUMA domain: 2
//   benchmarks:
//     measurements:
//       MEM:
//         1:
//           threads per core: 1
//           cores: [1, 2]
//           total size: [120.00 MB, 120.00 MB]
//           results:
//             copy: [10.00 GB/s, 18.00 GB/s]
//
// gives kCopy of 1e10 B/s by 1 core and of 1.8e10 B/s by 2, with arrays of 6e7 B.
//
// | kernel | operation | arrays                                                            |
// | ------ | --------- | ----------------------------------------------------------------- |
// | copy   | kCopy     | 2                                                                 |
// | triad  | kTriad    | 4: likwid-bench's triad is a = b + c d, three reads and a write   |
// | daxpy  | kDaxpy    | 2                                                                 |
//
// Prefixes are powers of 1000; bytes are those read plus those written. The size is that of all arrays of all cores
// together, so an array has its n-th part. Measurements with one thread per core are used, up to the cores of a NUMA
// domain: kerncraft fills a socket's domains one after the other, and more cores use the memory of several.
#pragma once

#include <filesystem>

#include "calibration/measurement.h"

namespace strata::calibration {

/// Throws InputError where the file is not a machine file with such measurements.
Reading read_kerncraft(const std::filesystem::path& file);

}  // namespace strata::calibration
