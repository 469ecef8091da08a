// SPDX-License-Identifier: LGPL-2.1-only
// Communication matrices in files: the formats that the field uses, told apart by what is in them and not by their
// names. Each has its reader and writer in a file of its own:
//
//   dense text      0 108 0                                        dense.h; Open MPI's .mat is one
//                   108 0 64
//   .prof           E	0	1	108 bytes	27 msgs sent              profile.h
//   Matrix Market   %%MatrixMarket matrix coordinate ...           matrix_market.h
//
// Numbers are doubles: whole ones are exact up to 2^53, larger ones the nearest that a double can be.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "records/matrix/pattern.h"

namespace strata {

enum class MatrixFormat { kDense, kProfile, kMatrixMarket };

/// What the files say.
struct MatrixFile {
  MatrixFormat format;
  Pattern bytes;                    // by sender (row) and receiver (column)
  std::optional<Pattern> messages;  // of a profile
};

/// Bytes by sender (row) and receiver (column). Of a .prof the kinds whose letters `kinds` has, and messages instead of
/// bytes where `messages` is set. Throws InputError with file, line and what would be right: not square, a negative or
/// non-numeric entry, an index beyond the size, fewer or more entries than said, an empty file; where `order` is not 0
/// and the matrix has another (a profile may have fewer: who is silent is not named); a profile without messages of
/// these kinds where it has others; `messages` of a file that has none; entries whose sum is beyond 1e300.
Pattern read_matrix(const std::filesystem::path& file, int order = 0, const std::string& kinds = "EI",
                    bool messages = false);

/// The same with all that the files say. Several, of which all must be profiles, are joined: what the processes of one
/// run wrote.
MatrixFile read_matrix_files(const std::vector<std::filesystem::path>& files, int order = 0,
                             const std::string& kinds = "EI");

/// The text of a file. Of kProfile the lines are of kind E, with one message each where `messages` is null, and bytes
/// are whole. Numbers are written as integers where they are, else with all digits.
std::string format_matrix(const Pattern& bytes, MatrixFormat format, const Pattern* messages = nullptr);

}  // namespace strata
