// SPDX-License-Identifier: LGPL-2.1-only
// Escapes text for GitHub-flavoured Markdown, so that no part of it becomes emphasis, a link, HTML or a table cell.
#pragma once

#include <string>
#include <vector>

namespace strata::analysis {

/// Escapes the special characters of Markdown: \ ` * _ [ ] < > | # ~ &; line feeds become spaces.
std::string markdown_text(const std::string& text);

/// A code block with a fence longer than any in `text`.
std::string markdown_code(const std::string& text);

/// A table row; the cells must already be Markdown.
std::string markdown_row(const std::vector<std::string>& cells);

/// The first two lines of a table: the headings (plain text) and the alignment, 'l' or 'r' for each column.
std::string markdown_head(const std::vector<std::string>& headings, const std::string& alignment);

}  // namespace strata::analysis
