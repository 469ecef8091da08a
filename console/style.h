// SPDX-License-Identifier: LGPL-2.1-only
// Colours by meaning, on a terminal only:
//
//   fmt::print("{}\n", styled(Style::kGood, "no violation"));     green on a terminal, the same plain bytes in a pipe
//
// Pad a column before it is styled: escape sequences count as characters. A report is made as plain text, which also
// goes into files, and styled when it is printed:
//
//   styled_lines(report, {{"shard", Style::kHeading}, {"passed", Style::kGood}})
#pragma once

#include <cstdio>
#include <string>
#include <vector>

namespace strata::console {

enum class Style {
  kHeading,  // bold
  kGood,     // green: holds, passes, agrees
  kBad,      // red: violated, fails, an error
  kHint,     // dim: what to do next
};

/// The text, in colour if `to` shows colours (shows_colours).
std::string styled(Style style, const std::string& text, std::FILE* to = stdout);

/// A word or words at the start of a line, after blanks, as `holds` or `shard  state`.
struct Mark {
  std::string begin;
  Style style;  // kHeading and kHint: of the whole line; the others: of these words
};

/// Finished text, of which the marked lines are styled.
std::string styled_lines(const std::string& text, const std::vector<Mark>& marks, std::FILE* to = stdout);

}  // namespace strata::console
