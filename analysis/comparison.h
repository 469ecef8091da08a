// SPDX-License-Identifier: LGPL-2.1-only
// The comparison of two results as lists of named quantities, with a verdict for each quantity and one for all.
//
//   base: time at elements = 1    10 us          new: time at elements = 1    10.3 us, +3 %: worse
//         time at elements = 10   12 us               time at elements = 10   12 us: equal
//         time at elements = 100  20 us               (missing)
//
// Idea: quantities belong together where metric and place are equal. A quantity is worse if it changes in its bad
// direction by more than the tolerance, which is relative to the base. A base of 0 has no relative change: then any
// change is beyond the tolerance. Measured times, which vary from run to run, are judged by a test on their repeats
// (rank_test.h): worse if times of the new result are larger than the base's times 1 + tolerance, at the level given.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "analysis/rank_test.h"
#include "platforms/words.h"

namespace strata::analysis {

/// Which value of a quantity is better; of kSame any change is bad.
enum class Better { kLess, kMore, kSame };
inline constexpr Word<Better> kBetterWords[] = {
    {Better::kLess, "less"}, {Better::kMore, "more"}, {Better::kSame, "same"}};

/// By the unit: less of times and bytes is better, more of rates (B/s, flop/s, any unit per s); others shall not
/// change.
Better better_of(const std::string& unit);

struct Quantity {
  std::string metric;  // "time"
  std::string at;      // which of them: "algorithm = linear, elements = 1"; empty if there is one
  std::string unit;    // "s"; empty for a plain number and for text
  Better better = Better::kSame;
  std::variant<double, std::string> value;
  bool exact = false;                // no tolerance, unless one is given for this metric: counts
  bool judged = true;                // else it is shown, and decides nothing unless its metric is named
  std::vector<double> repeats = {};  // the measured values, if it varies from run to run; `value` is their median
};

/// How a metric is judged.
struct Rule {
  double tolerance = 0;               // relative: 0.02 is 2 %
  std::optional<Better> better = {};  // else the quantity's own
};
struct Rules {
  double tolerance = kDefaultTolerance;
  std::map<std::string, Rule> metrics = {};  // by metric, instead
  double level = kDefaultLevel;              // of the test on repeats: its share of false alarms
  bool both = false;                         // improvements fail too
  bool allow_missing = false;                // quantities that the new result lacks do not fail

  /// One unit in the last of four printed digits. Simulated results of one version are equal to the last bit.
  static constexpr double kDefaultTolerance = 0.001;
  static constexpr double kDefaultLevel = 0.01;
};

enum class Change {
  kEqual,      // to the last digit
  kWithin,     // the tolerance; or measured, and no change beyond it is shown
  kBetter,     // by more than the tolerance
  kWorse,      // by more than the tolerance
  kChanged,    // a value that shall not change, by more than the tolerance
  kMissing,    // in the base alone
  kNew,        // in the new result alone
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
  std::optional<double> absolute;  // new - base, of two numbers of one unit
  std::optional<double> relative;  // the same divided by |base|, if that is not 0
  std::optional<RankTest> test;    // of repeats: in the direction that decided
};

/// In the order of `base`, then those that only `now` has in its order. If several have the same metric and place,
/// the first belongs to the first, the second to the second. Throws std::invalid_argument for a number that is not
/// finite. O(n log n) time.
std::vector<Difference> compare_quantities(const std::vector<Quantity>& base, const std::vector<Quantity>& now,
                                           const Rules& rules);

/// Whether a difference makes the comparison fail. kUndecided does not: it has a verdict of its own.
bool fails(const Difference& difference, const Rules& rules);

/// Sorts: failures before what is undecided, then improvements, new quantities, the rest; those that decide nothing
/// come last. Equal kinds by the size of the change; without a size (text, a base of 0, missing) first. Stable.
void sort_worst_first(std::vector<Difference>& differences, const Rules& rules);

enum class Judgement { kEqual, kPassed, kUndecided, kFailed };
inline constexpr Word<Judgement> kJudgementWords[] = {{Judgement::kEqual, "equal"},
                                                      {Judgement::kPassed, "passed"},
                                                      {Judgement::kUndecided, "undecided"},
                                                      {Judgement::kFailed, "failed"}};

/// kFailed if one fails, else kUndecided if one that is judged is, else kEqual if all are.
Judgement judge(const std::vector<Difference>& differences, const Rules& rules);

/// How many repeats each side needs, if both have as many, for the test to reach a level: 5 for 0.01.
int repeats_needed(double level);

}  // namespace strata::analysis
