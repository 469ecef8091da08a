// SPDX-License-Identifier: LGPL-2.1-only
// Reads output of STREAM (5.6 to 5.10, in C), with one or more runs in a file:
//
//   STREAM version $Revision: 5.10 $
//   This system uses 8 bytes per array element.
//   Array size = 10000000 (elements), Offset = 0 (elements)
//   Number of Threads requested = 4
//   Function    Best Rate MB/s  Avg time     Min time     Max time
//   Copy:           30000.0     0.005400     0.005333     0.005500
//   Triad:          32000.0     0.007600     0.007500     0.007700
//
// This gives kCopy of 3e10 B/s and kTriad of 3.2e10 B/s for 4 cores, with arrays of 8e7 B.
//
// MB are 10^6 B. Bytes are counted as by STREAM: read plus written, without those that a cache reads before a write.
// at_once is the number of threads ("counted" if STREAM prints that as well), and 1 without OpenMP. Scale and Add are
// not used. Runs that fail STREAM's check of results are left out.
#pragma once

#include <filesystem>

#include "calibration/measured_number.h"

namespace strata::calibration {

/// Throws InputError if the file has no usable row.
Reading read_stream(const std::filesystem::path& file);

}  // namespace strata::calibration
