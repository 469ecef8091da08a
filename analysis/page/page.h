// SPDX-License-Identifier: LGPL-2.1-only
// The page of one run, or of several side by side: a self-contained HTML file that needs no network. It consists of the
// data as one JSON document (schemas/page.schema.json) and the scripts in this folder, which draw the data.
//
//   {"schema":"strata.page/1","title":...,"command":"strata report DIR --report FILE","runs":[R,...]}
//
// R is a run as made by study_json.h or program_json.h. Numbers are those of the records in full precision. If there
// are too many, they are aggregated (see the headers in this folder), and the page says so.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/json.h"

namespace strata::analysis {

/// The document above.
Json page_document(std::vector<Json> runs, const std::string& command);

/// The whole file. The same document gives the same bytes.
std::string page_html(const Json& document);

/// JSON for a <script> element: no text in it can end the script or begin a comment.
std::string json_for_script(const Json& document);

/// Writes the page, completely or not at all. Throws OutputError.
void write_page(const std::filesystem::path& file, std::vector<Json> runs, const std::string& command);

}  // namespace strata::analysis
