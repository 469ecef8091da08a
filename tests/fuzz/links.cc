// SPDX-License-Identifier: LGPL-2.1-only
// links.csv of a point's traffic.
#include "analysis/point_traffic.h"
#include "tests/fuzz/fuzz.h"

void strata::fuzz::read_input(const std::string& bytes) {
  const InputFile file(bytes);
  analysis::read_links(file.path());
}
