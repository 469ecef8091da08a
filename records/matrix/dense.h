// SPDX-License-Identifier: LGPL-2.1-only
// A dense matrix as text: one row on each line, numbers separated by blanks, tabs or commas; `#` starts a comment. Open
// MPI's .mat files (profile2mat) have this format.
//
//   # bytes, by sender (row) and receiver (column)
//   0 108 0
//   108 0 64
//   0 64 0
#pragma once

#include <string>

#include "records/matrix/matrix_text.h"
#include "records/matrix/pattern.h"

namespace strata::matrix_text {

/// `order` and errors are as for read_matrix (matrix_file.h).
Pattern read_dense(Lines lines, int order);
std::string format_dense(const Pattern& bytes);

}  // namespace strata::matrix_text
