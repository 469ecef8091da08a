// SPDX-License-Identifier: LGPL-2.1-only
// Command lines to copy into a terminal: `strata run my.yaml --set 'a=[1, 2]'`.
#pragma once

#include <string>
#include <vector>

namespace strata {

/// A command line that a POSIX shell splits into these words.
std::string shell_text(const std::vector<std::string>& words);

}  // namespace strata
