// SPDX-License-Identifier: LGPL-2.1-only
// Names of parameters in braces, in a program's arguments: with size 30, "-s={size}" becomes "-s=30", and
// "{{" a brace.
#pragma once

#include <string>
#include <vector>

#include "records/json.h"

namespace strata {

/// The names in a text, in their order. Throws std::invalid_argument for a brace that begins none.
std::vector<std::string> names_in_braces(const std::string& text);

/// The text with values in the place of names. Names without a value stay, with their braces.
std::string with_values(const std::string& text, const Json& parameters);

}  // namespace strata
