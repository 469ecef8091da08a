// SPDX-License-Identifier: LGPL-2.1-only
#include "records/matrix/dense.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/limits.h"

namespace strata::matrix_text {
namespace {

std::string_view without_comment(std::string_view line) { return line.substr(0, line.find('#')); }

}  // namespace

Pattern read_dense(Lines lines, int order) {
  std::vector<Flow> flows;
  Amounts amounts;
  long columns = 0, rows = 0;
  while (lines.next()) {
    Words words(without_comment(lines.line()), true);
    long column = 0;
    for (std::string_view word = words.next(); !word.empty(); word = words.next(), ++column) {
      if (rows > 0 && (column >= columns || rows == columns)) continue;  // too many: counted, and reported below
      const double bytes = amounts.read(word, lines);
      if (bytes != 0) flows.push_back({static_cast<int>(rows), static_cast<int>(column), bytes});
    }
    if (column == 0) continue;
    if (rows == 0) {
      columns = column;
      // The shortest entry is "1 ".
      flows.reserve(std::min<size_t>(static_cast<size_t>(columns) * columns, columns + lines.bytes_left() / 2 + 1));
    }
    if (column != columns) {
      lines.fail("row " + std::to_string(rows + 1) + " has " + std::to_string(column) + " numbers, the first has " +
                     std::to_string(columns),
                 "give a square matrix, a row a line");
    }
    if (rows == columns) {
      lines.fail("a row more than the " + std::to_string(columns) + " columns", "give a square matrix, a row a line");
    }
    ++rows;
    if (columns > kMostRanksInMemory)
      lines.fail("too many ranks", "give at most " + std::to_string(kMostRanksInMemory));
  }
  if (rows == 0) lines.fail_whole("has no numbers", kFormats);
  if (rows != columns) {
    lines.fail_whole(std::to_string(rows) + (rows == 1 ? " row of " : " rows of ") + std::to_string(columns) +
                         " numbers: not square",
                     "give as many rows as columns, a row a line");
  }
  check_order(columns, order, lines);
  return {static_cast<int>(columns), std::move(flows)};
}

std::string format_dense(const Pattern& bytes) {
  std::string text;
  for (int r = 0; r < bytes.order(); ++r) {
    const auto peers = bytes.peers(r);
    size_t next = 0;
    for (int c = 0; c < bytes.order(); ++c) {
      if (c > 0) text += ' ';
      if (next < peers.size() && peers[next] == c) {
        const double value = bytes.bytes(r)[next++];
        append_number(text, value, is_whole(value));
      } else {
        text += '0';
      }
    }
    text += '\n';
  }
  return text;
}

}  // namespace strata::matrix_text
