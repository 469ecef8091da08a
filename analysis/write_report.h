// SPDX-License-Identifier: LGPL-2.1-only
// `strata report DIR`: writes report.md and its plots from the results of a run.
#pragma once

#include <filesystem>
#include <vector>

#include "models/crosscheck.h"
#include "records/record.h"

namespace strata::analysis {

struct ReportFiles {
  std::filesystem::path markdown;
  std::vector<std::filesystem::path> plots;
  bool all_agree = true;  // no row of the cross-check disagrees
};

/// Writes `into`/report.md and the plots beside it, and creates the folder if needed. The same results give the same
/// bytes. Throws InputError before writing anything if records are missing or the study does not fit them, and also if
/// a trace or a point's traffic is damaged; OutputError if a file cannot be written or gnuplot fails. report.md is
/// written last, so if it exists, its plots do too.
ReportFiles write_report(const Results& results, const std::vector<models::CheckRow>& checks,
                         const std::filesystem::path& into);

}  // namespace strata::analysis
