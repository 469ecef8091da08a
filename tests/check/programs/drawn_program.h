// SPDX-License-Identifier: LGPL-2.1-only
// Small random MPI programs, made from a seed: the operations of each rank, and a number that is the rank's outcome.
// orders.cc runs them; reductions_test.cc computes all of their outcomes independently.
#pragma once

#include <cstddef>
#include <random>
#include <utility>
#include <vector>

namespace strata::check {

enum class Way {
  kSend,
  kReceive,  // MPI_Recv
  kProbe,    // MPI_Probe, then MPI_Recv of the message that was found
  kLook,     // MPI_Iprobe, then MPI_Recv
  kTest,     // MPI_Irecv, MPI_Test, and MPI_Wait if it was not complete
  kPost,     // MPI_Irecv; completed by MPI_Waitany at the end
};

struct Operation {
  int rank = 0, peer = 0, tag = 0;
  Way way = Way::kSend;
  bool from_anybody = false, any_tag = false;  // of a receive
  bool large = false;                          // of a send: waits for its receive
};

inline constexpr int kDrawnRanks = 3;
inline constexpr int kSmallBytes = 4, kLargeBytes = 128, kEagerBytes = 64;  // bytes; kEagerBytes is the limit between
                                                                            // small and large

inline std::vector<Operation> drawn_program(unsigned seed) {
  std::mt19937 random(seed);  // the same in all ranks and on every system
  const auto draw = [&random](unsigned below) { return static_cast<int>(random() % below); };
  std::vector<Operation> all;
  for (int message = 0; message < 4; ++message) {
    const int from = draw(kDrawnRanks), to = (from + 1 + draw(kDrawnRanks - 1)) % kDrawnRanks, tag = 1 + draw(2);
    all.push_back({.rank = from, .peer = to, .tag = tag, .large = draw(3) == 0});
    all.push_back({.rank = to,
                   .peer = from,
                   .tag = tag,
                   .way = static_cast<Way>(1 + draw(5)),
                   .from_anybody = draw(3) > 0,
                   .any_tag = draw(3) == 0});
  }
  for (std::size_t i = all.size(); i-- > 1;) std::swap(all[i], all[draw(static_cast<unsigned>(i + 1))]);
  return all;
}

/// A rank's outcome after it has received a value with a flag, or with the index of the completed request.
inline unsigned with(unsigned outcome, int value, int flag) {
  return outcome * 31 + static_cast<unsigned>(value) * 5 + static_cast<unsigned>(flag) + 1;
}

}  // namespace strata::check
