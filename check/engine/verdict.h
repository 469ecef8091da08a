// SPDX-License-Identifier: LGPL-2.1-only
// What was found of a property, of a program's orders of messages, or of a scenario's model or claim.
#pragma once

#include <optional>
#include <string_view>

namespace strata::check {

enum class Verdict {
  kHolds,  // everything that was asked holds
  // Of properties, models and claims.
  kViolated,    // a counter-example, a model that disagrees, a claim that is not reproduced
  kNotReached,  // no case has what a `sometimes` property asks for
  kUnknown,     // no point of a model or claim was simulated
  kNotCovered,  // every point is outside the model's assumptions: nothing was compared
  kMissing,     // expected, and no longer in the scenario
  // Of programs.
  kDeadlock,   // ranks wait for each other
  kAborted,    // a failed assertion, MPI_Abort, an error of MPI
  kCrashed,    // another signal, or an exit in the middle
  kUnmatched,  // the program ended, a message was never received
  kUndecided,  // a limit was reached, or SimGrid lacks a function; nothing was wrong until then
};

/// In one or two words, as reports and JSON have it: "holds", "not covered".
const char* name_of(Verdict verdict);

/// The verdict of this name; nothing where there is none.
std::optional<Verdict> verdict_named(std::string_view name);

}  // namespace strata::check
