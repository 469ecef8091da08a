// SPDX-License-Identifier: LGPL-2.1-only
// Output of STREAM (5.6 to 5.10, in C), one run or several in a file:
//
//   STREAM version $Revision: 5.10 $
//   This system uses 8 bytes per array element.
//   Array size = 10000000 (elements), Offset = 0 (elements)
//   Number of Threads requested = 4
//   Function    Best Rate MB/s  Avg time     Min time     Max time
//   Copy:           30000.0     0.005400     0.005333     0.005500
//   Triad:          32000.0     0.007600     0.007500     0.007700
//
// gives kCopy of 3e10 B/s and kTriad of 3.2e10 B/s by 4 cores, with arrays of 8e7 B.
//
// MB are 10^6 B, bytes as STREAM counts them: read plus written, without what a cache reads before it writes. at_once
// is the number of threads, 1 without OpenMP ("counted" where STREAM prints that, too). Scale and Add are not used. A
// run whose results STREAM finds wrong is left out.
#pragma once

#include <filesystem>

#include "calibration/measurement.h"

namespace strata::calibration {

/// Throws InputError where the file has no usable row.
Reading read_stream(const std::filesystem::path& file);

}  // namespace strata::calibration
