// SPDX-License-Identifier: LGPL-2.1-only
// The samples of strata probe. A measurement read from damaged input must still be valid, because the fits rely on it.
#include "calibration/probe/probe_samples.h"

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/reader_guarantees.h"

void strata::fuzz::read_input(const std::string& bytes) {
  const InputFile file(bytes);
  check(calibration::read_probe(file.path()));
}
