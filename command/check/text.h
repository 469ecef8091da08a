// SPDX-License-Identifier: LGPL-2.1-only
// Parts of every report of `strata check`: numbers, counter-examples, and colours of verdicts.
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
/// Every line that is not empty moved to the right.
std::string indented(const std::string& text, int by);

/// `source`: of the property; may be empty. `again`: the command line that shows it again.
std::string text_of(const check::CounterExample& c, const std::string& source, const std::string& again);
/// Of a program: with the command line that shows it `again`, and its steps. Of a case, without: with its drawing.
Json json_of(const check::CounterExample& c, const std::string& again = {});
Json steps_json(const check::CounterExample& c);

/// How a report shows verdicts on a terminal.
const std::vector<console::Mark>& verdict_marks();

}  // namespace strata::command
