// SPDX-License-Identifier: LGPL-2.1-only
// Results on stdout: reports with the headings and verdicts that a terminal shows in colour, and JSON documents, all in
// one form.
#pragma once

#include <string>
#include <vector>

#include "console/style.h"
#include "records/json.h"

namespace strata::command {

void print(const std::string& text, const std::vector<console::Mark>& marks = {});

/// One line, as `strata hsplit --json | jq` takes it, without a newline inside. Text that is not UTF-8 gets U+FFFD.
std::string line_of(const Json& document);
void print(const Json& document);

}  // namespace strata::command
