// SPDX-License-Identifier: LGPL-2.1-only
// The MPI calls of a program's ranks, and their computation between calls. They are read from an OTF2 archive
// (otf2_archive.h) and executed by the program `calls`. A folder has a file for each rank,
//
//   compute 0.0015          s, on its core
//   irecv 1 2 7 0 4096      request 1: from rank 2 of communicator 0, tag 7, 4096 B
//   isend 2 3 7 0 4096      request 2: to rank 3
//   wait 1 2
//   reduce 0 5 64           on communicator 0, to rank 5, 64 B
//   gatherv 0 5 1           line 1 of the sizes has the bytes from each rank
//
// and `common`, which all ranks share: `buffer`, the bytes of the largest buffer of a call; `communicator`, its ranks
// in MPI_COMM_WORLD, with 0 for all of them; `sizes`, numbers of bytes, one for each rank of a communicator.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace strata {

enum class Collective {
  kBarrier,
  kBcast,
  kGather,
  kGatherv,
  kScatter,
  kScatterv,
  kAllgather,
  kAllgatherv,
  kAlltoall,
  kAlltoallv,
  kAllreduce,
  kReduce,
  kReduceScatter,
  kReduceScatterBlock,
  kScan,
  kExscan,
};

/// The comment of each kind lists the fields that it uses.
struct Call {
  enum class Kind {
    kCompute,  // seconds
    kSend,     // peer, tag, communicator, bytes
    kSsend,
    kRecv,
    kIsend,  // the same, and request
    kIssend,
    kIrecv,
    kWait,         // requests: for all of them
    kCollective,   // collective, communicator, peer: the root or 0, bytes: of a block, or sizes
    kICollective,  // the same, nonblocking; and request
  };

  Kind kind = Kind::kCompute;
  Collective collective = Collective::kBarrier;
  double seconds = 0;
  int communicator = 0, peer = 0, tag = 0;
  long bytes = 0;
  int sizes = -1;     // of the blocks of kGatherv, kScatterv, kAllgatherv, kReduceScatter; for kAlltoallv the total
                      // that each rank sends
  int received = -1;  // for kAlltoallv the total that each rank receives
  long request = -1;  // each rank has its own numbers
  std::vector<long> requests = {};

  bool operator==(const Call&) const = default;
};

struct CommonCalls {
  long buffer = 0;  // B
  std::vector<std::vector<int>> communicators = {};
  std::vector<std::vector<long>> sizes = {};

  bool operator==(const CommonCalls&) const = default;
};

/// "Gatherv", as in MPI_Gatherv.
const char* name_of(Collective collective);

/// Bytes of MPI_Alltoallv from rank `from` of the communicator to rank `to`. Only the ranks' totals are known, so each
/// rank's bytes are distributed in proportion to what the others receive.
long bytes_between(const std::vector<long>& sent, const std::vector<long>& received, int from, int to);

/// Both throw OutputError.
void write_common(const CommonCalls& common, const std::filesystem::path& folder);
void write_calls(const std::vector<Call>& calls, int rank, const std::filesystem::path& folder);

/// Reads a file of write_common. Throws std::runtime_error for other files.
CommonCalls read_common(const std::filesystem::path& folder);

class CallReader {
 public:
  CallReader(const std::filesystem::path& folder, int rank);
  /// The next call; false at the end.
  bool next(Call& call);

 private:
  std::ifstream file_;
  std::string line_;
};

}  // namespace strata
