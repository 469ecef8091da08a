// SPDX-License-Identifier: LGPL-2.1-only
// The tables of the OSU micro-benchmarks. A measurement read from damaged input must still be valid, because the fits
// rely on it.
#include "calibration/readers/osu.h"

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/reader_guarantees.h"

void strata::fuzz::read_input(const std::string& bytes) {
  const InputFile file(bytes);
  check(calibration::read_osu(file.path(), "Package"));
}
