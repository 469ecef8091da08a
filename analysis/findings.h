// SPDX-License-Identifier: LGPL-2.1-only
// The mistakes that the checks of a run have found (records/exchange/finding.h), for people and as JSON. The same
// mistake of several ranks is one block:
//
//   error: matching: ranks 1 to 3 call MPI_Bcast at bcast.c:14: its root is 1
//          rank 0 calls MPI_Bcast at bcast.c:12: its root is 0
//          all ranks give the same root (MPI 4.1, Section 6.1)
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "records/exchange/finding.h"

namespace strata::analysis {

/// A call that several ranks make.
struct MergedCall {
  std::vector<int> ranks;  // ascending
  FoundCall call;          // of the first of them
};

struct MergedFinding {
  Finding finding;  // of the first rank
  MergedCall call;
  std::vector<MergedCall> others;
};

/// Findings that differ only in the ranks, together; in the order of the first of each.
std::vector<MergedFinding> merged(const std::vector<Finding>& findings);

/// The blocks, with an empty line between them. `program`: its name, for places without a source line. Empty for an
/// empty list.
std::string findings_text(const std::vector<MergedFinding>& findings, const std::string& program);

/// "3 mistakes: 2 of the class leak, 1 of the class matching".
std::string findings_summary(const std::vector<MergedFinding>& findings);

nlohmann::ordered_json findings_json(const std::vector<MergedFinding>& findings);

}  // namespace strata::analysis
