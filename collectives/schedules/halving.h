// SPDX-License-Identifier: LGPL-2.1-only
// Reduce-scatter by recursive vector halving, the first part of Rabenseifner's reductions. Of 8 elements and ranks:
//
//   0 <-> 1, 2 <-> 3, ...   halves: even ranks keep 0..3, odd ones 4..7
//   0 <-> 2, 1 <-> 3, ...   quarters: rank 0 keeps 0..1, rank 2 keeps 2..3
//   0 <-> 4, 1 <-> 5, ...   rank 0 keeps element 0, rank 4 element 1
//
// If the number of ranks is not a power of two, the first 2 r of them, of p = 2^k + r, become r before: one rank of
// each pair reduces the data of both, and the other takes no further part. The libraries differ in three ways:
//
//                              Open MPI                   MPICH, reduce        MPICH, allreduce
//   who takes part of a pair   the even rank              the even rank        the odd rank
//   how a pair reduces         each rank a half           the whole vector     the whole vector
//   parts of 10 elements, 4    2, 3, 2, 3 (halves of it)  3, 3, 2, 2           3, 3, 2, 2
//
// Source: coll_base_reduce.c and coll_base_allreduce.c (..._redscat_gather, ..._redscat_allgather), Open MPI 4.1.4;
// reduce_intra_reduce_scatter_gather.c and allreduce_intra_reduce_scatter_allgather.c, MPICH 4.0.2; R. Rabenseifner,
// Optimization of Collective Reduction Operations, ICCS 2004.
#pragma once

#include <vector>

#include "collectives/schedules/collective.h"

namespace strata::collectives {

/// The parts of the vector that a rank has after each round.
struct Halving {
  struct Round {
    Range kept, given;  // in the sum's buffer
  };
  enum class Parts { kHalves, kBlocks };

  int power;            // of two: the ranks that take part
  int extra;            // those that do not
  bool is_odd = false;  // the rank of a pair that takes part
  Parts parts = Parts::kHalves;
  int number = -1;  // of this rank among those that take part; -1: it does not
  std::vector<Round> rounds = {};

  int rank(int of_number) const { return of_number < extra ? 2 * of_number + (is_odd ? 1 : 0) : of_number + extra; }
  bool is_in_pair(int of_rank) const { return of_rank < 2 * extra; }
  bool takes_part(int of_rank) const { return !is_in_pair(of_rank) || (of_rank % 2 != 0) == is_odd; }
  /// The number of a rank that takes part.
  int number_of(int of_rank) const { return is_in_pair(of_rank) ? of_rank / 2 : of_rank - extra; }
};

/// Open MPI's, before a number is known.
Halving halving_of(const Collective& call);
/// The parts of `number` in each round: the lower of two numbers keeps the lower part.
std::vector<Halving::Round> halving_rounds(const Halving& h, std::int64_t count, Buffer sum, int number);

/// The whole vector of this rank is in `sum`, where the reduced part of the last round will be. Uses kFirst. The
/// operation must be commutative, and the vector have at least as many elements as ranks take part.
Halving reduce_by_halving(const Collective& call, Buffer sum, int rank, Steps& steps);
/// The same as MPICH does it, in blocks.
Halving reduce_by_halving_blocks(const Collective& call, Buffer sum, bool is_odd, int rank, Steps& steps);

/// The parts become the whole vector of each rank that takes part.
void allgather_halves(const Halving& h, Steps& steps);
/// A message of this rank.
struct HalfTransfer {
  bool sends;
  int peer;
  Range part;
};
/// The messages by which they become the whole vector of the root, each after the one before it. If the root took no
/// part, rank 0 sends it its part, and it takes the place of rank 0.
std::vector<HalfTransfer> gather_of_halves(const Collective& call, Halving h, Buffer sum, int rank);
void gather_halves(const Collective& call, Halving h, Buffer sum, int rank, Steps& steps);

}  // namespace strata::collectives
