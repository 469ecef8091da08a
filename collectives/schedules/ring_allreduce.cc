// SPDX-License-Identifier: LGPL-2.1-only
// Allreduce around a ring: each block goes around once and is combined at each rank, then the finished blocks go around
// once more. Of 8 ranks and blocks, rank r sends to r + 1:
//
//   blocks r, r - 1, ..., r - 6     and combines r - 1, ..., r - 7, so block r + 1 is finished here
//   blocks r + 1, r, ..., r - 5     finished ones
//
// The segmented ring does the first part in phases, each with a part of every block, so that no inbox is longer than a
// segment. Shorter vectors take the ring in its place, and vectors with fewer elements than ranks recursive doubling.
// Cost: 2 (p - 1) messages one after the other, 2 m (p - 1) / p bytes sent and m (p - 1) / p combined by each rank.
// Source: ompi_coll_base_allreduce_intra_ring and _ring_segmented, coll_base_allreduce.c, Open MPI 4.1.4.
#include "collectives/schedules/algorithms.h"
#include "collectives/schedules/vector_parts.h"

namespace strata::collectives {
namespace {

// `part(block)`: the part of a block, in the output, that goes around.
template <class Part>
void combine_around(const Collective& call, int rank, const Part& part, Steps& steps) {
  const int p = call.ranks, next = (rank + 1) % p, previous = (rank + p - 1) % p;
  const auto inbox = [&](int round) {
    // The receive is long enough for any rank's part.
    return Range{round % 2 == 0 ? Buffer::kFirst : Buffer::kSecond, 0, part((rank + p - round - 1) % p).count};
  };
  int received = steps.start_receive(previous, inbox(0));
  steps.send(next, part(rank));
  for (int round = 1; round + 1 < p; ++round) {
    const int following = steps.start_receive(previous, inbox(round));
    steps.wait(received);
    const Range block = part((rank + p - round) % p);
    steps.combine(inbox(round - 1), block);
    steps.send(next, block);
    received = following;
  }
  steps.wait(received);
  steps.combine(inbox(p - 2), part(next));
}

void gather_around(const Collective& call, int rank, const Blocks& blocks, Steps& steps) {
  const int p = call.ranks;
  for (int round = 0; round + 1 < p; ++round) {
    steps.send_receive((rank + 1) % p, blocks.range(Buffer::kOutput, (rank + 1 + p - round) % p), (rank + p - 1) % p,
                       blocks.range(Buffer::kOutput, (rank + p - round) % p));
  }
}

}  // namespace

void ring_allreduce(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  if (call.count < call.ranks) return recursive_doubling_allreduce(call, settings, rank, steps);
  if (!call.in_place) steps.copy({Buffer::kInput, 0, call.count}, {Buffer::kOutput, 0, call.count});
  const Blocks blocks{call.count, call.ranks};
  combine_around(
      call, rank, [&](int block) { return blocks.range(Buffer::kOutput, block); }, steps);
  gather_around(call, rank, blocks, steps);
}

void segmented_ring_allreduce(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  const std::int64_t segment = segment_elements(settings.segment_bytes, call.element_bytes, call.count);
  const std::int64_t together = call.ranks * segment;  // a segment of each block
  if (call.count < together) return ring_allreduce(call, settings, rank, steps);
  // The rest makes a phase of its own if it is more than half of one.
  const std::int64_t rest = call.count % together;
  const int phases = static_cast<int>(call.count / together + (rest >= call.ranks && rest > together / 2 ? 1 : 0));
  if (!call.in_place) steps.copy({Buffer::kInput, 0, call.count}, {Buffer::kOutput, 0, call.count});
  const Blocks blocks{call.count, call.ranks};
  for (int phase = 0; phase < phases; ++phase) {
    const auto part = [&](int block) {
      Range range = Blocks{blocks.elements(block), phases}.range(Buffer::kOutput, phase);
      range.first += blocks.first(block);
      return range;
    };
    combine_around(call, rank, part, steps);
  }
  gather_around(call, rank, blocks, steps);
}

}  // namespace strata::collectives
