// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/ideal_machine.h"

#include <string>

#include "base/error.h"

namespace strata {
namespace {

// The bandwidth of everything else relative to copying: so high that these times vanish in the rounding of doubles.
constexpr double kNever = 1e15;

Figure assume(double value, const char* unit, const std::string& why) {
  return {value, unit, "assumed: the idealised machine of IJHPCA'19, Section 6.2: " + why, value};
}

}  // namespace

Machine ideal_machine(int cores, Bytes buffer) {
  if (cores < 1 || cores > kMaxIdealCores) {
    throw InputError("--cores", std::to_string(cores) + " cores", "give 1 to " + std::to_string(kMaxIdealCores));
  }
  if (!(buffer.value > 0)) throw InputError("--bytes", "a buffer of nothing", "give at least 1 B");
  Machine m = machine_from_tree("[numa] core:" + std::to_string(cores) + " pu:1");
  m.name = "ideal-" + std::to_string(cores);
  m.description = "the idealised machine of the split-tree model: " + std::to_string(cores) +
                  " cores that copy the buffer in 1 s; all else is free";
  m.source = "assumed: IJHPCA'19, Section 6.2";
  m.core_speed = assume(1e9, "flop/s", "no time depends on it");
  m.copy_bandwidth = assume(buffer.value, "B/s", "the time to transfer the collective's buffer is the unit, 1 s");
  m.stated_combine_bandwidth = assume(kNever * buffer.value, "B/s", "combining is no part of the model");
  m.eager_limit = assume(1, "B", "the least; an eager message would be copied twice");
  m.stated_copies = assume(1, "copies", "a message takes one core");
  for (LevelCosts& c : m.levels) {
    c.latency = c.overhead = assume(0, "s", "latency is neglected");
    c.bandwidth = c.link_bandwidth =
        assume(kNever * buffer.value, "B/s", "no contention, and the copy is the transfer");
  }
  return m;
}

}  // namespace strata
