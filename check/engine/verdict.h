// SPDX-License-Identifier: LGPL-2.1-only
// The verdict on a property, on a program's orders of messages, or on a scenario's model or claim.
#pragma once

#include <optional>
#include <string_view>

namespace strata::check {

enum class Verdict {
  kHolds,  // everything that was checked holds
  // Properties, models and claims:
  kViolated,    // a counter-example, a model that disagrees, a claim that is not reproduced
  kNotReached,  // no case has a `sometimes` property
  kUnknown,     // no point of a model or claim was simulated
  kNotCovered,  // every point is outside the model's assumptions: nothing was compared
  kMissing,     // expected, but no longer in the scenario
  // Programs:
  kDeadlock,   // ranks wait for each other
  kAborted,    // a failed assertion, MPI_Abort, an MPI error
  kCrashed,    // another signal, or an exit before the end
  kUnmatched,  // the program ended with a message that was never received
  kUndecided,  // a limit was reached, or SimGrid lacks a function; no error was found before
};

/// One or two words for reports and JSON: "holds", "not covered".
const char* name_of(Verdict verdict);

/// The verdict with this name; no value if there is none.
std::optional<Verdict> verdict_named(std::string_view name);

}  // namespace strata::check
