// SPDX-License-Identifier: LGPL-2.1-only
// The summary of the HPC Challenge benchmark (hpccoutf.txt of HPCC 1.0 to 1.5):
//
//   Begin of Summary section.
//   CommWorldProcs=48
//   STREAM_VectorSize=41666666
//   STREAM_Threads=1
//   SingleSTREAM_Triad=13.2
//   StarSTREAM_Triad=2.6
//   AvgPingPongLatency_usec=1.06
//   AvgPingPongBandwidth_GBytes=9.94
//   End of Summary section.
//
// | key                         | operation     | bytes                           | at_once                 | value |
// | --------------------------- | ------------- | ------------------------------- | ----------------------- | ----- |
// | AvgPingPongLatency_usec     | kPingPong     | 8                               | 1                       | us    |
// | AvgPingPongBandwidth_GBytes | kPingPong     | 2 000 000                       | 1                       | (1)   |
// | SingleSTREAM_Copy, _Triad   | kCopy, kTriad | 8 of each element               | threads                 | GB/s  |
// | StarSTREAM_Copy, _Triad     | kCopy, kTriad | 8 of each element of all arrays | processes times threads | (2)   |
//
// GB are 10^9 B. (1): converted to the time of the bytes at this rate. (2): GB/s times processes.
//
// The sizes are those printed in the benchmark's LatencyBandwidth section. HPCC 1.0 has no averages; then the largest
// latency and the smallest bandwidth of its pairs are used. The pairs include all processes, so all paths meet at the
// same level only if the job has one process per node, or one node. StarSTREAM runs on all nodes together. HPCC derives
// the arrays' size from the size of its matrix; small arrays fit into a cache, so it then measures this cache.
#pragma once

#include <filesystem>
#include <string>

#include "calibration/measurement.h"

namespace strata::calibration {

/// `level`: where the paths of the processes meet. Throws InputError if the file has no summary with these keys.
Reading read_hpcc(const std::filesystem::path& file, const std::string& level);

}  // namespace strata::calibration
