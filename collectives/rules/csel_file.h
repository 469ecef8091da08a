// SPDX-License-Identifier: LGPL-2.1-only
// Reads and writes the JSON with which users choose MPICH's algorithms
// (MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=FILE): a tree whose keys are tests, tried in order.
//
//   {"collective=bcast": {"comm_type=intra": {
//     "comm_size<8": {"algorithm=MPIR_Bcast_intra_binomial": {}},
//     "comm_size=any": {
//       "avg_msg_size<=12288": {"algorithm=MPIR_Bcast_intra_binomial": {}},
//       "avg_msg_size=any": {"algorithm=MPIR_Bcast_intra_scatter_ring_allgather": {}}}}}}
//
// When a test does not hold, MPICH goes on with the next key beside it. It does not go back: if a test holds and none
// below it does, no algorithm is found. MPICH ends the program when it does not understand a file.
//
// Source: parse_json_tree and validate_tree in src/mpi/coll/src/csel.c, MPII_Create_container in csel_container.c, of
// MPICH 4.0.2, 4.2.3 and 5.0.1. The catalog that MPICH uses without a file has the same form:
// maint/tuning/coll/mpir/generic.json.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "collectives/rules/rule_file.h"

namespace strata::collectives {

/// The kind of test that a key is.
enum class CselTest {
  kCollective,
  kIntra,
  kInter,
  kThreaded,
  kRanksAtMost,
  kRanksBelow,
  kRanksPowerOfTwo,
  kRanksOfOneNode,
  kHierarchy,
  kConsecutive,
  kRanksPerNodeAtMost,
  kRanksPerNodeBelow,
  kMeanBytesAtMost,
  kMeanBytesBelow,
  kTotalBytesAtMost,
  kTotalBytesBelow,
  kCountAtMost,
  kCountBelowPowerOfTwo,
  kInPlace,
  kRegular,
  kCommutative,
  kBuiltIn,
  kAny,
  kLeaf  // algorithm= or composition=
};

/// Whether its answer is the same for all calls with a communicator; kAny's depends on its key.
bool tests_communicator(CselTest test);

struct CselKey {
  CselTest test;
  std::int64_t value = 0;      // the number after <= or <; 1 for yes, 0 for no
  std::string_view name = {};  // after = of a collective, a hierarchy, an algorithm; before =any
};

/// Empty if this version of MPICH does not know the key. `key`: without blanks; the result refers to it.
std::optional<CselKey> parse_csel_key(std::string_view key, const Library& library);

/// Whether MPICH has this algorithm ("MPIR_Bcast_intra_binomial") of a blocking collective ("bcast"). Compositions
/// ("MPIDI_...") and those of other collectives are not checked.
bool has_mpich_algorithm(std::string_view collective, std::string_view name, const Library& library);

/// As read_tuned (tuned_file.h).
RuleFile read_csel(const std::string& text, const std::string& file, const Library& library,
                   Reading reading = Reading::kStrict);

std::string write_csel(const RuleFile& file);

}  // namespace strata::collectives
