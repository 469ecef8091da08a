// SPDX-License-Identifier: LGPL-2.1-only
// The pages of `strata report --report` and `strata exec --report`.
#pragma once

#include <filesystem>
#include <vector>

#include "analysis/page/program_json.h"
#include "records/record.h"

namespace strata::command {

/// Writes the page of these runs side by side, with the details of these points (empty: of all), and names it on
/// stdout. Returns false if a model disagrees with a simulation. Throws InputError and OutputError.
bool write_study_page(const std::filesystem::path& file, const std::vector<Results>& runs,
                      const std::vector<int>& points);

/// Writes the page of a program's run or of its replay, and names it on stderr. The page of a failed run has the
/// records that exist. Sets the page's command line.
void write_program_page(const std::filesystem::path& file, analysis::ProgramPage page);

}  // namespace strata::command
