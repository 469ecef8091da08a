// SPDX-License-Identifier: LGPL-2.1-only
// Cross-checks a run: compares each record with each model's prediction.
//
// For each program with a model, the parameters of a point (metric `time`, in s; other metrics are skipped) that are
// read from its records, or else from the study's arguments (--root 3). Defaults are those of the programs
// (records/program_defaults.h).
//   collective collective (bcast where there is none), algorithm, variant, elements (of four bytes; of gather, scatter
//              and allgather a rank's block), root and segment (bytes): 0 where there is none
//   vectors    hierarchy (topo, or groups as 3x4x2x3x8), elements (of four bytes)
//   summa      variant (simple, topological, or groups as 3x4-groups), block (8 where there is none)
//   nbc        collective (of kTreeCollectives; ireduce where there is none), bytes (not 0), steps (auto where there is
//              none, blocking or a number), work (core-seconds), arity (2 where there is none), root (0) and tree
//              (flat); by the model split-tree, of this program alone
//   pairs      pairs, bytes; by the model max-rate
//   ncartperf  dims (none where there is none), periods (0 in each), comm (cart: as world, in the order of the ranks),
//              method (of nodecart; the paper's alone), n (1024) and sweeps (32); by the model max-rate
//   pingpong   bytes; the time is half a round trip between ranks 0 and 1: one message alone
#pragma once

#include <string>
#include <vector>

#include "models/prediction.h"
#include "records/record.h"

namespace strata::models {

enum class Verdict {
  kAgrees,     // within the stated tolerance
  kDisagrees,  // out of the tolerance although the model's assumptions hold; or they do not, but the model gives
               // bounds, and the time is outside these by more than the tolerance: a failed check
  kOutside,    // the model's assumptions do not hold (contention): the residual is shown, but not judged
};

struct CheckRow {
  std::string model;
  Json parameters;
  double predicted_s = 0;
  double simulated_s = 0;
  double residual = 0;  // (simulated - predicted) / predicted; infinite if only the prediction is 0
  double tolerance = 0;
  Verdict verdict = Verdict::kAgrees;
  std::string reason;  // for kOutside, and for a time out of bounds
};

/// Throws InputError, naming `where`, if the study asks for a model that cross_check does not know.
void require_known_models(const Study& study, const std::string& where);

/// Rows in the order of the records; for each record, a row per model, as the study lists them. Programs, and
/// algorithms of a program, without a model give no rows. Reads machine.yaml and the bindings of the results' folder.
/// Throws InputError if they are missing, the study lists an unknown model, or a record lacks a parameter.
std::vector<CheckRow> cross_check(const Results& results);

}  // namespace strata::models
