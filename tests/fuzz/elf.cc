// SPDX-License-Identifier: LGPL-2.1-only
// A user's program.
#include "sim/program/elf_file.h"
#include "tests/fuzz/fuzz.h"

void strata::fuzz::read_input(const std::string& bytes) {
  const InputFile file(bytes);
  sim::read_elf(file.path());
}
