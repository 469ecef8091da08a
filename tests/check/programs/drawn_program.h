// SPDX-License-Identifier: LGPL-2.1-only
// Small MPI programs that are drawn from a seed: what each rank does, and the number that it ends with. orders.cc runs
// them; reductions_test.cc finds all of their outcomes by itself.
#pragma once

#include <cstddef>
#include <random>
#include <utility>
#include <vector>

namespace strata::check {

enum class Way {
  kSend,
  kReceive,  // MPI_Recv
  kProbe,    // MPI_Probe, then MPI_Recv of what it has found
  kLook,     // MPI_Iprobe, then MPI_Recv
  kTest,     // MPI_Irecv, MPI_Test, and MPI_Wait where it was not complete
  kPost,     // MPI_Irecv; MPI_Waitany completes these at the end, one after the other
};

struct Operation {
  int rank = 0, peer = 0, tag = 0;
  Way way = Way::kSend;
  bool from_anybody = false, any_tag = false;  // of a receive
  bool large = false;                          // of a send: waits for its receive
};

inline constexpr int kDrawnRanks = 3;
inline constexpr int kSmallBytes = 4, kLargeBytes = 128, kEagerBytes = 64;  // the limit between them

inline std::vector<Operation> drawn_program(unsigned seed) {
  std::mt19937 random(seed);  // the same in all ranks, and everywhere
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
  for (std::size_t i = all.size(); i-- > 1;)
    std::swap(all[i], all[static_cast<std::size_t>(draw(static_cast<unsigned>(i + 1)))]);
  return all;
}

/// A rank's outcome once it has got a number and seen a flag, or which of several was complete.
inline unsigned with(unsigned outcome, int value, int flag) {
  return outcome * 31 + static_cast<unsigned>(value) * 5 + static_cast<unsigned>(flag) + 1;
}

}  // namespace strata::check
