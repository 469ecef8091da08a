// SPDX-License-Identifier: LGPL-2.1-only
// The summary of the HPC Challenge benchmark (hpccoutf.txt of HPCC 1.0 to 1.5):
//
//   stride for latency                  =          1
//   Begin of Summary section.
//   CommWorldProcs=48
//   STREAM_VectorSize=41666666
//   STREAM_Threads=1
//   SingleSTREAM_Triad=13.2
//   StarSTREAM_Triad=2.6
//   MinPingPongLatency_usec=0.28
//   AvgPingPongLatency_usec=1.06
//   MaxPingPongLatency_usec=1.85
//   NaturallyOrderedRingBandwidth_GBytes=1.37
//   End of Summary section.
//
// | key                              | operation     | bytes                           | at_once           | value |
// | -------------------------------- | ------------- | ------------------------------- | ----------------- | ----- |
// | ...PingPongLatency_usec          | kPingPong     | 8                               | 1                 | us    |
// | ...PingPongBandwidth_GBytes      | kPingPong     | 2 000 000                       | 1                 | (1)   |
// | NaturallyOrderedRingLatency_usec | kExchange     | 8                               | processes         | (2)   |
// | NaturallyOrderedRingBandwidth_.. | kExchange     | 2 000 000                       | processes         | (2)   |
// | the same of two processes        | kBothWays     | 2 000 000                       | 1                 | (3)   |
// | SingleSTREAM_Copy, _Triad        | kCopy, kTriad | 8 of each element               | threads           | GB/s  |
// | StarSTREAM_Copy, _Triad          | kCopy, kTriad | 8 of each element of all arrays | processes threads | (4)   |
//
// GB are 10^9 B. (1): converted to the time of the bytes at this rate. (4): GB/s times processes. The sizes are those
// printed in the benchmark's LatencyBandwidth section.
//
// Ping-pongs: HPCC measures pairs of processes one after another, ranks 0, s, 2s, ... with ranks P-1, P-1-s, ..., where
// the stride s is 1 unless that would take too long. It prints the least, the average and the largest of all pairs. If
// they all meet at one level, the average is the level's. Otherwise the average mixes levels, and is not used: the
// shortest latency and the largest bandwidth are those of the innermost level at which pairs meet, the longest latency
// and the smallest bandwidth those of the outermost one. HPCC 1.0 prints only the worst, which are then used.
//
// Naturally ordered ring: each process exchanges a message with both neighbours, as in IMB's Exchange, all at once. The
// latency is half the time of such a round, and the bandwidth is what a process sends; both are of the slowest process
// (src/bench_lat_bw_1.5.2.c). So a round takes twice the latency (2). With two processes both neighbours are the same
// one, and twice the bandwidth flows between the two, in both directions together (3); with more, the slowest part of
// the ring determines all, so rings are kept for validation. Randomly ordered rings mix levels and are not used.
//
// StarSTREAM runs on all nodes together. HPCC derives the arrays' size from the size of its matrix; small arrays fit
// into the caches, and are then not used (memory_costs.h).
#pragma once

#include <filesystem>
#include <functional>

#include "calibration/measured_number.h"

namespace strata::calibration {

/// The levels of HPCC's pairs in a job of this many processes, with this stride.
using LevelsOfPairs = std::function<PairLevels(int processes, int stride)>;

/// Throws InputError if the file has no summary with these keys.
Reading read_hpcc(const std::filesystem::path& file, const LevelsOfPairs& levels);

}  // namespace strata::calibration
