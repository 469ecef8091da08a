// SPDX-License-Identifier: LGPL-2.1-only
// A bindings file for a small machine.
#include <memory>

#include "platforms/placement.h"
#include "platforms/topology.h"
#include "tests/fuzz/fuzz.h"

void strata::fuzz::read_input(const std::string& bytes) {
  static const std::shared_ptr<const Topology> machine = flat_cluster(import_node_synthetic("pack:2 core:4 pu:2"), 3);
  const InputFile file(bytes);
  format_bindings(read_bindings(file.path(), *machine));
}
