// SPDX-License-Identifier: LGPL-2.1-only
#include "replay/changed_machine.h"

#include "base/error.h"

namespace strata::replay {

std::optional<Machine> changed_machine(const Machine& machine, const WhatIf& change) {
  try {
    return what_if(machine, {change});
  } catch (const InputError&) {
    return {};
  }
}

}  // namespace strata::replay
