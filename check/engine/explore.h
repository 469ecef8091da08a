// SPDX-License-Identifier: LGPL-2.1-only
// Explores an area. Worker processes share its cases. The first case that violates a property is shrunk, drawn and
// identified by a key.
//
// The result depends on the area, the bounds, the seed and the code under check, but not on the number of workers. If a
// worker crashes or hangs on a case, the case violates the property `returns`, which every area has in addition to its
// own.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "check/engine/area.h"
#include "check/engine/key.h"

namespace strata::check {

/// `returns`, the last property of every area.
extern const PropertyInfo kReturns;

/// The caller's `stop` returned true.
class Stopped : public std::runtime_error {
 public:
  Stopped() : std::runtime_error("stopped") {}
};

/// The checker itself failed, so there is no verdict.
class CheckerFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct ExploreOptions {
  Effort effort = Effort::kFull;
  std::optional<Bounds> bounds;      // instead of the effort's
  std::optional<long> random_cases;  // instead of the effort's
  std::uint64_t seed = 1;
  std::vector<std::string> only;  // names of properties; empty: all
  int jobs = 1;
  std::optional<Shard> shard = {};
  double patience_s = 20;                                  // processor time for one case
  std::function<void(long cases)> progress = [](long) {};  // called from time to time with the number of cases so far
  std::function<bool()> stop = [] { return false; };
};

struct PropertyResult {
  PropertyInfo info;
  long asked = 0;  // number of cases to which the property applied
  Verdict verdict = Verdict::kHolds;
  long first = Tally::kNever;                          // number of the first case that violates it
  std::optional<CounterExample> counter_example = {};  // for kViolated: made from that case
};

struct AreaResult {
  std::string name, about, remark;
  Bounds bounds = {};
  long cases = 0;     // enumerated within the bounds
  long distinct = 0;  // of these, counted up to symmetry
  long random_cases = 0;
  long random_asked = 0;  // in all shards
  std::uint64_t seed = 1;
  double seconds = 0;        // wall time
  bool usual_bounds = true;  // not changed by the caller
  std::optional<Shard> shard = {};
  std::vector<PropertyResult> properties = {};

  /// Whether the property makes the area fail: if it is violated, or if it is a kSometimes that was not reached with
  /// the usual bounds and without shards. Smaller bounds, or one shard, may not contain such a case.
  bool counts(const PropertyResult& property) const;
  bool holds() const;
};

/// Merges the results of all shards into the result that explore() returns without shards. The counter-example of a
/// property comes from the shard with the first case that violates it.
AreaResult merged(const std::vector<AreaResult>& shards);

/// Throws InputError if a name in `only` is not a property. Throws Stopped and CheckerFailed.
AreaResult explore(const Area& area, const ExploreOptions& options);

/// The property of this name, including kReturns. Throws InputError.
const PropertyInfo& property_named(const Area& area, const std::string& name);

/// Checks one case again, in its own process. Throws InputError if the key is not a key of the area. Throws Stopped.
Replayed replay(const Area& area, const Key& key, const ExploreOptions& options);
/// The same in this process, for a debugger, without a drawing. A crash ends the process.
Replayed replay_here(const Area& area, const Key& key);

}  // namespace strata::check
