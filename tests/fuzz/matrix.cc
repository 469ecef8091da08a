// SPDX-License-Identifier: LGPL-2.1-only
// Communication matrices: dense text, Open MPI's .mat and .prof, Matrix Market.
#include "records/matrix/matrix_file.h"
#include "tests/fuzz/fuzz.h"

void strata::fuzz::read_input(const std::string& bytes) {
  const InputFile file(bytes);
  const MatrixFile matrix = read_matrix_files({file.path()});
  format_matrix(matrix.bytes, MatrixFormat::kMatrixMarket);
}
