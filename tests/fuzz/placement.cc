// SPDX-License-Identifier: LGPL-2.1-only
// A placement file for a fixed node: hwloc_import covers libhwloc's own readers.
#include "base/error.h"
#include "records/exchange/placement_file.h"
#include "tests/fuzz/fuzz.h"

void strata::fuzz::read_input(const std::string& bytes) {
  if (bytes.find("node-") != std::string::npos) throw InputError("input", "has a node of its own");
  const InputFile file("node-synthetic pack:2 core:2 pu:1\n" + bytes);
  read_placement_file(file.path());
}
