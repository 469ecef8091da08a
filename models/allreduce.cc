// SPDX-License-Identifier: LGPL-2.1-only
#include "models/allreduce.h"

#include <bit>
#include <stdexcept>

#include "models/broadcast.h"
#include "models/reduce.h"

namespace strata::models {
namespace {

void add_recursive_doubling(Schedule& schedule, const Group& group, double bytes) {
  if (bytes == 0) return;
  const int p = group.size();
  const int q = static_cast<int>(std::bit_floor(static_cast<unsigned>(p)));
  const int pairs = p - q;
  for (int i = 0; i < pairs; ++i) {
    message(schedule, group.member(2 * i), group.member(2 * i + 1), bytes);
    combine(schedule, group.member(2 * i + 1), bytes);
  }
  // The second rank of each pair continues.
  const auto active = [&](int i) { return group.member(i < pairs ? 2 * i + 1 : i + pairs); };
  for (int distance = 1; distance < q; distance *= 2) {
    for (int i = 0; i < q; ++i) {
      const int rank = active(i), partner = active(i ^ distance);
      send_receive(schedule, rank, partner, bytes, partner, bytes);
      combine(schedule, rank, bytes);
    }
  }
  for (int i = 0; i < pairs; ++i) message(schedule, group.member(2 * i + 1), group.member(2 * i), bytes);
}

}  // namespace

void add_allreduce(Schedule& schedule, Algorithm algorithm, const Group& group, const Payload& payload) {
  switch (algorithm) {
    case Algorithm::kLinear:
    case Algorithm::kChain:
    case Algorithm::kPipeline:
    case Algorithm::kBinary:
    case Algorithm::kBinomial:
      add_reduce(schedule, algorithm, group.from_first(), payload);
      return add_broadcast(schedule, algorithm, group.from_first(), payload);
    case Algorithm::kRecursiveDoubling:
      return add_recursive_doubling(schedule, group, payload.bytes());
    default:
      throw std::invalid_argument("no allreduce '" + std::string(name_of(algorithm)) + "'");
  }
}

}  // namespace strata::models
