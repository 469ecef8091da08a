// SPDX-License-Identifier: LGPL-2.1-only
// Explores an area: worker processes share its cases, the first case that violates a property is shrunk, drawn and
// named by a key.
//
// The result depends on the area, the bounds, the seed and the code under check, not on the number of workers. Where a
// worker crashes or hangs on a case, the code under check does not return: that violates the property `returns`, which
// every area has besides its own.
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

/// Of every area, after its own.
extern const PropertyInfo kReturns;

/// The caller's `stop` said so.
class Stopped : public std::runtime_error {
 public:
  Stopped() : std::runtime_error("stopped") {}
};

/// The checker itself cannot go on: no verdict.
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
  double patience_s = 20;                                  // of a processor's time, on one case
  std::function<void(long cases)> progress = [](long) {};  // so many were looked at; called now and then
  std::function<bool()> stop = [] { return false; };
};

struct PropertyResult {
  PropertyInfo info;
  long asked = 0;  // of how many cases it spoke
  Verdict verdict = Verdict::kHolds;
  long first = Tally::kNever;                          // number of the first case that violates it
  std::optional<CounterExample> counter_example = {};  // of kViolated: made from that case
};

struct AreaResult {
  std::string name, about, remark;
  Bounds bounds = {};
  long cases = 0;     // enumerated within the bounds
  long distinct = 0;  // of them, up to symmetry
  long random_cases = 0;
  long random_asked = 0;  // of all shards
  std::uint64_t seed = 1;
  double seconds = 0;        // of wall time
  bool usual_bounds = true;  // not changed by the caller
  std::optional<Shard> shard = {};
  std::vector<PropertyResult> properties = {};

  /// A kSometimes that was not reached counts where the bounds are the usual ones and all cases were looked at: others
  /// may be too few for it.
  bool counts(const PropertyResult& property) const;
  bool holds() const;
};

/// Adds up the results of all shards to that of explore without shards. The counter-example of a property comes from
/// the shard with the first case that violates it.
AreaResult merged(const std::vector<AreaResult>& shards);

/// Throws InputError on a name in `only` that is not a property, Stopped, CheckerFailed.
AreaResult explore(const Area& area, const ExploreOptions& options);

/// The property of this name, kReturns too. Throws InputError.
const PropertyInfo& property_named(const Area& area, const std::string& name);

/// Looks at one case again, in a process of its own. Throws InputError where the key is not one of the area's, Stopped.
Replayed replay(const Area& area, const Key& key, const ExploreOptions& options);
/// The same in this process, for a debugger, without a drawing. A crash ends it.
Replayed replay_here(const Area& area, const Key& key);

}  // namespace strata::check
