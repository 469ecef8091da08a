// SPDX-License-Identifier: LGPL-2.1-only
// A machine's tree in one line.
#include "platforms/topology.h"
#include "tests/fuzz/fuzz.h"

void strata::fuzz::read_input(const std::string& bytes) { parse_tree_line(bytes); }
