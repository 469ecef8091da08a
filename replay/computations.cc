// SPDX-License-Identifier: LGPL-2.1-only
#include "replay/computations.h"

#include <utility>

#include "replay/step_price.h"

namespace strata::replay {

using Kind = TraceStep::Kind;

Computations::Computations(Kernel& kernel, bool native)
    : kernel_(kernel),
      memory_(native ? nullptr : kernel.memory()),
      working_set_(static_cast<std::size_t>(kernel.ranks()), kNoWorkingSet),
      polled_(kernel.machine().topology->cores().size()) {}

void Computations::start(int rank, const Op& op) {
  Charge c{.kind = op.kind, .amount = op.amount, .moved = op.moved};
  if (op.kind == Kind::kWork || op.kind == Kind::kStream)
    c.working_set = std::exchange(working_set_[rank], kNoWorkingSet);
  kernel_.observer().work(rank, c, -1, kernel_.now());
  const bool is_copy = op.kind == Kind::kCopy || op.kind == Kind::kCombine;
  const Price p = price(kernel_.machine(), is_copy ? kernel_.memory() : memory_, kernel_.core(rank), c);
  if (p.work != nullptr) {
    kernel_.work(rank, *p.work);
  } else {
    kernel_.compute(rank, p.flops);
  }
}

bool Computations::look(int rank, const Op& op) {
  const std::optional<Figure>& polling = kernel_.machine().polling;
  const double looks_s = polling && polling->si > 0 ? polling->si * polled(rank) : -1;
  polled(rank) -= op.amount;
  if (looks_s < 0) return true;
  start(rank, {.kind = Kind::kSeconds, .amount = looks_s});
  return false;
}

}  // namespace strata::replay
