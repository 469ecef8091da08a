// SPDX-License-Identifier: LGPL-2.1-only
// A scenario's YAML.
#include "scenarios/scenario.h"

#include "tests/fuzz/fuzz.h"

void strata::fuzz::read_input(const std::string& bytes) {
  const InputFile file(bytes);
  load_scenario(file.path());
}
