// SPDX-License-Identifier: LGPL-2.1-only
#include "replay/step_price.h"

#include <stdexcept>

#include "platforms/core_work.h"

namespace strata::replay {
namespace {

using Kind = TraceStep::Kind;

Price stream(const Machine& machine, flow::Memory* memory, int core, const Charge& c) {
  if (memory != nullptr)
    return {.work = &memory->stream(core, c.amount, c.moved, c.working_set < 0 ? c.moved : c.working_set)};
  return {.flops = streaming_flops(machine.core_speed.si, machine.combine_bandwidth().si, c.amount, c.moved)};
}

}  // namespace

Price price(const Machine& machine, flow::Memory* memory, int core, const Charge& c) {
  const double speed = machine.core_speed.si;
  switch (c.kind) {
    case Kind::kExecute:
      return {.flops = c.amount};
    case Kind::kFlops:
      if (memory != nullptr) return {.work = &memory->compute(core, c.amount / speed)};
      return {.flops = c.amount};
    case Kind::kSeconds: {
      const double flops = c.amount * speed;
      if (memory != nullptr) return {.work = &memory->compute(core, flops / speed)};
      return {.flops = flops};
    }
    case Kind::kMessageCopy:
      if (memory != nullptr) return {};
      [[fallthrough]];
    case Kind::kCopy:
      if (memory != nullptr) return {.work = &memory->copy(core, c.amount, c.moved)};
      return {.flops = moving_flops(speed, machine.copy_bandwidth.si, c.amount)};
    case Kind::kCombine:
      if (memory != nullptr) return {.work = &memory->combine(core, c.amount, c.moved)};
      return {.flops = moving_flops(speed, machine.combine_bandwidth().si, c.amount)};
    case Kind::kWork:
      return memory != nullptr ? stream(machine, memory, core, c) : Price{.flops = c.amount};
    case Kind::kStream:
      return stream(machine, memory, core, c);
    default:
      throw std::logic_error("a step that is not a computation");
  }
}

}  // namespace strata::replay
