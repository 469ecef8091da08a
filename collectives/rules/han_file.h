// SPDX-License-Identifier: LGPL-2.1-only
// Reads and writes the files with which users choose what Open MPI's component HAN does on each level of a communicator
// (--mca coll_han_use_dynamic_file_rules 1 --mca coll_han_dynamic_rules_filename FILE):
//
//   1                        # number of collectives
//   bcast                    # or its number, 7 (operation.h)
//   2                        # number of levels
//   intra_node               # or 0; before Open MPI 5.0 the number only
//   1                        # number of communicator sizes
//   1                        # from this many ranks on
//   2                        # number of message sizes
//   0 sm                     # from 0 B: the component that does it
//   8192 tuned
//   global_communicator      # or 2, the communicator of the call; inter_node is 1
//   1
//   1
//   1
//   0 han @simple            # from Open MPI 5.0 on, with one of HAN's algorithms
//
// A rule may end with a list of segment lengths, [4096 8192], which Open MPI reads and does not use. It ignores the
// whole file if anything is missing or unknown, and takes what the parameters coll_han_*_dynamic_*_module say.
//
// Source: mca_coll_han_init_dynamic_rules in ompi/mca/coll/han/coll_han_dynamic_file.c of Open MPI 4.1.4, 5.0.9 and of
// the branch v6.0.x. (The example in coll_han_dynamic_file.h has numbers for components, which this function refuses.)
#pragma once

#include <string>
#include <string_view>

#include "collectives/rules/rule_file.h"

namespace strata::collectives {

/// Whether HAN can give a message to this component of Open MPI.
bool is_han_component(std::string_view name);

/// As read_tuned (tuned_file.h).
RuleFile read_han(const std::string& text, const std::string& file, const Library& library,
                  Reading reading = Reading::kStrict);

/// Levels by number, and algorithms by number, only where they are not 0: what each version reads.
std::string write_han(const RuleFile& file);

}  // namespace strata::collectives
