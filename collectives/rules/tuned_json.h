// SPDX-License-Identifier: LGPL-2.1-only
// Reads and writes the JSON with which users choose the algorithms of Open MPI's component tuned from Open MPI 6.0 on:
//
//   {"rule_file_version": 3, "module": "tuned", "collectives": {
//     "bcast": [{"comm_size_min": 64, "comm_size_max": 128, "comm_rank_distribution": "one-per-node", "rules": [
//       {"msg_size_min": 8192, "msg_size_max": "inf", "alg": "binomial", "faninout": 0, "seg_size": 0, "reqs": 0}]}]}}
//
// Sizes include their ends. The first set of rules that suits a communicator is taken, and then the first of its rules
// that suits a message; without one, the fixed decision. Everything but `collectives`, `rules` and `alg` may be left
// out. Open MPI ignores a rule whose algorithm it does not know, and the whole file if anything else is wrong.
//
// Source: ompi_coll_tuned_read_rules_json in ompi/mca/coll/tuned/coll_tuned_dynamic_file.c of the branch v6.0.x.
#pragma once

#include <string>

#include "collectives/rules/rule_file.h"

namespace strata::collectives {

/// As read_tuned (tuned_file.h).
RuleFile read_tuned_json(const std::string& text, const std::string& file, const Library& library,
                         Reading reading = Reading::kStrict);

/// Algorithms are written by number, because names differ between versions.
std::string write_tuned_json(const RuleFile& file);

}  // namespace strata::collectives
