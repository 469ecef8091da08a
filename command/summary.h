// SPDX-License-Identifier: LGPL-2.1-only
// Prints the results of a study: its table on stdout, and its report.
#pragma once

#include <filesystem>
#include <vector>

#include "models/crosscheck.h"
#include "records/record.h"

namespace strata::command {

/// Prints the table. Returns 1 if a model disagrees, else 0.
int summarise(const Results& results, const std::vector<models::CheckRow>& checks);

/// Writes the report into a folder and prints the names of its files, each after `indent`.
void write_report_into(const std::filesystem::path& folder, const Results& results,
                       const std::vector<models::CheckRow>& checks, const char* indent = "");

}  // namespace strata::command
