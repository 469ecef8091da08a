// SPDX-License-Identifier: LGPL-2.1-only
// Communication matrices in the common file formats. The format is detected from the contents, not from the file's
// name. The reader and writer of each format are in their own file:
//
//   dense text      0 108 0                                        dense.h; for example Open MPI's .mat
//                   108 0 64
//   .prof           E	0	1	108 bytes	27 msgs sent              profile.h
//   Matrix Market   %%MatrixMarket matrix coordinate ...           matrix_market.h
//
// Numbers are doubles: whole numbers up to 2^53 are exact, larger ones are rounded.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "records/matrix/pattern.h"

namespace strata {

enum class MatrixFormat { kDense, kProfile, kMatrixMarket };

/// The contents of one or several files.
struct MatrixFile {
  MatrixFormat format;
  Pattern bytes;                    // by sender (row) and receiver (column)
  std::optional<Pattern> messages;  // profiles only
};

/// Bytes by sender (row) and receiver (column). For a .prof: the kinds whose letters are in `kinds`, and with
/// `messages`, numbers of messages instead of bytes. Throws InputError with file, line and remedy for
///
/// - a matrix that is not square, or an empty file; fewer or more entries than declared; an index that is too large;
/// - an entry that is negative or not a number; entries whose sum exceeds 1e300;
/// - an order other than `order`, if that is not 0 (a profile may have fewer ranks, because it omits silent ones);
/// - a profile that has messages, but none of `kinds`;
/// - `messages` for a file without them.
Pattern read_matrix(const std::filesystem::path& file, int order = 0, const std::string& kinds = "EI",
                    bool messages = false);

/// The same with the whole contents. Several files must all be profiles, from the processes of one run; they are
/// merged.
MatrixFile read_matrix_files(const std::vector<std::filesystem::path>& files, int order = 0,
                             const std::string& kinds = "EI");

/// The text of a file. A profile has lines of kind E, with one message each if `messages` is null, and whole bytes.
/// Whole numbers are written as integers, others with all digits.
std::string format_matrix(const Pattern& bytes, MatrixFormat format, const Pattern* messages = nullptr);

}  // namespace strata
