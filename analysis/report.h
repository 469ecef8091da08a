// SPDX-License-Identifier: LGPL-2.1-only
// What `strata report DIR` does: report.md and its plots from the results of a run.
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

/// Writes `into`/report.md and the plots beside it; makes the folder. The same results give the same bytes. Throws
/// InputError if records are missing or the study does not fit them, before anything is written, and where a trace
/// or a point's traffic is damaged; OutputError where a file cannot be written or gnuplot fails. report.md comes last:
/// where it is, its plots are.
ReportFiles write_report(const Results& results, const std::vector<models::CheckRow>& checks,
                         const std::filesystem::path& into);

}  // namespace strata::analysis
