// SPDX-License-Identifier: LGPL-2.1-only
// MPI_Allgatherv around a ring, in pieces: each rank sends its own block to the next rank, and then what it received,
// in pieces of 32 KiB if any block is longer. Nothing is sent for an empty block. For rank 1 of 3 with blocks of 2, 0
// and 1 pieces:
//
//   receives a piece of block 0 from 0; it has nothing to send, because its own block is empty
//   sends it to 2, receives the other piece from 0
//   sends that to 2, receives block 2 from 0
//
// Cost: (p - 1) m bytes sent by each rank. Source: MPIR_Allgatherv_intra_ring, allgatherv_intra_ring.c, MPICH 4.0.2.
#include <algorithm>

#include "collectives/schedules/gathered.h"
#include "collectives/schedules/mpich_algorithms.h"

namespace strata::collectives {
namespace {

// B: MPIR_CVAR_ALLGATHERV_PIPELINE_MSG_SIZE, src/mpi/coll/cvars.txt, MPICH 4.0.2.
constexpr std::int64_t kPieceBytes = 32768;

// The pieces of the blocks of `first`, `first` - 1, ... in the order in which they pass along an edge of the ring.
class Passing {
 public:
  Passing(const Collective& call, const Gathered& gathered, int first, int end, std::int64_t piece)
      : ranks_(call.ranks), gathered_(gathered), block_(first), piece_(piece) {
    left_ = gathered.total() - gathered.blocks(end).count;
  }

  bool is_done() const { return left_ == 0; }
  /// The next piece of the current block; empty if the block is.
  Range next() const {
    Range range = gathered_.blocks(block_);
    range.first += done_;
    range.count = is_done() ? 0 : std::min(piece_, range.count - done_);
    return range;
  }
  void pass(std::int64_t count) {
    left_ -= count;
    done_ += count;
    if (done_ < gathered_.blocks(block_).count) return;
    done_ = 0;
    block_ = (block_ + ranks_ - 1) % ranks_;
  }

 private:
  int ranks_;
  const Gathered& gathered_;
  int block_;
  std::int64_t piece_, done_ = 0, left_ = 0;
};

}  // namespace

void pipelined_ring_allgatherv(const Collective& call, const Settings&, int rank, Steps& steps) {
  const int p = call.ranks, left = (rank + p - 1) % p, right = (rank + 1) % p;
  const Gathered gathered(call);
  if (gathered.total() == 0) return;
  gathered.copy_own(rank, steps);
  std::int64_t longest = 0;
  for (int r = 0; r < p; ++r) longest = std::max(longest, gathered.blocks(r).count);
  if (longest * call.element_bytes > kPieceBytes) {
    longest = std::max<std::int64_t>(1, kPieceBytes / call.element_bytes);
  }
  Passing sent(call, gathered, rank, right, longest), received(call, gathered, left, rank, longest);
  while (!sent.is_done() || !received.is_done()) {
    const Range data = sent.next(), into = received.next();
    const int request = into.count > 0 ? steps.start_receive(left, into) : -1;
    if (data.count > 0) steps.send(right, data);
    steps.wait(request);
    sent.pass(data.count);
    received.pass(into.count);
  }
}

}  // namespace strata::collectives
