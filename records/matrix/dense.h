// SPDX-License-Identifier: LGPL-2.1-only
// A dense matrix as text: a row on each line, numbers separated by blanks, tabs or commas; `#` starts a comment. Open
// MPI's .mat (profile2mat) is one.
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

/// `order` is as read_matrix's (matrix_file.h); so are the errors.
Pattern read_dense(Lines lines, int order);
std::string format_dense(const Pattern& bytes);

}  // namespace strata::matrix_text
