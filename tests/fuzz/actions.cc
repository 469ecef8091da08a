// SPDX-License-Identifier: LGPL-2.1-only
// Actions of SMPI, and lists of their files.
#include "records/foreign/actions.h"

#include "tests/fuzz/fuzz.h"

void strata::fuzz::read_input(const std::string& bytes) {
  is_actions(bytes);
  const InputFile file(bytes);
  read_actions(file.path());
}
