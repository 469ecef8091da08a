// SPDX-License-Identifier: LGPL-2.1-only
// A Paje trace, and the phases found in it.
#include "records/paje.h"

#include "analysis/timeline_queries.h"
#include "tests/fuzz/fuzz.h"

void strata::fuzz::read_input(const std::string& bytes) {
  const InputFile file(bytes);
  analysis::find_phase(read_paje(file.path()), "measured");
}
