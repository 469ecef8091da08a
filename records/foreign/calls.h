// SPDX-License-Identifier: LGPL-2.1-only
// The calls of MPI that the ranks of a program made, and what they computed between them: what is taken from an archive
// of OTF2 (otf2_archive.h), and what the program `calls` makes again. In a folder there is a file for each rank,
//
//   compute 0.0015          s, on its core
//   irecv 1 2 7 0 4096      request 1: from rank 2 of communicator 0, tag 7, 4096 B
//   isend 2 3 7 0 4096      request 2: to rank 3
//   wait 1 2
//   reduce 0 5 64           on communicator 0, to rank 5, 64 B
//   gatherv 0 5 1           what each rank gives is in line 1 of the sizes
//
// and `common`, with what all have: `buffer`, the bytes of the largest buffer of a call; `communicator`, the ranks in
// MPI_COMM_WORLD of each, 0 being all of it; `sizes`, numbers of bytes, one for each rank of a communicator.
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

/// Which fields count is said with each kind.
struct Call {
  enum class Kind {
    kCompute,  // seconds
    kSend,     // peer, tag, communicator, bytes
    kSsend,
    kRecv,
    kIsend,  // the same, request
    kIssend,
    kIrecv,
    kWait,         // requests: for all of them
    kCollective,   // collective, communicator, peer: the root or 0, bytes: of a block, or sizes
    kICollective,  // the same, not blocking; request
  };

  Kind kind = Kind::kCompute;
  Collective collective = Collective::kBarrier;
  double seconds = 0;
  int communicator = 0, peer = 0, tag = 0;
  long bytes = 0;
  int sizes = -1;     // of the blocks of kGatherv, kScatterv, kAllgatherv, kReduceScatter; of kAlltoallv what each rank
                      // sends in all
  int received = -1;  // of kAlltoallv what each rank receives in all
  long request = -1;  // ranks count their own
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

/// MPI_Alltoallv's bytes from the rank `from` of the communicator to the rank `to`: the totals of the ranks are what is
/// known, so each rank's bytes are dealt out in proportion to what the others receive.
long bytes_between(const std::vector<long>& sent, const std::vector<long>& received, int from, int to);

/// Throw OutputError.
void write_common(const CommonCalls& common, const std::filesystem::path& folder);
void write_calls(const std::vector<Call>& calls, int rank, const std::filesystem::path& folder);

/// Reads what write_common wrote. Throws std::runtime_error for other files.
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
