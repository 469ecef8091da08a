// SPDX-License-Identifier: LGPL-2.1-only
#include "models/barrier.h"

#include <array>
#include <bit>
#include <stdexcept>

#include "models/broadcast.h"
#include "models/reduce.h"

namespace strata::models {
namespace {

constexpr std::array kNothing = {0.0};  // one segment of 0 bytes

void signal(Schedule& schedule, int from, int to) {
  send(schedule, from, to, 0);
  receive(schedule, to, from, 0);
}

void exchange(Schedule& schedule, int a, int b) {
  send_receive(schedule, a, b, 0, b, 0);
  send_receive(schedule, b, a, 0, a, 0);
}

void add_recursive_doubling(Schedule& schedule, const Group& group) {
  const int p = group.size();
  const int q = static_cast<int>(std::bit_floor(static_cast<unsigned>(p)));
  // Ranks from q on post the receive of their release at the start.
  for (int i = q; i < p; ++i) {
    const int rank = group.member(i), partner = group.member(i - q);
    send_receive(schedule, rank, partner, 0, partner, 0);
    receive(schedule, partner, rank, 0);
  }
  for (int distance = 1; distance < q; distance *= 2) {
    for (int i = 0; i < q; ++i) {
      if (i < (i ^ distance)) exchange(schedule, group.member(i), group.member(i ^ distance));
    }
  }
  for (int i = q; i < p; ++i) send(schedule, group.member(i - q), group.member(i), 0);
}

[[noreturn]] void refuse(Algorithm algorithm) {
  throw std::invalid_argument("no barrier '" + std::string(name_of(algorithm)) + "'");
}

}  // namespace

void add_arrival(Schedule& schedule, Algorithm algorithm, const Group& group) {
  if (algorithm == Algorithm::kBinomial) {
    return add_tree_reduce(schedule, binomial_tree(group.size()), group.from_first(), kNothing);
  }
  if (algorithm != Algorithm::kLinear) refuse(algorithm);
  for (int i = 1; i < group.size(); ++i) signal(schedule, group.member(i), group.member(0));
}

void add_release(Schedule& schedule, Algorithm algorithm, const Group& group) {
  if (algorithm == Algorithm::kBinomial) {
    return add_tree_broadcast(schedule, binomial_tree(group.size()), group.from_first(), kNothing, Sends::kInTurn);
  }
  if (algorithm != Algorithm::kLinear) refuse(algorithm);
  for (int i = 1; i < group.size(); ++i) signal(schedule, group.member(0), group.member(i));
}

void add_barrier(Schedule& schedule, Algorithm algorithm, const Group& group) {
  if (algorithm == Algorithm::kRecursiveDoubling) return add_recursive_doubling(schedule, group);
  add_arrival(schedule, algorithm, group);
  add_release(schedule, algorithm, group);
}

}  // namespace strata::models
