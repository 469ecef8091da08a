// SPDX-License-Identifier: LGPL-2.1-only
// Counts the causes for which claims are not reproduced: for example memory 12, parameter 15, not stated 1. The cause
// of a claim is stated in its scenario (`missing`). Two more kinds are counted: claims that are not reproduced and have
// no stated cause, and claims that have a stated cause but are reproduced.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "analysis/claims.h"

namespace strata::analysis {

struct Cause {
  std::string name;     // "memory"; "not stated"; "has a cause but is reproduced"
  std::string meaning;  // "the memory that cores share, and caches"; may be empty
  std::size_t claims = 0;
  std::vector<std::pair<std::string, std::size_t>> scenarios = {};  // in the order of add(); claims in each
};

class Causes {
 public:
  Causes();

  /// Claims whose outcome is unknown are not counted.
  void add(const std::string& scenario, const std::vector<ClaimResult>& claims);

  /// The causes that have claims, in the order of kMissingWords, followed by the two other kinds.
  std::vector<Cause> counts() const;

  /// A table of causes, number of claims and scenarios, followed by an empty line. Empty if there is nothing to count.
  std::string markdown() const;

 private:
  std::vector<Cause> causes_;
};

/// The cause of a claim for its row in a table: "memory", "not stated", or "memory, but is reproduced"; empty for other
/// claims.
std::string cause_text(const ClaimResult& claim);

}  // namespace strata::analysis
