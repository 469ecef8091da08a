// Communication matrices in files: the formats that the field uses, read by what is in them and not by their names.
//
//   dense text    a row a line, numbers separated by blanks, tabs or commas; `#` starts a comment. Open MPI's .mat
//                 (profile2mat) is such a one.
//   .prof         Open MPI's monitoring: lines "E 0 1 108 bytes 27 msgs sent" of kinds E, I, C, S, R
//   Matrix Market coordinate or array; real, integer or pattern; general or symmetric
#pragma once

#include <filesystem>
#include <string>

#include "mpi_ext/reorder/pattern.h"

namespace strata::mpix {

enum class MatrixFormat { kDense, kProfile, kMatrixMarket };

/// Bytes by sender (row) and receiver (column). Of a .prof the kinds whose letters `kinds` has, and messages instead of
/// bytes where `messages` is set. Throws InputError with file, line and what would be right: not square, a negative or
/// non-numeric entry, an index beyond the size, fewer or more entries than said, an empty file; where `order` is not 0
/// and the matrix has another.
Pattern read_matrix(const std::filesystem::path& file, int order = 0, const std::string& kinds = "EI",
                    bool messages = false);

/// The text of a file. Of kProfile the lines are of kind E with one message each where `messages` is null. Numbers are
/// written as integers where they are, else with all digits.
std::string format_matrix(const Pattern& bytes, MatrixFormat format, const Pattern* messages = nullptr);

}  // namespace strata::mpix
