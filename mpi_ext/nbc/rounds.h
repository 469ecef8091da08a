// SPDX-License-Identifier: LGPL-2.1-only
// A nonblocking collective as rounds, like libNBC (Hoefler, Lumsdaine, Rehm, SC'07): the actions of one rank on
// symbolic buffers, divided into those of its application thread in the call, of its progress thread, and of its
// application thread in the wait (IJHPCA'19, Sections 6.1 and 6.3). Pure, without MPI: the MPI layer (engine.h) maps
// buffers to addresses and runs the rounds; the tests and the property checker run them on values.
//
// Actions of a round are independent of each other and may all be under way at once; the next round begins when all are
// done. Messages between two ranks are matched in the order in which the rounds post them, separately for two lanes:
// application threads send to application threads, progress threads to progress threads.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace strata::mpix {

enum class Nbc { kBcast, kReduce, kAllreduce, kScatter, kGather, kScan, kBarrier };

/// A memory area, counted in blocks. A block is the whole message of a bcast, reduce, allreduce or scan, and one rank's
/// data of a scatter or gather.
enum class Buffer {
  kSend,      // the caller's sendbuf (in a bcast, its buffer), or the buffer that replaces MPI_IN_PLACE
  kReceive,   // the caller's recvbuf (in a bcast, its buffer)
  kScratch,   // the operation's own memory
  kScratch2,  // more of it, if two areas are needed at once
};

struct BlockRange {
  Buffer buffer = Buffer::kScratch;
  int first_block = 0;
  int blocks = 0;  // 0: no data (the messages of a barrier)
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
  int level = 0;  // of the tree; hop of a chain; 0 for actions without a message
  friend bool operator==(const Action&, const Action&) = default;
};

using Round = std::vector<Action>;

struct Schedule {
  std::vector<Round> in_call;    // by the application thread, before the operation is handed over
  std::vector<Round> on_thread;  // by the progress thread
  std::vector<Round> in_wait;    // by the application thread, after the progress thread has finished
  int scratch_blocks = 0;        // size of kScratch
  int scratch2_blocks = 0;
};

/// The collective to schedule. All fields are the same on all ranks, except `rank` and `in_place`.
struct NbcCase {
  Nbc collective = Nbc::kBcast;
  int rank = 0;
  int size = 1;
  int root = 0;  // for collectives that have one
  int arity = 2;
  int steps = 0;          // S: how many of the tree's lowest levels application threads do, 0 to its height
  bool in_place = false;  // this rank passed MPI_IN_PLACE; if there is a root, only the root may
  bool commutes = true;   // the operation of a reduction
  // Not empty: use the tree over nodes. Scatter, gather, scan, and operations that do not commute have no such tree and
  // ignore this.
  std::span<const int> node_of_rank = {};
};

/// This rank's part. Messages: bcast, reduce, scatter, gather and scan send size - 1 in all, allreduce and barrier
/// twice that. An operation that does not commute is applied in rank order (a reduce then sends one more message if its
/// root is not rank 0). All actions outside the S lowest levels are in on_thread, including local copies. O(messages of
/// the rank), but O(size) with node_of_rank. Throws std::invalid_argument if a field is out of its range.
Schedule nbc_schedule(const NbcCase& what);

/// The number of levels that application threads can do: the height of the tree; 0 for a scan and a barrier.
int most_steps(const NbcCase& what);

/// Whether its tree is the one over nodes.
bool is_over_nodes(const NbcCase& what);

/// "bcast", ...; for messages.
std::string_view name_of(Nbc collective);

}  // namespace strata::mpix
