// SPDX-License-Identifier: LGPL-2.1-only
// Compares two results as lists of named quantities, with a verdict for each quantity and an overall verdict.
//
//   base: time at elements = 1    10 us          new: time at elements = 1    10.3 us, +3 %: worse
//         time at elements = 10   12 us               time at elements = 10   12 us: equal
//         time at elements = 100  20 us               (missing)
//
// Quantities belong together if their metric and place are equal. A quantity is worse if it changes in its bad
// direction by more than the tolerance, which is relative to the base. There is no relative change from 0, so any
// change of a base of 0 exceeds the tolerance. Measured times, which vary from run to run, are judged by a test on
// their repeats (rank_test.h): worse if the new times are significantly larger than the base's times * (1 + tolerance),
// at the given level.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "analysis/difference_bar.h"
#include "analysis/rank_test.h"
#include "base/words.h"

namespace strata::analysis {

/// Which values of a quantity are better. For kSame, any change is bad.
enum class Better { kLess, kMore, kSame };
inline constexpr Word<Better> kBetterWords[] = {
    {Better::kLess, "less"}, {Better::kMore, "more"}, {Better::kSame, "same"}};

/// Decides by unit: less is better for times and bytes, more for rates (B/s, flop/s, or any unit per s). Other
/// quantities should not change.
Better better_of(const std::string& unit);

struct Quantity {
  std::string metric;  // "time"
  std::string at;      // its place: "algorithm = linear, elements = 1"; empty if there is only one
  std::string unit;    // "s"; empty for plain numbers and text
  Better better = Better::kSame;
  std::variant<double, std::string> value;
  bool exact = false;                // counts: no tolerance, unless there is one for this metric
  bool judged = true;                // false: only shown, not judged, unless there is a rule for its metric
  std::vector<double> repeats = {};  // the measured values, if they vary from run to run; `value` is their median
  std::optional<FigureEffects> effects = {};  // predicted times with an error bar
};

/// How a metric is judged.
struct Rule {
  double tolerance = 0;               // relative: 0.02 is 2 %
  std::optional<Better> better = {};  // overrides the quantity's own
};
struct Rules {
  double tolerance = kDefaultTolerance;
  std::map<std::string, Rule> metrics = {};  // rules for single metrics
  double level = kDefaultLevel;              // of the test on repeats: its rate of false alarms
  bool both = false;                         // improvements fail as well
  bool allow_missing = false;                // quantities missing in the new result do not fail

  /// One unit in the last of four printed digits. Simulated results of one version are equal to the last bit.
  static constexpr double kDefaultTolerance = 0.001;
  static constexpr double kDefaultLevel = 0.01;
};

enum class Change {
  kEqual,      // to the last digit
  kWithin,     // the tolerance; or measured, and the test shows no change beyond it
  kBetter,     // by more than the tolerance
  kWorse,      // by more than the tolerance
  kChanged,    // a value that should not change, by more than the tolerance
  kMissing,    // only in the base
  kNew,        // only in the new result
  kUndecided,  // measured, with too few repeats for the level
};
inline constexpr Word<Change> kChangeWords[] = {{Change::kEqual, "equal"},     {Change::kWithin, "within"},
                                                {Change::kBetter, "better"},   {Change::kWorse, "worse"},
                                                {Change::kChanged, "changed"}, {Change::kMissing, "missing"},
                                                {Change::kNew, "new"},         {Change::kUndecided, "undecided"}};

struct Difference {
  std::optional<std::size_t> base, now;  // indexes into the two lists
  Change change = Change::kEqual;
  bool judged = true;
  double tolerance = 0;
  Better better = Better::kSame;
  std::optional<double> absolute;  // new - base, if both are numbers with the same unit
  std::optional<double> relative;  // absolute / |base|, if the base is not 0
  std::optional<RankTest> test;    // on repeats: the test in the direction that decided
  /// Of `absolute`, if it is not 0 and both have an error bar. It does not change the verdict, which is about what the
  /// simulator computes.
  std::optional<DifferenceBar> bar = {};
};

/// The differences in the order of `base`, followed by quantities that only `now` has, in its order. Quantities with
/// the same metric and place are paired by their order. Throws std::invalid_argument if a number is not finite. O(n log
/// n) time.
std::vector<Difference> compare_quantities(const std::vector<Quantity>& base, const std::vector<Quantity>& now,
                                           const Rules& rules);

/// Whether a difference makes the comparison fail. kUndecided does not, because it has its own overall verdict.
bool fails(const Difference& difference, const Rules& rules);

/// Sorts failures first, then undecided, improvements, new quantities and the rest; quantities that are not judged come
/// last. Within a kind, larger changes come first, after those without a size (text, a base of 0, missing). Stable.
void sort_worst_first(std::vector<Difference>& differences, const Rules& rules);

enum class Judgement { kEqual, kPassed, kUndecided, kFailed };
inline constexpr Word<Judgement> kJudgementWords[] = {{Judgement::kEqual, "equal"},
                                                      {Judgement::kPassed, "passed"},
                                                      {Judgement::kUndecided, "undecided"},
                                                      {Judgement::kFailed, "failed"}};

/// kFailed if any difference fails; otherwise kUndecided if a judged one is undecided; otherwise kEqual if all are
/// equal.
Judgement judge(const std::vector<Difference>& differences, const Rules& rules);

/// The number of repeats that each side needs for the test to reach a level: 5 for 0.01.
int repeats_needed(double level);

}  // namespace strata::analysis
