// SPDX-License-Identifier: LGPL-2.1-only
// Writes what the checks find into the file that STRATA_FINDINGS names (records/exchange/finding.h), at once, and the
// same finding of a rank only once:
//
//   report({.kind = "argument", .check = "root", .call = past(call), .text = "its root is 7, ...",
//           .rule = "a root is the rank of a process in the communicator", .source = "MPI 4.1, Section 6.4"});
#pragma once

#include <string>
#include <vector>

#include "mpi_ext/preload/checks/call.h"

namespace strata::mpix {

struct OtherCall {
  PastCall call;
  std::string text;
};

struct Report {
  const char* kind;
  const char* check;
  PastCall call;
  std::string text;
  std::vector<OtherCall> others = {};
  const char* rule = "";
  const char* source = "";
};

/// Whether the file is named, so that there is something to do.
bool checking();

void report(const Report& report);

}  // namespace strata::mpix
