// SPDX-License-Identifier: LGPL-2.1-only
// `strata compare`: two results of one kind, judged, and the verdict as text, Markdown, JSON and JUnit XML.
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

  /// By change, of those that are judged. Pairs that Sides::equal counts are among the equal ones.
  std::map<Change, std::size_t> counts() const;
  /// The base's quantity; the new one if the base lacks it.
  const Quantity& quantity(const Difference& d) const { return d.base ? sides.base[*d.base] : sides.now[*d.now]; }
};

/// Throws InputError as sides_of; where the two are of different kinds; where they have facts that differ, such as the
/// program, the machine or a unit, unless `force` is set; where they have nothing in common; or a rule is of a metric
/// that neither has.
Gate hold_against(const ResultFile& base, const ResultFile& now, const Rules& rules, bool force);

/// One line: "FAILED: 2 worse, 1 missing, 11 equal (tolerance 0.1 %)".
std::string summary_text(const Gate& gate);
/// "9.2 us", "holds"; "-" if there is no value.
std::string shown_value(const Quantity* quantity);
/// "+2.1 %", "+3 us" from 0, "changed", "-" if there is no change.
std::string change_text(const Gate& gate, const Difference& d);
/// For a measured quantity: how many values, U, p and level, or how many repeats are needed. Else empty.
std::string test_text(const Gate& gate, const Difference& d);

/// For terminals: the worst `most` differences a line each, and what was left out.
std::string gate_text(const Gate& gate, std::size_t most);
/// The same for a job summary.
std::string gate_markdown(const Gate& gate, std::size_t most);
/// Schema strata.compare/1: every difference.
Json gate_json(const Gate& gate);
/// JUnit XML (schemas/junit.xsd): a test case for each quantity that is judged.
std::string gate_junit(const Gate& gate);

}  // namespace strata::analysis
