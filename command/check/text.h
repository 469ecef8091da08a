// SPDX-License-Identifier: LGPL-2.1-only
// Common parts of all reports of `strata check`: numbers, counter-examples, and colours of verdicts.
#pragma once

#include <string>
#include <vector>

#include "check/engine/counter_example.h"
#include "console/style.h"
#include "records/record.h"

namespace strata::command {

/// 1,234,567.
std::string grouped(long n);
/// "1 case", "1,234 cases".
std::string counted(long n, const std::string& one);
/// Indents every line that is not empty.
std::string indented(const std::string& text, int by);

/// `source`: of the property; may be empty. `again`: the command line that replays it.
std::string text_of(const check::CounterExample& c, const std::string& source, const std::string& again);
/// For a program: with its steps and the command line that replays it (`again`). For a case, without `again`: with its
/// drawing.
Json json_of(const check::CounterExample& c, const std::string& again = {});
Json steps_json(const check::CounterExample& c);

/// The colours of verdicts on a terminal.
const std::vector<console::Mark>& verdict_marks();

}  // namespace strata::command
