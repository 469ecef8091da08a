// SPDX-License-Identifier: LGPL-2.1-only
// The files in which users of MPI libraries choose the algorithms of collectives, as one value type. For example, this
// file of Open MPI says that broadcasts from 64 ranks and 8 KiB on use algorithm 6 (binomial), others what they would
// use without the file:
//
//   1         # number of collectives
//   7         # bcast
//   1         # number of communicator sizes
//   64        # from this many ranks on
//   2         # number of message sizes
//   0 0 0 0   # from 0 B: algorithm 0, the fixed decision
//   8192 6 0 0
//
// It becomes collectives = {{7, {{kGlobal, {{64, ..., {{0, ..., {0}}, {8192, ..., {6}}}}}}}}}. look_up.h says which
// rule of a file applies to a call.
#pragma once

#include <climits>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "collectives/rules/call.h"
#include "collectives/rules/library.h"

namespace strata::collectives {

enum class Format {
  kTuned,      // Open MPI's tuned component, numbers only
  kTuned2,     // ... that begin with rule-file-version-2, and may have a fifth number in a rule
  kTunedJson,  // ... JSON, from Open MPI 6.0 on
  kHan,        // Open MPI's component HAN
  kCsel        // MPICH's collective selection, JSON
};

inline constexpr Word<Format> kFormats[] = {{Format::kTuned, "tuned"},
                                            {Format::kTuned2, "tuned-2"},
                                            {Format::kTunedJson, "tuned-json"},
                                            {Format::kHan, "han"},
                                            {Format::kCsel, "csel"}};

/// The algorithm that a rule chooses, and its parameters.
struct Choice {
  int algorithm = 0;               // its number; 0: the library's own decision
  int faninout = 0;                // how many children in a tree or chain; 0: the algorithm's default
  std::int64_t segment_bytes = 0;  // 0: no segments
  std::optional<int> max_requests = {};
  std::string component = {};  // HAN's rules: "tuned"
  std::string name = {};       // MPICH's: "MPIR_Bcast_intra_binomial"
  bool operator==(const Choice&) const = default;
};

inline constexpr std::int64_t kAnySize = INT64_MAX;

/// For messages from `from_bytes` on. Only JSON states `to_bytes`, which is included.
struct MessageRule {
  std::int64_t from_bytes = 0, to_bytes = kAnySize;
  Choice choice = {};
  int line = 0;
  bool operator==(const MessageRule&) const = default;
};

/// How the ranks of a communicator are distributed. Only in JSON.
enum class Distribution { kAny, kOnePerNode, kSingleNode };

inline constexpr Word<Distribution> kDistributions[] = {{Distribution::kAny, "any"},
                                                        {Distribution::kOnePerNode, "one-per-node"},
                                                        {Distribution::kSingleNode, "single-node"}};

/// For communicators from `from_ranks` on. Only JSON states `to_ranks`, which is included.
struct CommunicatorRule {
  int from_ranks = 0, to_ranks = INT_MAX;
  Distribution distribution = Distribution::kAny;
  std::vector<MessageRule> rules = {};
  int line = 0;
  bool operator==(const CommunicatorRule&) const = default;
};

/// Only HAN's files have other levels than kGlobal.
struct LevelRules {
  Level level = Level::kGlobal;
  std::vector<CommunicatorRule> communicators = {};
  int line = 0;
  bool operator==(const LevelRules&) const = default;
};

struct CollectiveRules {
  int id = 0;  // Open MPI's (operation.h)
  std::vector<LevelRules> levels = {};
  int line = 0;
  bool operator==(const CollectiveRules&) const = default;
};

/// A node of MPICH's tree: a test such as "comm_size<=8", whose children are tried in order if it holds, or a leaf
/// "algorithm=MPIR_Bcast_intra_binomial", whose children are its parameters ("k=4").
struct CselNode {
  std::string key;  // without blanks
  std::vector<CselNode> children = {};
  int line = 0;
  bool operator==(const CselNode&) const = default;
};

/// A part of a file that its library accepts, though the user can hardly have meant it.
struct Remark {
  int line = 0;
  std::string what;    // "8 ranks come after 64"
  std::string effect;  // what the library does: "Open MPI 4.1.8 never applies this rule"
  std::string remedy;  // "write the sizes in increasing order"
  bool operator==(const Remark&) const = default;
};

struct RuleFile {
  Format format = Format::kTuned;
  std::string file;
  std::vector<CollectiveRules> collectives;  // of all formats but kCsel
  std::vector<CselNode> tree;                // of kCsel
  std::vector<Remark> remarks;               // in the order of their lines
};

/// Whether a file with remarks is refused.
enum class Reading {
  kStrict,       // the first remark is an InputError
  kAsTheLibrary  // remarks are kept, and the rules are those that the library has read
};

/// The same without what depends on the file's layout: places and remarks.
RuleFile without_places(RuleFile file);
/// Whether two files have the same rules.
bool same_rules(const RuleFile& a, const RuleFile& b);

/// Adds a remark; throws it as an InputError in a strict reading.
void remark(RuleFile& file, Reading reading, const Remark& what);

}  // namespace strata::collectives
