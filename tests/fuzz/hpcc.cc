// SPDX-License-Identifier: LGPL-2.1-only
// The summary of HPCC. A measurement read from damaged input must still be valid, because the fits rely on it.
#include "calibration/readers/hpcc.h"

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/reader_guarantees.h"

void strata::fuzz::read_input(const std::string& bytes) {
  const InputFile file(bytes);
  check(calibration::read_hpcc(file.path(), [](int processes, int) {
    return calibration::PairLevels{.innermost = processes > 4 ? "L3" : "Package", .outermost = "Package"};
  }));
}
