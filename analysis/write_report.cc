// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/write_report.h"

#include <algorithm>
#include <system_error>

#include "analysis/claims.h"
#include "analysis/derive.h"
#include "analysis/figures.h"
#include "analysis/markdown.h"
#include "analysis/plot.h"
#include "analysis/point_timeline.h"
#include "analysis/point_traffic.h"
#include "base/output_error.h"

namespace strata::analysis {

ReportFiles write_report(const Results& results, const std::vector<models::CheckRow>& checks,
                         const std::filesystem::path& into) {
  const std::vector<Table> tables = quantities(results);
  const std::vector<ClaimResult> claims = judge_claims(results, tables);
  const Figures charts = figures(results, tables, checks);

  std::error_code failed;
  std::filesystem::create_directories(into, failed);
  if (failed) throw OutputError(into.string(), "cannot be made: " + failed.message(), "choose another folder");
  ReportFiles files;
  for (const Chart& chart : charts.charts) files.plots.push_back(draw(chart, into));
  const std::vector<PointTraffic> traffic = summarize_traffic(results);
  const std::vector<PointTimeline> timelines = draw_timelines(results, into);
  for (const PointTimeline& t : timelines) {
    if (!t.picture.empty()) files.plots.push_back(into / t.picture);
  }
  files.markdown = into / "report.md";
  write_whole(files.markdown, report_markdown(results, tables, charts, claims, checks, timelines, traffic));
  files.all_agree = std::none_of(checks.begin(), checks.end(), [](const models::CheckRow& row) {
    return row.verdict == models::Verdict::kDisagrees;
  });
  return files;
}

}  // namespace strata::analysis
