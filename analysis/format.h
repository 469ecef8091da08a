// SPDX-License-Identifier: LGPL-2.1-only
// Formats parameters for people. console/number.h formats numbers.
#pragma once

#include <string>

#include "base/json.h"
#include "base/shell_text.h"
#include "console/number.h"

namespace strata::analysis {

using console::range_text;
using console::Scale;
using console::scale_for;
using console::shortest;
using console::shown_unit;
using console::significant;
using console::tick_text;
using console::with_unit;

/// A parameter's value: texts without quotes, numbers as given.
std::string value_text(const Json& value);

/// "algorithm = linear, elements = 1000".
std::string parameters_text(const Json& parameters);

/// The value if it is a text, or name and value if it is a number, joined by commas: "linear, root 3". Used as the name
/// of a line in a plot or a block in a table.
std::string label_text(const Json& parameters);

/// "0-5,7" for a list of ranks.
std::string rank_ranges(const Json& list);

using strata::shell_text;

}  // namespace strata::analysis
