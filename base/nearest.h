// SPDX-License-Identifier: LGPL-2.1-only
// Suggests the names that a user may have meant by a mistyped word.
//
//   did_you_mean("ntw10e55", {"ntw10e5", "theta"})    "did you mean ntw10e5?"
//   did_you_mean("fig5-bcast", {"rr9077/fig5-bcast-ntw10e5"})    "did you mean rr9077/fig5-bcast-ntw10e5?"
//   did_you_mean("rnu", {"replay", "run"})    "did you mean run?"
//   did_you_mean("--lst", {"--list", "--out", "--set"})    "did you mean --list?"
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace strata {

/// The least number of letters to insert, remove, replace or exchange with their neighbours to make one word of the
/// other: the distance of Damerau and Levenshtein, as Lowrance and Wagner (Journal of the ACM 22, 1975) compute it.
/// Takes O(|a| |b|).
int edit_distance(std::string_view a, std::string_view b);

/// At most three names: whose path ends with the word, then those with a part that begins with it (from three letters
/// on), then those at most two edits away (one, if the word has fewer than five letters). Dashes before an option do
/// not count. May be empty.
std::vector<std::string> nearest(const std::string& word, const std::vector<std::string>& names);

/// The question for an error message; empty if no name is near.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& names);

}  // namespace strata
