// SPDX-License-Identifier: LGPL-2.1-only
// Writes machine.yaml; load_machine (machine.h), which reads it, is beside the writer in machine_yaml.cc.
#pragma once

#include <string>

#include "platforms/machine.h"

namespace strata {

/// The text of a machine.yaml; without `validation`, only what affects results.
std::string machine_yaml(const Machine& machine, bool validation);

}  // namespace strata
