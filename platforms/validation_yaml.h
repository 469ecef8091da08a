// SPDX-License-Identifier: LGPL-2.1-only
// Reads and writes the list `validation` of machine.yaml.
#pragma once

#include <vector>

#include "base/keys.h"
#include "base/yaml_reader.h"
#include "platforms/machine.h"

namespace strata {

/// The allowed values of `validation`.
Value validation_value();

/// Throws InputError with file, line and remedy.
std::vector<Validation> read_validation(const YamlReader& at);

/// Writes the key and its list; nothing for an empty list.
void emit_validation(YAML::Emitter& out, const std::vector<Validation>& all);

}  // namespace strata
