// SPDX-License-Identifier: LGPL-2.1-only
// `strata compare`: compares two results of one kind, and prints the verdict as text, Markdown, JSON and JUnit XML.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "analysis/compared.h"
#include "analysis/comparison.h"

namespace strata::analysis {

struct Gate {
  std::string kind, base, now;  // paths as given
  Rules rules;
  Sides sides;
  std::vector<Difference> differences;  // worst first
  Judgement judgement = Judgement::kEqual;

  /// Number of judged differences by kind of change. Pairs in Sides::equal are included as equal.
  std::map<Change, std::size_t> counts() const;
  /// The base's quantity, or the new one if the base has none.
  const Quantity& quantity(const Difference& d) const { return d.base ? sides.base[*d.base] : sides.now[*d.now]; }
};

/// Throws InputError as sides_of does. Also throws it if the two results have different kinds, if facts such as the
/// program, machine or a unit differ (unless `force`), if they have nothing in common, or if a rule names a metric that
/// neither has.
Gate compare_results(const ResultFile& base, const ResultFile& now, const Rules& rules, bool force);

/// One line: "FAILED: 2 worse, 1 missing, 11 equal (tolerance 0.1 %)".
std::string summary_text(const Gate& gate);
/// "9.2 us", "holds"; "-" if there is no value.
std::string shown_value(const Quantity* quantity);
/// "+2.1 %" or "+2.1 %, not distinguishable"; "+3 us" if the base is 0; "changed" for texts; "0" if both are equal; "-"
/// if one of them is missing.
std::string change_text(const Gate& gate, const Difference& d);
/// For a measured quantity: number of values, U, p and level, or the number of repeats needed. Otherwise empty.
std::string test_text(const Gate& gate, const Difference& d);
/// For a predicted time with error bars on both sides: the error bar of the difference. Otherwise empty.
std::string bar_text(const Gate& gate, const Difference& d);

/// For terminals: a line for each of the worst `most` differences, and how many were left out.
std::string gate_text(const Gate& gate, std::size_t most);
/// The same for a CI job summary.
std::string gate_markdown(const Gate& gate, std::size_t most);
/// Schema strata.compare/1, with all differences.
Json gate_json(const Gate& gate);
/// JUnit XML (schemas/junit.xsd), with a test case for each judged quantity.
std::string gate_junit(const Gate& gate);

}  // namespace strata::analysis
