// SPDX-License-Identifier: LGPL-2.1-only
// Reads output of IMB-MPI1 from the Intel MPI Benchmarks (3.x to 2021), including all benchmarks of a file:
//
//   # Benchmarking PingPong
//   # #processes = 2
//   # ( 126 additional processes waiting in MPI_Barrier)
//          #bytes #repetitions      t[usec]   Mbytes/sec
//            1024         1000         0.67      1527.64
//
// This gives kPingPong with 1024 B, 0.67 us, 1 pair.
//
// | benchmark          | operation      | at_once   | value                         |
// | ------------------ | -------------- | --------- | ----------------------------- |
// | PingPong           | kPingPong      | groups    | t or t_avg                    |
// | PingPing           | kRing          | 2         | t or t_avg: a ring of 2 ranks |
// | Sendrecv           | kRing          | processes | t_avg                         |
// | Exchange           | kExchange      | processes | t_avg                         |
// | Bcast, Allreduce, Allgather, Alltoall, Reduce | the collective | processes | t_avg |
// | Uniband            | kOneWay, kRate | pairs     | messages/s, times bytes       |
// | Biband             | kBothWays      | pairs     | messages/s, times bytes       |
//
// Times are in us. Mbytes are 2^20 B up to version 4 and 10^6 B since 2017, so they are not used; Uniband and Biband
// also print message rates, as whole numbers. With -multi, groups run at the same time: k groups of PingPong are k
// pairs; of the other benchmarks, only a single group is used.
#pragma once

#include <filesystem>
#include <string>

#include "calibration/measured_number.h"

namespace strata::calibration {

/// `level`: where the paths of the pairs or ranks meet. Throws InputError if the file has no usable row.
Reading read_imb(const std::filesystem::path& file, const std::string& level);

}  // namespace strata::calibration
