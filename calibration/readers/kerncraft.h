// SPDX-License-Identifier: LGPL-2.1-only
// Reads the memory bandwidths in a kerncraft machine file (YAML, kerncraft 0.8), which likwid-bench has measured:
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
// This gives kCopy of 1e10 B/s for 1 core and of 1.8e10 B/s for 2 cores, with arrays of 6e7 B.
//
// | kernel | operation | arrays                                                            |
// | ------ | --------- | ----------------------------------------------------------------- |
// | copy   | kCopy     | 2                                                                 |
// | triad  | kTriad    | 4: likwid-bench's triad is a = b + c d, three reads and a write   |
// | daxpy  | kDaxpy    | 2                                                                 |
//
// Prefixes are powers of 1000; bytes are read plus written. The size is the total of all arrays of all cores, and is
// divided to get that of one array. Measurements with one thread per core are used, up to the number of cores of a NUMA
// domain: kerncraft fills a socket's domains one after the other, so more cores use the memory of several domains.
//
// In the same way this reads copies in the outermost cache, the last level of the hierarchy before MEM, up to the
// number of cores that share it:
//
//   memory hierarchy:
//   - {level: L3, cores per group: 2}
//   - {level: MEM, cores per group: 4}
//   benchmarks:
//     measurements:
//       L3: ...
#pragma once

#include <filesystem>

#include "calibration/measured_number.h"

namespace strata::calibration {

/// Throws InputError if this is not a machine file with such measurements.
Reading read_kerncraft(const std::filesystem::path& file);

}  // namespace strata::calibration
