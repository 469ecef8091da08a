// SPDX-License-Identifier: LGPL-2.1-only
// Reads output of the OSU micro-benchmarks (5.x to 7.x), with one or more tables in a file:
//
//   # OSU MPI Multiple Bandwidth / Message Rate Test v7.3
//   # [ pairs: 2 ] [ window size: 64 ]
//   # Size                  MB/s        Messages/s
//   # Datatype: MPI_CHAR.
//   1024                 5120.00        5000000.00
//
// This gives two measurements with 1024 B and 2 pairs at once: kOneWay of 5.12e9 B/s and kRate of 5e6 /s.
//
// | title                                                     | operation  | at_once |
// | --------------------------------------------------------- | ---------- | ------- |
// | Latency Test                                              | kPingPong  | 1       |
// | Multi Latency Test                                        | kPingPong  | pairs   |
// | Bandwidth Test                                            | kOneWay    | 1       |
// | Bi-Directional Bandwidth Test                             | kBothWays  | 1       |
// | Multiple Bandwidth / Message Rate Test                    | kOneWay, kRate | pairs |
// | Broadcast, Allreduce, Allgather, Reduce, All-to-All Personalized Exchange Latency Test | the collective | ranks |
//
// Times are in us, averaged over the ranks; the further columns that -f prints are not used. MB/s are 10^6 B/s.
//
// The multiple-pair latency and the collectives do not print the number of pairs or ranks. The user has to add a line
// below the title of these files: `# pairs: 4` or `# ranks: 16`.
#pragma once

#include <filesystem>
#include <string>

#include "calibration/measured_number.h"

namespace strata::calibration {

/// `level`: where the paths of the pairs or ranks meet. Throws InputError if the file has no usable row.
Reading read_osu(const std::filesystem::path& file, const std::string& level);

}  // namespace strata::calibration
