// SPDX-License-Identifier: LGPL-2.1-only
// An area of the model checker: cases of one kind, enumerated from small to large within bounds and drawn at random
// beyond, and the properties that all of them must have. The idea is Stateright's: a model is states and properties;
// the verdict comes with counts, the smallest counter-example, and a key that shows it again.
//
// The pure core under check is linked into the program, with nothing between. A case can be made again from its key, a
// line of text without blanks. So the engine (explore.h), which knows nothing of trees or meshes, can shrink, draw and
// replay it. Areas are written with domain.h.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "check/engine/bounds.h"
#include "check/engine/counter_example.h"
#include "check/engine/judgement.h"
#include "records/shard.h"

namespace strata::check {

enum class Effort { kQuick, kFull };

struct PropertyInfo {
  enum class Kind {
    kAlways,     // of every case
    kSometimes,  // of at least one within the bounds: shows that other properties have cases to speak of
  };
  std::string name;       // "strict-subset"
  std::string statement;  // in one line
  std::string source;     // paper, section; MPI standard, section; our contract
  Kind kind = Kind::kAlways;
};

/// The cases of one worker process.
///
/// Shards have whole classes of symmetric cases, by their fingerprints, so that distinct cases of shards add up; random
/// cases go by number.
struct Share {
  Bounds bounds = {};
  long random_cases = 0;            // after the enumerated ones
  std::uint64_t seed = 1;           // of these: case i has a generator of its own
  std::vector<size_t> only = {};    // indexes of the properties to ask
  Shard shard = {};                 // the cases of this one alone
  long worker = 0, workers = 1;     // of these it takes the cases i with i mod workers == worker
  std::atomic<long>* at = nullptr;  // set to the number of each case before it is looked at
};

/// The results of a worker.
struct Tally {
  static constexpr long kNever = -1;
  long cases = 0;                // enumerated, of this share
  long random_cases = 0;         // of this share
  std::vector<long> asked = {};  // by property: of how many cases it spoke; of a kSometimes: which have it
  std::vector<long> first = {};  // by property: the first case that violates it, or kNever
  std::vector<std::uint64_t> fingerprints = {};  // of the enumerated cases, as they come
};

/// Reading from several processes is safe: nothing changes after construction.
class Area {
 public:
  Area() = default;
  Area(const Area&) = delete;
  Area& operator=(const Area&) = delete;
  virtual ~Area() = default;

  /// One word: "hsplit".
  virtual const std::string& name() const = 0;
  /// What is checked, in one line.
  virtual const std::string& about() const = 0;
  virtual const std::vector<PropertyInfo>& properties() const = 0;
  virtual Bounds bounds(Effort effort) const = 0;
  /// How many random cases beyond the bounds.
  virtual long random_cases(Effort effort) const = 0;
  /// For the report, cases that are not enumerated because of a symmetry: "3,021 ordered trees"; may be empty.
  virtual std::string remark(const Bounds& bounds) const = 0;

  /// Looks at a share of the cases.
  virtual Tally explore(const Share& share) const = 0;
  /// The key of case number `index` of such a share.
  virtual std::string key(const Share& share, long index) const = 0;

  /// The functions below throw InputError where `key` is not a key of this area.
  virtual Judgement judge(const std::string& key, size_t property) const = 0;
  /// Cases that are one step simpler, the simplest first.
  virtual std::vector<std::string> smaller(const std::string& key) const = 0;
  virtual Drawing draw(const std::string& key) const = 0;
};

}  // namespace strata::check
