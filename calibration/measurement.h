// SPDX-License-Identifier: LGPL-2.1-only
// One number that a benchmark measured: the form that every reader gives and every fit takes.
//
// `osu_latency` between two packages printed "1024  1.27" in line 9 of its output:
//
//   {.operation = Operation::kPingPong, .level = "Package", .bytes = 1024, .at_once = 1, .value = 1.27e-6,
//    .source = "osu_latency.txt:9"}
#pragma once

#include <string>
#include <vector>

namespace strata::calibration {

enum class Operation {
  kPingPong,         // s: half of a round trip
  kOneWay,           // B/s of all pairs together, a window of messages after the other (osu_bw, osu_mbw_mr, Uniband)
  kBothWays,         // B/s of all pairs and both directions together (osu_bibw, Biband)
  kRate,             // messages/s of all pairs together
  kSendOverhead,     // s that MPI_Isend keeps the sender
  kReceiveOverhead,  // s that MPI_Recv takes of a message that is there
  kCopy,             // B/s, bytes read plus bytes written, of all cores together; bytes: of one array
  kTriad,            // the same of STREAM's triad, two reads and a write
  kDaxpy,            // the same of y += a x
  kBroadcast,        // s of a collective on `at_once` ranks; bytes as IMB and OSU count them
  kAllreduce,
  kAllgather,
  kAlltoall,
  kReduce,
  kRing,      // s of MPI_Sendrecv, to the right and from the left neighbour, as IMB's Sendrecv
  kExchange,  // s of a send to and a receive from both neighbours, four messages of `bytes`, as IMB's Exchange
};

struct Measurement {
  Operation operation = Operation::kPingPong;
  std::string level;   // where the pairs' paths meet, as machine.yaml calls it; empty for memory
  double bytes = 0;    // of one message, not negative
  int at_once = 1;     // pairs, cores or ranks
  double value = 0;    // s, B/s or 1/s by operation; positive
  std::string source;  // "osu_latency.txt:9"
};

/// Where a rank ran.
struct RankPlace {
  int node = 0;       // from 0 on
  int processor = 0;  // the system's number
};

/// The measurements of a file, in its order.
struct Reading {
  std::string program;  // as it names itself: "OSU MPI Latency Test v7.3"; empty if it does not
  std::vector<Measurement> measurements;
  std::vector<RankPlace> places = {};  // by rank, where the file says it
  std::vector<std::string> notes;      // a line each on what was not used: "osu.txt:3: not a row of numbers; left out"
};

}  // namespace strata::calibration
