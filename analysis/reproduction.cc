// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/reproduction.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analysis/causes.h"
#include "analysis/claims.h"
#include "analysis/derive.h"
#include "analysis/format.h"
#include "analysis/markdown_text.h"
#include "base/error.h"
#include "base/svg_text.h"

namespace strata::analysis {
namespace {

// The claims of one paper in one scenario.
struct Part {
  std::string scenario, title;
  std::vector<ClaimResult> claims = {};
};

struct Paper {
  std::string name;  // "EuroMPI'18": the first words of its claims' places
  std::vector<Part> parts = {};
};

std::string paper_of(const Claim& claim) { return claim.paper.substr(0, claim.paper.find(',')); }

std::string place_of(const Claim& claim) {
  const std::size_t comma = claim.paper.find(", ");
  return comma == std::string::npos ? claim.paper : claim.paper.substr(comma + 2);
}

template <typename Item, typename Name>
Item& found_or_added(std::vector<Item>& items, Name Item::*name, const Item& item) {
  const auto found =
      std::find_if(items.begin(), items.end(), [&](const Item& other) { return other.*name == item.*name; });
  return found == items.end() ? items.emplace_back(item) : *found;
}

std::size_t count(const std::vector<ClaimResult>& claims, Outcome outcome) {
  return std::count_if(claims.begin(), claims.end(), [&](const ClaimResult& r) { return r.outcome == outcome; });
}

// The cause of a claim that is not reproduced, such as "parameter"; empty for others.
std::string cause_of(const ClaimResult& r) {
  return r.outcome == Outcome::kReproduced || r.outcome == Outcome::kUnknown ? "" : cause_text(r);
}

// "2 parameter, 1 paper": claims that are not reproduced by cause, in the order of first occurrence.
std::string causes_text(const std::vector<ClaimResult>& claims) {
  std::vector<std::pair<std::string, int>> counts;
  for (const ClaimResult& r : claims) {
    const std::string cause = r.outcome == Outcome::kUnknown ? "unknown" : cause_of(r);
    if (!cause.empty()) ++found_or_added(counts, &std::pair<std::string, int>::first, {cause, 0}).second;
  }
  std::vector<std::string> words;
  for (const auto& [cause, number] : counts) words.push_back(fmt::format("{} {}", number, cause));
  return fmt::format("{}", fmt::join(words, ", "));
}

// A row for each scenario.
std::string summary(const Paper& paper) {
  std::string out = markdown_head({"scenario", "claims", "reproduced", "not reproduced, by cause"}, "lrrl");
  for (const Part& part : paper.parts) {
    out += markdown_row({markdown_text(part.title), std::to_string(part.claims.size()),
                         std::to_string(count(part.claims, Outcome::kReproduced)),
                         markdown_text(causes_text(part.claims))});
  }
  return out;
}

// The claims of a scenario in a folded section: a table, with the notes below it.
std::string details(const Part& part) {
  std::string out =
      fmt::format("<details markdown=\"1\">\n<summary>{}: {} of {} reproduced</summary>\n\nScenario `{}`\n\n",
                  svg_escape(part.title), count(part.claims, Outcome::kReproduced), part.claims.size(), part.scenario);
  out += markdown_head({"place", "claim", "paper's value", "ours", "ratio", "within", "reproduced?"}, "llrrrrl");
  std::string reasons;
  for (const ClaimResult& r : part.claims) {
    const std::string cause = cause_of(r);
    out += markdown_row({markdown_text(place_of(r.claim)), markdown_text(r.claim.text), paper_value_text(r),
                         r.ours ? with_unit(*r.ours, r.unit, 3) : "-", r.ratio ? significant(*r.ratio, 3) : "-",
                         relation_text(r.claim), outcome_text(r.outcome) + (cause.empty() ? "" : ": " + cause)});
    if (const std::string why = why_text(r); !why.empty())
      reasons += fmt::format("- **{}**: {}\n", markdown_text(r.claim.text), markdown_text(why));
  }
  if (!reasons.empty()) out += "\n" + reasons;
  return out + "\n</details>\n\n";
}

}  // namespace

std::string reproduction_page(const std::vector<Results>& runs) {
  if (runs.empty()) throw InputError("reproduction", "no run is given", "give at least one results folder");
  std::string sources, commands;
  std::size_t total = 0, reproduced = 0, unknown = 0;
  Causes causes;
  std::vector<Paper> papers;
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
    total += claims.size();
    reproduced += count(claims, Outcome::kReproduced);
    unknown += count(claims, Outcome::kUnknown);
    for (const ClaimResult& r : claims) {
      Paper& paper = found_or_added(papers, &Paper::name, {paper_of(r.claim)});
      found_or_added(paper.parts, &Part::scenario, {m.study.scenario, m.study.title}).claims.push_back(r);
    }
  }
  std::string out =
      "<!-- Generated from results folders; do not edit: run the scenarios below and generate it again. -->\n\n"
      "# What of the papers is reproduced\n\n"
      "On this page you can look up every number of the papers, ours beside it, and why the two differ.\n\n"
      "The papers' numbers are targets to compare with and never inputs. A claim is reproduced if ours is within the\n"
      "stated factor of the paper's value in either direction, or, for a bound, at least or at most that value.\n\n";
  out += fmt::format("Claims: {} of {} reproduced, {} not reproduced, {} unknown.\n\n", reproduced, total,
                     total - reproduced - unknown, unknown);
  if (const std::string counted = causes.markdown(); !counted.empty()) {
    out += "## Why claims are not reproduced\n\nEach scenario names the cause (`missing`):\n\n" + counted;
  }
  for (const Paper& paper : papers) {
    out += "## " + markdown_text(paper.name) + "\n\n" + summary(paper) + "\n";
    for (const Part& part : paper.parts) out += details(part);
  }
  out += "## Runs\n\n<details markdown=\"1\">\n<summary>Machines, points and commands</summary>\n\n";
  out += markdown_head({"scenario", "title", "machine", "machine hash", "ranks", "points"}, "llllrr");
  out += sources;
  out += "\n" + markdown_code(commands) + "\n</details>\n";
  return out;
}

}  // namespace strata::analysis
