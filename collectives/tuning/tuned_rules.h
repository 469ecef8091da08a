// SPDX-License-Identifier: LGPL-2.1-only
// A file of rules from the choices of cells. For example, choices of a broadcast on 16 and 64 ranks:
//
//   16 ranks: 8 B: the library's own, 64 KiB: 9    ->   2 ranks:  from 0 B: 0
//   64 ranks: 8 B: 6, 64 KiB: 6                         16 ranks: from 0 B: 0, from 65536 B: 9
//                                                       64 ranks: from 0 B: 0, from 8 B: 6
//
// A rule applies from its size on up to the next rule, and so do the rules of a communicator size. So the choice of the
// largest size applies to all larger ones too. Below the smallest size, and on fewer ranks than the smallest number,
// the library decides: its choice was not compared there. Sizes are those that files of rules compare
// (tuned_rule_bytes), for example the data of all ranks in an allgather. For scans and MPI_Alltoallv, this size does
// not depend on the message; where the choices of such cells differ, the library decides.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "collectives/rules/rule_file.h"
#include "collectives/tuning/cell.h"

namespace strata::collectives {

struct CellChoice {
  Cell cell;
  Choice choice;  // algorithm 0: the library's own decision
  bool operator==(const CellChoice&) const = default;
};

/// `format`: kTuned, kTuned2 or kTunedJson. Only with operations for which a rule differs from the library's decision;
/// without any rule, `collectives` is empty. `choices`: in any order, each cell once.
RuleFile rules_of(std::vector<CellChoice> choices, Format format);

/// The first cell for which the library, with this file, does not do what `choices` say; empty if it does it for all.
/// Cells that one rule serves may have the library's own decision instead.
std::optional<Cell> differs(const RuleFile& file, const Library& library, const std::vector<CellChoice>& choices);

}  // namespace strata::collectives
