// SPDX-License-Identifier: LGPL-2.1-only
// A nonblocking collective as rounds, in the manner of libNBC (Hoefler, Lumsdaine, Rehm, SC'07): what one rank does,
// with symbolic buffers, cut into what its application thread does in the call, what the progress thread does, and what
// the application thread does in the wait (IJHPCA'19, Sections 6.1 and 6.3). Pure: no MPI; the MPI layer (engine.h)
// gives the buffers addresses and runs the rounds, the tests and the property checker run them on values.
//
// Actions of a round are independent of each other and may all be under way at once; the next round begins when all are
// done. Messages between two ranks are matched in the order in which the rounds post them, separately for the two
// lanes: what application threads send, application threads receive; the same for progress threads.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace strata::mpix {

enum class Nbc { kBcast, kReduce, kAllreduce, kScatter, kGather, kScan, kBarrier };

/// Which memory. Blocks are counted within it: a block is the whole message of a bcast, reduce, allreduce or scan, and
/// one rank's data of a scatter or gather.
enum class Buffer {
  kSend,      // the caller's sendbuf (of a bcast, its buffer); what MPI_IN_PLACE stands for where that is meant
  kReceive,   // the caller's recvbuf (of a bcast, its buffer)
  kScratch,   // memory of the operation's own
  kScratch2,  // more of it, where two are needed at once
};

struct BlockRange {
  Buffer buffer = Buffer::kScratch;
  int first_block = 0;
  int blocks = 0;  // 0: nothing is moved (a barrier's messages)
  friend bool operator==(const BlockRange&, const BlockRange&) = default;
};

struct Action {
  enum class Kind {
    kSend,     // `from` to rank `peer`
    kReceive,  // from rank `peer` into `to`
    kCombine,  // to = from op to, element by element: MPI_Reduce_local(from, to)
    kCopy,     // from -> to, in this rank's memory
  };
  Kind kind;
  int peer = -1;  // a rank of the communicator
  BlockRange from, to;
  int level = 0;  // of the tree; hop of a chain; 0 for what is no message
  friend bool operator==(const Action&, const Action&) = default;
};

using Round = std::vector<Action>;

struct Schedule {
  std::vector<Round> in_call;    // by the application thread, before the operation is handed over
  std::vector<Round> on_thread;  // by the progress thread
  std::vector<Round> in_wait;    // by the application thread, when the progress thread is done
  int scratch_blocks = 0;        // how large kScratch must be
  int scratch2_blocks = 0;
};

/// What is to be done, the same on all ranks but for `rank` and `in_place`.
struct NbcCase {
  Nbc collective = Nbc::kBcast;
  int rank = 0;
  int size = 1;
  int root = 0;  // of those that have one
  int arity = 2;
  int steps = 0;          // S: how many of the tree's lowest levels application threads do, 0 to its height
  bool in_place = false;  // this rank passed MPI_IN_PLACE; where there is a root only it may
  bool commutes = true;   // the operation of a reduction
  // Not empty: the tree over nodes. Scatter, gather, scan, and an operation that does not commute have none and pay no
  // attention.
  std::span<const int> node_of_rank = {};
};

/// This rank's part. Messages: bcast, reduce, scatter, gather and scan send size - 1 in all, allreduce and barrier
/// twice that; an operation that does not commute is applied in the order of the ranks (a reduce sends one message more
/// where its root is not rank 0). Whatever is not of the S lowest levels is on_thread, local copies included.
/// O(messages of the rank), but O(size) with node_of_rank. Throws std::invalid_argument where a field is out of its
/// range.
Schedule nbc_schedule(const NbcCase& what);

/// How many levels application threads can do: the height of the tree; 0 of a scan and a barrier.
int most_steps(const NbcCase& what);

/// Whether its tree is the one over nodes.
bool is_over_nodes(const NbcCase& what);

/// "bcast", ...; for messages.
std::string_view name_of(Nbc collective);

}  // namespace strata::mpix
