// SPDX-License-Identifier: LGPL-2.1-only
// The page of one run, or of several side by side: one HTML file that needs nothing else, not even a network. It has
// the data as one JSON document (schemas/page.schema.json), and the scripts of this folder, which draw them.
//
//   {"schema":"strata.page/1","title":...,"command":"strata report DIR --html FILE","runs":[R,...]}
//
// R is what study_json.h or program_json.h makes of a run. Numbers are those of the records, in full precision; where
// there are too many, they are summed (the headers of this folder say how), and the page says so.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "records/json.h"

namespace strata::analysis {

/// The document above.
Json page_document(std::vector<Json> runs, const std::string& command);

/// The whole file. The same document gives the same bytes.
std::string page_html(const Json& document);

/// JSON for a <script>: no text in it ends the script, or begins a comment in it.
std::string json_for_script(const Json& document);

/// Writes the page, whole or not at all. Throws OutputError.
void write_page(const std::filesystem::path& file, std::vector<Json> runs, const std::string& command);

}  // namespace strata::analysis
