// SPDX-License-Identifier: LGPL-2.1-only
// CSV files of SMPI's platform-calibration. A measurement read from damaged input must still be valid, because the fits
// rely on it.
#include "calibration/readers/smpi_calibration.h"

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/reader_guarantees.h"

void strata::fuzz::read_input(const std::string& bytes) {
  const InputFile file(bytes);
  check(calibration::read_smpi_calibration(file.path(), "Package"));
}
