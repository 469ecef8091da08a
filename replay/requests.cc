// SPDX-License-Identifier: LGPL-2.1-only
#include "replay/requests.h"

namespace strata::replay {

Requests::Requests(Kernel& kernel, const Programs& programs)
    : kernel_(kernel), waits_(static_cast<std::size_t>(kernel.ranks())) {
  for (int r = 0; r < kernel.ranks(); ++r) {
    std::size_t size = 1;
    while (size < static_cast<std::size_t>(programs.of(r).longest_wait)) size *= 2;
    first_.push_back(places_.size());
    masks_.push_back(size - 1);
    places_.resize(places_.size() + size);
  }
}

std::vector<std::size_t> Requests::sizes() const {
  std::vector<std::size_t> sizes;
  for (const std::size_t mask : masks_) sizes.push_back(mask + 1);
  return sizes;
}

int Requests::keep(bool done) {
  if (free_kept_.empty()) {
    free_kept_.push_back(static_cast<int>(kept_.size()));
    kept_.emplace_back();
  }
  const int number = free_kept_.back();
  free_kept_.pop_back();
  kept_[number] = {.done = done};
  return number;
}

void Requests::complete_kept(int number) {
  Kept& k = kept_[number];
  k.done = true;
  if (k.waiter < 0) return;
  free_kept_.push_back(number);
  tell(k.waiter);
}

void Requests::await_kept(int rank, int number) {
  Wait& w = of(rank);
  Kept& k = kept_[number];
  ++w.awaited;
  if (k.done) {
    ++w.complete;
    free_kept_.push_back(number);
  } else {
    k.waiter = rank;
    w.waits_for = kOneOfAWindow;
  }
}

}  // namespace strata::replay
