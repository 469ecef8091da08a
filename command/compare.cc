// SPDX-License-Identifier: LGPL-2.1-only
// strata compare: a gate for CI. Compares two results of the same kind, shows what has changed, and decides whether
// this is worse.
//
// JSON: schemas/compare.schema.json. JUnit XML: schemas/junit.xsd.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "analysis/gate.h"
#include "base/error.h"
#include "command/command.h"
#include "command/print.h"

namespace strata::command {
namespace {

using analysis::Judgement;

constexpr int kUndecided = 3;  // the same as in strata check

struct Options {
  std::string base, now, tolerance, junit;
  std::vector<std::string> metrics;
  double level = analysis::Rules::kDefaultLevel;
  std::uint64_t lines = 20;
  bool json = false, markdown = false, force = false, both = false, allow_missing = false;
};

// Parses "2%" or "0.5 %" as a fraction.
double parse_tolerance(const std::string& option, const std::string& text) {
  double percent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), percent);
  const std::string rest(end, text.data() + text.size());
  if (error != std::errc() || (rest != "%" && rest != " %") || !std::isfinite(percent) || percent < 0)
    throw InputError(option, "'" + text + "' is not a tolerance", "give a percentage of at least 0, such as 0.5%");
  return percent / 100;
}

// Parses "time=5%" or "fom=5%,more".
void add_metric(const std::string& text, analysis::Rules& rules) {
  const std::size_t equal = text.rfind('=');
  if (equal == std::string::npos || equal == 0)
    throw InputError("--metric", "'" + text + "' names no metric and tolerance", "write for example time=5%");
  std::string tolerance = text.substr(equal + 1);
  analysis::Rule rule;
  if (const std::size_t comma = tolerance.find(','); comma != std::string::npos) {
    rule.better = find_word(analysis::kBetterWords, tolerance.substr(comma + 1));
    if (!rule.better) {
      throw InputError("--metric", "'" + tolerance.substr(comma + 1) + "' does not say which values are better",
                       "write less, more or same after the comma, such as fom=5%,more");
    }
    tolerance.resize(comma);
  }
  rule.tolerance = parse_tolerance("--metric", tolerance);
  if (!rules.metrics.emplace(text.substr(0, equal), rule).second)
    throw InputError("--metric", "'" + text.substr(0, equal) + "' is given twice", "give it once");
}

analysis::Rules rules_of(const Options& o) {
  analysis::Rules rules;
  if (!o.tolerance.empty()) rules.tolerance = parse_tolerance("--tolerance", o.tolerance);
  for (const std::string& metric : o.metrics) add_metric(metric, rules);
  if (!(o.level > 0 && o.level < 0.5))
    throw InputError("--level", fmt::format("{} is not a level", o.level), "give a number between 0 and 0.5");
  rules.level = o.level;
  rules.both = o.both;
  rules.allow_missing = o.allow_missing;
  return rules;
}

int compare(const Options& o) {
  if (o.json && o.markdown)
    throw InputError("command line", "--json and --markdown both go to stdout", "give one of them");
  const analysis::Rules rules = rules_of(o);
  const analysis::Gate gate =
      analysis::compare_results(analysis::read_result(o.base), analysis::read_result(o.now), rules, o.force);
  if (!o.junit.empty()) write_and_tell(o.junit, analysis::gate_junit(gate));
  if (o.json) {
    print(analysis::gate_json(gate));
  } else if (o.markdown) {
    print(gate_markdown(gate, o.lines));
  } else {
    print(gate_text(gate, o.lines), {{"metric", console::Style::kHeading},
                                     {"passed", console::Style::kGood},
                                     {"FAILED", console::Style::kBad},
                                     {"UNDECIDED", console::Style::kBad}});
  }
  return gate.judgement == Judgement::kFailed ? 1 : gate.judgement == Judgement::kUndecided ? kUndecided : 0;
}

}  // namespace

void add_compare(cli::App& app, Action& action) {
  auto o = std::make_shared<Options>();
  cli::App* sub = app.add_subcommand("compare", "Compare two results and fail if the new one is worse, for CI");
  sub->add_option("BASE", o->base,
                  "a results folder, a JSON document of exec, replay, hsplit, nodecart, map or check, or a matrix")
      ->required();
  sub->add_option("NEW", o->now, "a result of the same kind")->required();
  sub->add_option("--tolerance", o->tolerance,
                  "how much worse a quantity may be, in % of the base (default 0.1%: one unit in the last of four "
                  "digits)");
  sub->add_option("--metric", o->metrics,
                  "M=5%: another tolerance for this metric; M=5%,more: and more of it is better (or less; or same: any "
                  "change is bad). A metric that is only shown is then judged")
      ->allow_extra_args(false);
  sub->add_option("--level", o->level,
                  "of the test on measured times: the share of false alarms that you accept (default 0.01)");
  sub->add_flag("--both", o->both, "fail if something is better, too");
  sub->add_flag("--allow-missing", o->allow_missing, "do not fail if NEW lacks points that BASE has");
  sub->add_flag("--force", o->force, "compare results of different programs, machines or units");
  sub->add_option("--lines", o->lines, "how many changes to print, the worst first (default 20)");
  sub->add_option("--junit", o->junit, "write JUnit XML into this file")->writes(cli::Written::kFile);
  sub->add_flag("--json", o->json, "print one JSON document");
  sub->add_flag("--markdown", o->markdown, "print Markdown, for the summary of a job");
  sub->footer(
      "Exit codes: 0 not worse, 1 worse, changed or missing, 2 bad usage or input, 3 measured with too few repeats.\n"
      "Examples:\n  strata compare base/quickstart strata-out/quickstart\n"
      "  strata compare base.json new.json --tolerance 1% --metric bytes=0%\n"
      "  strata compare base.json new.json --junit compare.xml --markdown >> \"$GITHUB_STEP_SUMMARY\"\n"
      "  strata compare base/size.mtx new/size.mtx\n"
      "  strata compare verdicts.json new-verdicts.json");
  sub->callback([o, &action] { action = [o] { return compare(*o); }; });
}

}  // namespace strata::command
