// SPDX-License-Identifier: LGPL-2.1-only
// Matrix Market, the exchange format of NIST (https://math.nist.gov/MatrixMarket/formats.html): ranks count from 1.
//
//   %%MatrixMarket matrix coordinate integer general
//   % row: sender, column: receiver
//   3 3 2
//   1 2 108
//   3 1 64
//
// Read are coordinate and array; real, integer and pattern (each entry is 1); general and symmetric. Entries of the
// same place are added. Written is coordinate, general, integer where all entries are whole, else real. In a results
// folder size.mtx and msg.mtx of a point's traffic are such files: bytes and messages of the whole program by sender
// and receiver, those that collectives and one-sided operations are made of included.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "records/matrix/matrix_text.h"
#include "records/matrix/pattern.h"

namespace strata {

/// Of a point's traffic: bytes, and numbers of messages.
inline constexpr const char* kBytesMatrixFile = "size.mtx";
inline constexpr const char* kMessagesMatrixFile = "msg.mtx";

/// An entry that is written to the last digit, also beyond 2^53.
struct WholeEntry {
  int row = 0, column = 0;  // from 0
  std::uint64_t value = 0;
};
/// The text of an integer matrix without comment: the entries in their order, zeroes left out.
std::string format_matrix_market(int order, const std::vector<WholeEntry>& entries);

namespace matrix_text {

/// Whether a file whose first word this is, is one of Matrix Market.
bool is_matrix_market(std::string_view first_word);

/// `order` is as read_matrix's (matrix_file.h); so are the errors.
Pattern read_matrix_market(Lines lines, int order);
std::string format_matrix_market(const Pattern& bytes);

}  // namespace matrix_text
}  // namespace strata
