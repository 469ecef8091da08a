// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/reproduction.h"

#include <fmt/format.h>

#include "analysis/causes.h"
#include "analysis/claims.h"
#include "analysis/derive.h"
#include "analysis/format.h"
#include "analysis/markdown_text.h"
#include "platforms/error.h"

namespace strata::analysis {

std::string reproduction_page(const std::vector<Results>& runs) {
  if (runs.empty()) throw InputError("reproduction", "no run is given", "give at least one results folder");
  std::string sources, commands, rows;
  int total = 0, reproduced = 0, unknown = 0;
  Causes causes;
  for (const Results& run : runs) {
    const Manifest& m = run.manifest;
    const std::vector<Table> tables = quantities(run);
    const Table& metric = tables.front();
    sources += markdown_row({markdown_text(m.study.scenario), markdown_text(m.study.title), markdown_text(m.machine),
                             "`" + m.machine_hash + "`", m.study.ranks_text(),
                             fmt::format("{} of {}", metric.cells.size() - metric.missing(), metric.cells.size())});
    commands += (commands.empty() ? "" : "\n") + shell_text(m.command_line);
    const std::vector<ClaimResult> claims = judge_claims(run, tables);
    causes.add(m.study.scenario, claims);
    for (const ClaimResult& r : claims) {
      ++total;
      if (r.outcome == Outcome::kReproduced) ++reproduced;
      if (r.outcome == Outcome::kUnknown) ++unknown;
      rows += markdown_row({markdown_text(r.claim.paper), markdown_text(r.claim.text), markdown_text(m.study.scenario),
                            paper_value_text(r), r.ours ? with_unit(*r.ours, r.unit, 3) : "-",
                            r.ratio ? significant(*r.ratio, 3) : "-", relation_text(r.claim), outcome_text(r.outcome),
                            cause_text(r), markdown_text(why_text(r))});
    }
  }
  std::string out =
      "<!-- Generated from results folders; do not edit: run the scenarios below and generate it again. -->\n\n"
      "# What of the papers is reproduced\n\n"
      "The papers' numbers are targets to compare with and never inputs. A claim is reproduced where ours is within "
      "the\n"
      "stated factor of the paper's value in either direction, or, where the claim is a bound, at least or at most "
      "that "
      "value.\n\n";
  out += fmt::format("Claims: {} of {} reproduced, {} not reproduced, {} unknown.\n\n", reproduced, total,
                     total - reproduced - unknown, unknown);
  if (const std::string counted = causes.markdown(); !counted.empty()) {
    out += "Why claims are not reproduced, by what their scenarios name as the cause (`missing`):\n\n" + counted;
  }
  out += "## Claims\n\n";
  out += markdown_head({"paper and place", "claim", "scenario", "paper's value", "ours", "ratio", "within",
                        "reproduced?", "cause", "why"},
                       "lllrrrrlll");
  out += rows;
  out += "\n## Runs\n\n";
  out += markdown_head({"scenario", "title", "machine", "machine hash", "ranks", "points"}, "llllrr");
  out += sources;
  out += "\n" + markdown_code(commands);
  return out;
}

}  // namespace strata::analysis
