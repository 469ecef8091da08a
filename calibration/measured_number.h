// SPDX-License-Identifier: LGPL-2.1-only
// One number that a benchmark has measured: what all readers produce and all fits consume.
//
// For example, `osu_latency` between two packages printed "1024  1.27" in line 9 of its output:
//
//   {.operation = Operation::kPingPong, .level = "Package", .bytes = 1024, .at_once = 1, .value = 1.27e-6,
//    .source = "osu_latency.txt:9"}
#pragma once

#include <string>
#include <vector>

namespace strata::calibration {

enum class Operation {
  kPingPong,         // s: half a round trip
  kOneWay,           // B/s of all pairs together, window after window of messages (osu_bw, osu_mbw_mr, Uniband)
  kBothWays,         // B/s of all pairs and both directions together (osu_bibw, Biband)
  kRate,             // messages/s of all pairs together
  kSendOverhead,     // s that the sender spends in MPI_Isend
  kReceiveOverhead,  // s that MPI_Recv takes for a message that has arrived
  kCopy,             // B/s, bytes read plus written, of all cores together; bytes: the size of one array
  kTriad,            // the same for STREAM's triad, two reads and a write
  kDaxpy,            // the same for y += a x
  kBroadcast,        // s of a collective on `at_once` ranks; bytes as counted by IMB and OSU
  kAllreduce,
  kAllgather,
  kAlltoall,
  kReduce,
  kRing,        // s of MPI_Sendrecv, to the right and from the left neighbour, as in IMB's Sendrecv
  kExchange,    // s of a send to and a receive from both neighbours, four messages of `bytes`, as in IMB's Exchange
  kEagerLimit,  // B: the shortest message that waits for its receiver; `bytes` is 0
  kQueue,       // s that MPI_Recv takes for an empty message that has arrived behind `at_once` others
};

struct Measurement {
  Operation operation = Operation::kPingPong;
  std::string level;   // where the pairs' paths meet, as named in machine.yaml; empty for memory
  double bytes = 0;    // of one message, not negative
  int at_once = 1;     // pairs, cores, ranks or messages
  double value = 0;    // s, B/s, 1/s or B, depending on the operation; positive
  std::string source;  // "osu_latency.txt:9"
};

/// The levels at which pairs of a job's ranks meet. Equal if all pairs meet at one level.
struct PairLevels {
  std::string innermost, outermost;
  std::string problem = {};     // why no level is known: "48 processes, where 24 cores may have one"
  std::string assumption = {};  // where the ranks are taken to be, if that is not known
};

/// Where a rank ran.
struct RankPlace {
  int node = 0;       // from 0
  int processor = 0;  // the operating system's number
};

/// The measurements in a file, in its order.
struct Reading {
  std::string program;  // the program's own name for itself: "OSU MPI Latency Test v7.3"; empty if unknown
  std::vector<Measurement> measurements;
  std::vector<RankPlace> places = {};  // by rank, if the file contains them
  std::vector<std::string> notes;      // a line each about unused data: "osu.txt:3: not a row of numbers; left out"
};

}  // namespace strata::calibration
