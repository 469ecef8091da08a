// SPDX-License-Identifier: LGPL-2.1-only
// Matrix Market, the exchange format of NIST (https://math.nist.gov/MatrixMarket/formats.html): ranks count from 1.
//
//   %%MatrixMarket matrix coordinate integer general
//   % row: sender, column: receiver
//   3 3 2
//   1 2 108
//   3 1 64
//
// The reader supports coordinate and array; real, integer and pattern (each entry is 1); general and symmetric. Entries
// at the same position are added. The writer uses coordinate, general, and integer if all entries are whole, otherwise
// real. size.mtx and msg.mtx in a point's traffic folder are such files: bytes and messages of the whole program by
// sender and receiver, including those inside collectives and one-sided operations.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "records/matrix/matrix_text.h"
#include "records/matrix/pattern.h"

namespace strata {

/// In a point's traffic folder: bytes, and numbers of messages.
inline constexpr const char* kBytesMatrixFile = "size.mtx";
inline constexpr const char* kMessagesMatrixFile = "msg.mtx";

/// An entry that is written with all digits, even above 2^53.
struct WholeEntry {
  int row = 0, column = 0;  // from 0
  std::uint64_t value = 0;
};
/// The text of an integer matrix without comments: the entries in their order, without zeroes.
std::string format_matrix_market(int order, const std::vector<WholeEntry>& entries);

namespace matrix_text {

/// Whether a file with this first word is a Matrix Market file.
bool is_matrix_market(std::string_view first_word);

/// `order` and errors are as for read_matrix (matrix_file.h).
Pattern read_matrix_market(Lines lines, int order);
std::string format_matrix_market(const Pattern& bytes);

}  // namespace matrix_text
}  // namespace strata
