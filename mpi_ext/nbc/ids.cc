#include "mpi_ext/nbc/ids.h"

#include <utility>

namespace strata::mpix {

Ids::Bits Ids::borrow(bool& borrowed) {
  const std::lock_guard guard(mutex_);
  borrowed = !std::exchange(borrowed_, true);
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

}  // namespace strata::mpix
