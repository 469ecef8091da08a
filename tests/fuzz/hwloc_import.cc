// SPDX-License-Identifier: LGPL-2.1-only
// hwloc XML through libhwloc, in a child as the command does it. The slowest target: a process for each input.
#include "platforms/isolated_import.h"
#include "tests/fuzz/fuzz.h"

void strata::fuzz::read_input(const std::string& bytes) {
  const InputFile file(bytes);
  import_isolated([&] { return import_node_xml(file.path()); }, "input");
}
