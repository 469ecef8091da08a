// SPDX-License-Identifier: LGPL-2.1-only
// Colours by meaning, on a terminal only:
//
//   fmt::print("{}\n", styled(Style::kGood, "no violation"));     green on a terminal, the same plain bytes in a pipe
//
// Pad a column before you style it, because escape sequences count as characters. Reports also go into files, so they
// are made as plain text and styled when they are printed:
//
//   styled_lines(report, {{"shard", Style::kHeading}, {"passed", Style::kGood}})
#pragma once

#include <cstdio>
#include <string>
#include <vector>

namespace strata::console {

enum class Style {
  kHeading,  // bold
  kGood,     // green: a property holds, a check passes, results agree
  kBad,      // red: a property is violated, a check fails, an error
  kHint,     // dim: what the user can do next
};

/// The text, with colour if `to` shows colours (shows_colours).
std::string styled(Style style, const std::string& text, std::FILE* to = stdout);

/// One or more words at the start of a line, after any blanks, such as `holds` or `shard  state`.
struct Mark {
  std::string begin;
  Style style;  // kHeading and kHint style the whole line, the others only these words
};

/// Styles the marked lines of a finished text.
std::string styled_lines(const std::string& text, const std::vector<Mark>& marks, std::FILE* to = stdout);

}  // namespace strata::console
