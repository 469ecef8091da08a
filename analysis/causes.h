// SPDX-License-Identifier: LGPL-2.1-only
// Why claims are not reproduced, counted: for example memory 12, parameter 15, not stated 1. A claim's cause is what
// its scenario says (`missing`). Two more kinds count: claims that are not reproduced and have no cause, and claims
// that have one and are reproduced.
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
  std::vector<std::pair<std::string, std::size_t>> scenarios = {};  // in the order of adding, with the claims of each
};

class Causes {
 public:
  Causes();

  /// A claim that is neither reproduced nor not (unknown) does not count.
  void add(const std::string& scenario, const std::vector<ClaimResult>& claims);

  /// Those that have claims, in the order of kMissingWords; then the two other kinds.
  std::vector<Cause> counts() const;

  /// A table of cause, claims and scenarios, with an empty line after it; empty where nothing counts.
  std::string markdown() const;

 private:
  std::vector<Cause> causes_;
};

/// The cause of one claim for its row: "memory", "not stated", "memory, but is reproduced"; empty for other claims.
std::string cause_text(const ClaimResult& claim);

}  // namespace strata::analysis
