// SPDX-License-Identifier: LGPL-2.1-only
// links.csv of a point's traffic.
#include "records/links.h"

#include "tests/fuzz/fuzz.h"

void strata::fuzz::read_input(const std::string& bytes) {
  const InputFile file(bytes);
  read_links(file.path());
}
