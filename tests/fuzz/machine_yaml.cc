// SPDX-License-Identifier: LGPL-2.1-only
// machine.yaml, and the hash of the machine that is read.
#include "platforms/machine.h"
#include "tests/fuzz/fuzz.h"

void strata::fuzz::read_input(const std::string& bytes) {
  const InputFile file(bytes);
  const Machine machine = load_machine(file.path());
  if (machine.node.synthetic.empty()) return;  // the hash reads the XML file
  machine_hash(machine);
}
