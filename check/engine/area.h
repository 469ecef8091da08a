// SPDX-License-Identifier: LGPL-2.1-only
// An area of the model checker: cases of one kind, and the properties that all of them must have. Cases are enumerated
// from small to large within bounds, and drawn at random beyond them. The idea is Stateright's: a model consists of
// states and properties; the result is a verdict, counts, and the smallest counter-example with a key that reproduces
// it.
//
// The pure core under check is linked into the checker and called directly. A case can be reconstructed from its key, a
// line of text without blanks. Therefore the engine (explore.h) can shrink, draw and replay cases without knowledge of
// trees or meshes. Areas are written with domain.h.
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
    kAlways,     // every case has it
    kSometimes,  // at least one case within the bounds has it: shows that other properties are not vacuous
  };
  std::string name;       // "strict-subset"
  std::string statement;  // one line
  std::string source;     // paper, section; MPI standard, section; our contract
  Kind kind = Kind::kAlways;
};

/// The cases of one worker process.
///
/// A shard contains whole classes of symmetric cases, selected by fingerprint, so the numbers of distinct cases can be
/// added over shards. Random cases are selected by number.
struct Share {
  Bounds bounds = {};
  long random_cases = 0;            // after the enumerated ones
  std::uint64_t seed = 1;           // of the random cases; each has its own generator
  std::vector<size_t> only = {};    // indexes of the properties to check
  Shard shard = {};                 // only cases of this shard
  long worker = 0, workers = 1;     // of the cases in this shard, the worker takes numbers i with i mod workers ==
                                    // worker
  std::atomic<long>* at = nullptr;  // set to the number of each case before it is checked
};

/// The results of a worker.
struct Tally {
  static constexpr long kNever = -1;
  long cases = 0;                // enumerated cases in this share
  long random_cases = 0;         // in this share
  std::vector<long> asked = {};  // by property: cases to which it applied; for a kSometimes: cases that have it
  std::vector<long> first = {};  // by property: the first case that violates it, or kNever
  std::vector<std::uint64_t> fingerprints = {};  // of the enumerated cases, in order
};

/// Immutable after construction, so several processes may use it.
class Area {
 public:
  Area() = default;
  Area(const Area&) = delete;
  Area& operator=(const Area&) = delete;
  virtual ~Area() = default;

  /// One word: "hsplit".
  virtual const std::string& name() const = 0;
  /// What the area checks, in one line.
  virtual const std::string& about() const = 0;
  virtual const std::vector<PropertyInfo>& properties() const = 0;
  virtual Bounds bounds(Effort effort) const = 0;
  /// The number of random cases beyond the bounds.
  virtual long random_cases(Effort effort) const = 0;
  /// For the report: the number of cases that are not enumerated because of a symmetry, as "3,021 ordered trees"; may
  /// be empty.
  virtual std::string remark(const Bounds& bounds) const = 0;

  /// Checks a share of the cases.
  virtual Tally explore(const Share& share) const = 0;
  /// The key of case number `index` in a share.
  virtual std::string key(const Share& share, long index) const = 0;

  /// The functions below throw InputError if `key` is not a key of this area.
  virtual Judgement judge(const std::string& key, size_t property) const = 0;
  /// Cases that are one step simpler, the simplest first.
  virtual std::vector<std::string> smaller(const std::string& key) const = 0;
  virtual Drawing draw(const std::string& key) const = 0;
};

}  // namespace strata::check
