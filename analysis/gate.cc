// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "analysis/format.h"
#include "analysis/markdown_text.h"
#include "base/error.h"

namespace strata::analysis {
namespace {

constexpr int kDigits = 5;           // so that a change of 0.1 % is visible
constexpr std::size_t kWidest = 72;  // characters in a cell of the text
constexpr int kMostFacts = 4;        // in an error message

std::string percent(double share) { return shortest(share * 100) + " %"; }

void refuse_different(const Gate& gate, bool force) {
  if (gate.sides.different.empty() || force) return;
  std::string facts;
  int shown = 0;
  for (const Fact& f : gate.sides.different) {
    if (shown++ == kMostFacts) break;
    facts += fmt::format("{}{} is {}, but was {}", facts.empty() ? "" : "; ", f.name, f.now, f.base);
  }
  throw InputError(gate.now, "is not comparable with " + gate.base + ": " + facts,
                   "compare results of one program on one machine, or add --force");
}

void require_something_common(const Gate& gate) {
  const bool common = gate.sides.equal > 0 || std::any_of(gate.differences.begin(), gate.differences.end(),
                                                          [](const Difference& d) { return d.base && d.now; });
  if (common) return;
  throw InputError(gate.now, "has no quantity in common with " + gate.base,
                   "compare results of the same metrics at the same points");
}

void require_known_metrics(const Gate& gate) {
  std::set<std::string> known;
  for (const auto* side : {&gate.sides.base, &gate.sides.now}) {
    for (const Quantity& q : *side) known.insert(q.metric);
  }
  for (const auto& [metric, rule] : gate.rules.metrics) {
    if (known.contains(metric)) continue;
    throw InputError("--metric", "neither result has a metric '" + metric + "'",
                     fmt::format("give one of {}", fmt::join(known, ", ")));
  }
}

// "time at elements = 1".
std::string name_of(const Quantity& q) { return q.at.empty() ? q.metric : q.metric + " at " + q.at; }

// Control characters could move a terminal's cursor or break a table row.
std::string printable(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; }, ' ');
  return text;
}

std::string cut(const std::string& text) {
  if (text.size() <= kWidest) return printable(text);
  std::size_t end = kWidest - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // keep UTF-8 characters whole
  return printable(text.substr(0, end)) + "...";
}

const Quantity* base_of(const Gate& gate, const Difference& d) { return d.base ? &gate.sides.base[*d.base] : nullptr; }
const Quantity* now_of(const Gate& gate, const Difference& d) { return d.now ? &gate.sides.now[*d.now] : nullptr; }

// The differences to show: all that are not equal, the worst first.
std::vector<const Difference*> shown(const Gate& gate) {
  std::vector<const Difference*> all;
  for (const Difference& d : gate.differences) {
    const bool says_something = d.judged || (d.change != Change::kWithin && d.change != Change::kUndecided);
    if (d.change != Change::kEqual && says_something) all.push_back(&d);
  }
  return all;
}

std::vector<std::string> row_of(const Gate& gate, const Difference& d) {
  const Quantity& q = gate.quantity(d);
  return {word_of(kChangeWords, d.change),
          q.metric,
          q.at,
          shown_value(base_of(gate, d)),
          shown_value(now_of(gate, d)),
          change_text(gate, d)};
}

const std::vector<std::string> kHeadings = {"", "metric", "at", "base", "new", "change"};

std::string table_text(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(kHeadings.size());
  for (const auto& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], cut(row[c]).size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line = " ";
    for (std::size_t c = 0; c < row.size(); ++c) {
      const bool number = c >= 3;
      if (widths[c] == 0) continue;
      line +=
          number ? fmt::format("  {:>{}}", cut(row[c]), widths[c]) : fmt::format(" {:<{}} ", cut(row[c]), widths[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string more_text(std::size_t shown, std::size_t all) {
  return all > shown ? fmt::format("... and {} more; --json has all\n", all - shown) : "";
}

std::string facts_and_notes(const Gate& gate, const std::string& begin, std::string (*escape)(const std::string&)) {
  std::string text;
  for (const Fact& f : gate.sides.different)
    text +=
        begin + escape(fmt::format("{} differs: {} in the base, {} in the new result", f.name, f.base, f.now)) + "\n";
  for (const std::string& note : gate.sides.notes) text += begin + escape(note) + "\n";
  return text;
}

std::string plain(const std::string& text) { return printable(text); }

}  // namespace

std::map<Change, std::size_t> Gate::counts() const {
  std::map<Change, std::size_t> by_change;
  if (sides.equal > 0) by_change[Change::kEqual] = sides.equal;
  for (const Difference& d : differences) {
    if (d.judged) ++by_change[d.change];
  }
  return by_change;
}

Gate compare_results(const ResultFile& base, const ResultFile& now, const Rules& rules, bool force) {
  Gate gate;
  gate.base = base.path.string();
  gate.now = now.path.string();
  if (base.kind != now.kind) {
    const auto named = [](const std::string& kind) {
      return kind == "results" ? "a results folder" : kind == "matrix" ? "a matrix" : "a document of " + kind;
    };
    throw InputError(gate.now, fmt::format("is {}, but {} is {}", named(now.kind), gate.base, named(base.kind)),
                     "give two results of one kind");
  }
  gate.kind = base.kind;
  gate.rules = rules;
  gate.sides = sides_of(base, now);
  refuse_different(gate, force);
  require_known_metrics(gate);
  gate.differences = compare_quantities(gate.sides.base, gate.sides.now, rules);
  require_something_common(gate);
  gate.judgement = judge(gate.differences, rules);
  sort_worst_first(gate.differences, rules);
  return gate;
}

std::string shown_value(const Quantity* q) {
  if (q == nullptr) return "-";
  if (const auto* text = std::get_if<std::string>(&q->value)) return *text;
  const double value = std::get<double>(q->value);
  if (!shown_unit(q->unit).empty()) return with_unit(value, q->unit, kDigits);
  return value == std::floor(value) && std::abs(value) < 1e15 ? fmt::format("{:.0f}", value) : shortest(value);
}

std::string change_text(const Gate& gate, const Difference& d) {
  if (!d.base || !d.now) return "-";
  if (d.change == Change::kEqual) return "0";
  const std::string doubt = d.bar && !d.bar->is_distinguishable() ? ", not distinguishable" : "";
  if (d.relative) return fmt::format("{:+.3g} %", *d.relative * 100) + doubt;
  if (!d.absolute) return "changed";
  const std::string amount = with_unit(*d.absolute, gate.quantity(d).unit, 3);
  return (*d.absolute > 0 ? "+" : "") + amount + doubt;
}

std::string test_text(const Gate& gate, const Difference& d) {
  if (!d.base || !d.now) return "";
  const Quantity &base = gate.sides.base[*d.base], &now = gate.sides.now[*d.now];
  const std::size_t left = std::max<std::size_t>(1, base.repeats.size()),
                    right = std::max<std::size_t>(1, now.repeats.size());
  if (d.change == Change::kUndecided) {
    const int needed = repeats_needed(d.better == Better::kSame ? gate.rules.level / 2 : gate.rules.level);
    return fmt::format(
        "measured, with {} and {} values: too few for a verdict at the level {}; give each {} (strata exec --repeat "
        "{})",
        left, right, shortest(gate.rules.level), needed, needed);
  }
  if (!d.test) return "";
  return fmt::format("medians of {} and {} measured values; Mann-Whitney U = {}, p = {:.3g}, level {}", left, right,
                     shortest(d.test->u), d.test->p, shortest(gate.rules.level));
}

std::string bar_text(const Gate& gate, const Difference& d) {
  if (!d.bar) return "";
  return fmt::format("the difference is {} in 95 % of cases, by the intervals of the machines' figures{}",
                     range_text(d.bar->low, d.bar->high, gate.quantity(d).unit),
                     d.bar->is_distinguishable() ? "" : ": not distinguishable");
}

std::string summary_text(const Gate& gate) {
  constexpr Change kOrder[] = {Change::kWorse,  Change::kChanged, Change::kMissing, Change::kUndecided,
                               Change::kBetter, Change::kNew,     Change::kWithin,  Change::kEqual};
  std::string text = gate.judgement == Judgement::kFailed      ? "FAILED"
                     : gate.judgement == Judgement::kUndecided ? "UNDECIDED"
                                                               : "passed";
  std::map<Change, std::size_t> counts = gate.counts();
  std::string list;
  for (const Change change : kOrder) {
    if (counts[change] == 0) continue;
    list += fmt::format("{}{} {}", list.empty() ? "" : ", ", counts[change], word_of(kChangeWords, change));
  }
  return fmt::format("{}: {} (tolerance {})", text, list.empty() ? "nothing to compare" : list,
                     percent(gate.rules.tolerance));
}

std::string gate_text(const Gate& gate, std::size_t most) {
  std::string text = fmt::format("base: {}\nnew:  {}\n", printable(gate.base), printable(gate.now));
  text += facts_and_notes(gate, "note: ", plain);
  const std::vector<const Difference*> all = shown(gate);
  std::vector<std::vector<std::string>> judged = {kHeadings}, details = {kHeadings};
  std::string tests;
  for (std::size_t i = 0; i < std::min(most, all.size()); ++i) {
    const Difference& d = *all[i];
    (d.judged ? judged : details).push_back(row_of(gate, d));
    for (const std::string& why : {test_text(gate, d), bar_text(gate, d)}) {
      if (d.judged && !why.empty()) tests += fmt::format("{}: {}\n", printable(name_of(gate.quantity(d))), why);
    }
  }
  if (judged.size() > 1) text += "\n" + table_text(judged);
  if (!tests.empty()) text += "\n" + tests;
  if (details.size() > 1) text += "\nNot judged:\n" + table_text(details);
  text += more_text(std::min(most, all.size()), all.size());
  return text + "\n" + summary_text(gate) + "\n";
}

std::string gate_markdown(const Gate& gate, std::size_t most) {
  std::string text = fmt::format("### strata compare: {}\n\n", markdown_text(summary_text(gate)));
  text += fmt::format("base: {}, new: {}\n", markdown_text(gate.base), markdown_text(gate.now));
  if (const std::string notes = facts_and_notes(gate, "- ", markdown_text); !notes.empty()) text += "\n" + notes;
  const std::vector<const Difference*> all = shown(gate);
  std::string judged, details, tests;
  for (std::size_t i = 0; i < std::min(most, all.size()); ++i) {
    const Difference& d = *all[i];
    std::vector<std::string> cells = row_of(gate, d);
    for (std::string& cell : cells) cell = markdown_text(cut(cell));
    if (d.judged && (fails(d, gate.rules) || d.change == Change::kUndecided))
      cells.front() = "**" + cells.front() + "**";
    (d.judged ? judged : details) += markdown_row(cells);
    for (const std::string& why : {test_text(gate, d), bar_text(gate, d)}) {
      if (d.judged && !why.empty())
        tests += fmt::format("\n{}: {}\n", markdown_text(name_of(gate.quantity(d))), markdown_text(why));
    }
  }
  const std::string head = markdown_head({"verdict", "metric", "at", "base", "new", "change"}, "lllrrr");
  if (!judged.empty()) text += "\n" + head + judged;
  text += tests;
  if (!details.empty()) text += "\nNot judged:\n\n" + head + details;
  const std::string more = more_text(std::min(most, all.size()), all.size());
  return text + (more.empty() ? "" : "\n" + more);
}

Json gate_json(const Gate& gate) {
  const auto value = [](const Quantity* q) {
    if (q == nullptr) return Json();
    if (const auto* text = std::get_if<std::string>(&q->value)) return Json(*text);
    return Json(std::get<double>(q->value));
  };
  const auto number = [](const std::optional<double>& v) { return v ? Json(*v) : Json(); };
  Json counts = Json::object();
  std::map<Change, std::size_t> by_change = gate.counts();
  for (const auto& [change, name] : kChangeWords) counts[name] = by_change[change];
  Json document = {{"schema", "strata.compare/1"},
                   {"kind", gate.kind},
                   {"base", gate.base},
                   {"new", gate.now},
                   {"verdict", word_of(kJudgementWords, gate.judgement)},
                   {"tolerance", gate.rules.tolerance},
                   {"level", gate.rules.level},
                   {"counts", std::move(counts)},
                   {"forced", Json::array()},
                   {"notes", gate.sides.notes},
                   {"differences", Json::array()}};
  for (const Fact& f : gate.sides.different)
    document["forced"].push_back({{"fact", f.name}, {"base", f.base}, {"new", f.now}});
  for (const Difference& d : gate.differences) {
    const Quantity& q = gate.quantity(d);
    Json row = {{"metric", q.metric},
                {"at", q.at},
                {"unit", q.unit},
                {"better", word_of(kBetterWords, d.better)},
                {"verdict", word_of(kChangeWords, d.change)},
                {"judged", d.judged},
                {"fails", fails(d, gate.rules)},
                {"tolerance", d.tolerance},
                {"base", value(base_of(gate, d))},
                {"new", value(now_of(gate, d))},
                {"absolute", number(d.absolute)},
                {"relative", number(d.relative)}};
    if (!q.repeats.empty()) {
      const auto repeats = [](const Quantity* side) { return side == nullptr ? 0 : side->repeats.size(); };
      row["test"] = {{"name", "Mann-Whitney U"},
                     {"base_values", repeats(base_of(gate, d))},
                     {"new_values", repeats(now_of(gate, d))},
                     {"u", d.test ? Json(d.test->u) : Json()},
                     {"p", d.test ? Json(d.test->p) : Json()}};
    }
    if (d.bar) {
      row["error_bar"] = {{"low", d.bar->low}, {"high", d.bar->high}, {"distinguishable", d.bar->is_distinguishable()}};
    }
    document["differences"].push_back(std::move(row));
  }
  return document;
}

}  // namespace strata::analysis
