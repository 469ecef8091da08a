// SPDX-License-Identifier: LGPL-2.1-only
// Text that GitHub-flavoured Markdown shows as it is: nothing in it becomes emphasis, a link, HTML or a new cell.
#pragma once

#include <string>
#include <vector>

namespace strata::analysis {

/// Escapes what Markdown would read: \ ` * _ [ ] < > | # ~ &; line feeds become spaces.
std::string markdown_text(const std::string& text);

/// A code block with a fence longer than any in `text`.
std::string markdown_code(const std::string& text);

/// A row of a table; the cells are Markdown already.
std::string markdown_row(const std::vector<std::string>& cells);

/// The two first lines of a table: the headings (plain text) and the alignment, 'l' or 'r' a column.
std::string markdown_head(const std::vector<std::string>& headings, const std::string& alignment);

}  // namespace strata::analysis
