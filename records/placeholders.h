// SPDX-License-Identifier: LGPL-2.1-only
// Names of parameters in braces in a program's arguments: with size 30, "-s={size}" becomes "-s=30". "{{" becomes a
// brace.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"

namespace strata {

/// The names in a text, in order. Throws std::invalid_argument for a brace that does not begin a name.
std::vector<std::string> names_in_braces(const std::string& text);

/// The text with names replaced by their values. Names without a value stay, with their braces.
std::string with_values(const std::string& text, const Json& parameters);

}  // namespace strata
