// SPDX-License-Identifier: LGPL-2.1-only
// Which rule of a file applies to a call, as the library looks it up:
//
//   const Decision d = look_up(read_rules("rules.conf", library), library,
//                              {.operation = Operation::kBcast, .ranks = 64, .bytes = 16384});
//   d.choice.algorithm   6
//   d.name               "binomial"
//   d.line               the rule's, of rules.conf
//
// Open MPI's tuned before 6.0 goes through the communicator sizes until one is larger than the communicator, takes the
// one before it (the first, if all are larger), and goes through its message sizes in the same way. From 6.0 on, it
// takes the first range that contains the size, first of communicators, then of messages. It derives the ranges of a
// file of numbers from the sizes; those of communicators begin one rule too early: of the sizes 2 and 64, the first
// rule is for communicators of one rank, and the second for all others. Algorithm 0, and a call that no rule suits, get
// the fixed decision. HAN takes the last rule that a call reaches. MPICH goes down its tree.
//
// Source: ompi_coll_tuned_get_com_rule_ptr and ompi_coll_tuned_get_target_method_params in coll_tuned_dynamic_rules.c
// of Open MPI 4.1.4, 5.0.9 and of the branch v6.0.x; get_dynamic_rule in coll_han_dynamic.c of 4.1.4 and 5.0.9;
// prune_tree and MPIR_Csel_search in csel.c of MPICH 4.0.2, 4.2.3 and 5.0.1.
#pragma once

#include <string>

#include "collectives/rules/rule_file.h"

namespace strata::collectives {

struct Decision {
  enum class By {
    kRule,   // a rule of the file
    kFixed,  // the library's own decision
    kNone    // no algorithm: the library fails, or asks its parameters
  };

  By by = By::kNone;
  Choice choice;
  std::string name;  // of the algorithm, empty if the library does not have it
  std::string file;
  int line = 0;     // of the rule that was found in the file, also if it says 0; 0: none
  std::string why;  // "bcast, from 64 ranks, from 8192 B"
};

/// Of Open MPI's tuned without a file.
Decision look_up_fixed(const Library& library, const Call& call);

/// `library`: for which the file was read.
Decision look_up(const RuleFile& rules, const Library& library, const Call& call);

}  // namespace strata::collectives
