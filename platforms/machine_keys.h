// SPDX-License-Identifier: LGPL-2.1-only
// The keys of a machine.yaml as tables (keys.h).
#pragma once

#include <string>
#include <vector>

#include "base/keys.h"

namespace strata {

/// The keys of the file; the keys of its mappings are in their values.
std::vector<Key> machine_keys();

/// docs/reference/machine.md and schemas/machine.schema.json.
std::string machine_reference();
std::string machine_schema();

}  // namespace strata
