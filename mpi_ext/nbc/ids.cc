// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/nbc/ids.h"

namespace strata::mpix {

Ids::Turn Ids::next_turn(int world_rank) {
  const std::lock_guard guard(mutex_);
  return (static_cast<Turn>(world_rank) << 32) | turns_++;
}

Ids::Bits Ids::borrow(Turn turn, bool& borrowed) {
  const std::lock_guard guard(mutex_);
  borrowed = !borrowed_ && (waiting_.empty() || *waiting_.begin() >= turn);
  borrowed_ = borrowed_ || borrowed;
  Bits free{};
  for (std::size_t i = 0; borrowed && i < free.size(); ++i) free[i] = ~used_[i];
  return free;
}

void Ids::give_back(int id) {
  const std::lock_guard guard(mutex_);
  borrowed_ = false;
  if (id >= 0) used_[id / 64] |= std::uint64_t{1} << (id % 64);
}

void Ids::release(int id) {
  const std::lock_guard guard(mutex_);
  used_[id / 64] &= ~(std::uint64_t{1} << (id % 64));
}

Ids::Waiting::Waiting(Ids& ids, Turn turn) : ids_(ids), turn_(turn) {
  const std::lock_guard guard(ids_.mutex_);
  ids_.waiting_.insert(turn_);
}

Ids::Waiting::~Waiting() {
  const std::lock_guard guard(ids_.mutex_);
  ids_.waiting_.erase(turn_);
}

}  // namespace strata::mpix
