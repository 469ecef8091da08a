// SPDX-License-Identifier: LGPL-2.1-only
#include "command/summary.h"

#include <fmt/format.h>

#include <cstdio>

#include "analysis/console.h"
#include "analysis/write_report.h"
#include "command/print.h"

namespace strata::command {

int summarise(const Results& results, const std::vector<models::CheckRow>& checks) {
  print(analysis::console_table(results, checks), {{results.manifest.study.title, console::Style::kHeading}});
  for (const models::CheckRow& row : checks) {
    if (row.verdict == models::Verdict::kDisagrees) return 1;
  }
  return 0;
}

void write_report_into(const std::filesystem::path& folder, const Results& results,
                       const std::vector<models::CheckRow>& checks, const char* indent) {
  const analysis::ReportFiles files = analysis::write_report(results, checks, folder);
  fmt::print("{}{}\n", indent, files.markdown.string());
  for (const std::filesystem::path& plot : files.plots) fmt::print("{}{}\n", indent, plot.string());
}

}  // namespace strata::command
