// SPDX-License-Identifier: LGPL-2.1-only
// Prints results on stdout: reports, whose headings and verdicts are coloured on a terminal, and JSON documents, all in
// the same form.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "console/style.h"

namespace strata::command {

void print(const std::string& text, const std::vector<console::Mark>& marks = {});

/// A document as one line, as needed for `strata hsplit --json | jq`, without a newline. Invalid UTF-8 becomes U+FFFD.
std::string line_of(const Json& document);
void print(const Json& document);

}  // namespace strata::command
