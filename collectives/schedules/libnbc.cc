// SPDX-License-Identifier: LGPL-2.1-only
#include "collectives/schedules/libnbc.h"

#include <bit>

namespace strata::collectives {
namespace {

// nbc_bcast_init and nbc_reduce_init, Open MPI 5.0.7.
constexpr int kMostInLinear = 4, kMostInChain = 4;  // ranks
constexpr std::int64_t kLeastInChain = 65536;       // B

}  // namespace

Rounds libnbc_broadcast(const Collective& call, int rank) {
  return call.ranks <= kMostInLinear ? libnbc_linear_broadcast(call, rank) : libnbc_binomial_broadcast(call, rank);
}

bool libnbc_gets_late(const Collective& call, int rank) {
  const auto place = static_cast<unsigned>(libnbc_place(rank, call.root));
  return call.ranks > kMostInLinear && place != 0 && !std::has_single_bit(place);
}

Rounds libnbc_reduce(const Collective& call, int rank) {
  const auto power = static_cast<std::int64_t>(std::bit_floor(static_cast<unsigned>(call.ranks)));
  if (call.ranks > 2 && call.count >= power) return libnbc_halving_reduce(call, rank);
  if (call.ranks > kMostInChain || call.count * call.element_bytes < kLeastInChain) {
    return libnbc_binomial_reduce(call, rank);
  }
  return libnbc_chain_reduce(call, rank);
}

}  // namespace strata::collectives
