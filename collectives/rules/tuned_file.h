// SPDX-License-Identifier: LGPL-2.1-only
// Reads and writes the files of numbers with which users choose the algorithms of Open MPI's component tuned
// (--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename FILE):
//
//   rule-file-version-2   # only in version 2, from Open MPI 4.1.8 and 5.0.7 on; it must be the first line
//   1                     # number of collectives
//   3                     # alltoall (operation.h)
//   1                     # number of communicator sizes
//   64                    # from this many ranks on
//   2                     # number of message sizes
//   0 1 0 0               # from 0 B: algorithm, fan-in and fan-out, bytes of a segment
//   4096 4 0 0 8          # in version 2 a rule may also state the largest number of requests
//
// Numbers may be anywhere on a line, and # begins a comment. Open MPI ignores the whole file if a number is missing or
// negative, a collective does not exist, or the first message size is not 0; it does so without a word, unless it was
// compiled for debugging. It accepts sizes that do not increase, and never applies some of these rules.
//
// Source: ompi_coll_tuned_read_rules_config_file in ompi/mca/coll/tuned/coll_tuned_dynamic_file.c of Open MPI 4.1.4,
// 4.1.8, 5.0.9 and of the branch v6.0.x.
#pragma once

#include <string>

#include "collectives/rules/rule_file.h"

namespace strata::collectives {

/// Whether this library knows the header of version 2.
bool knows_version_2(const Library& library);

/// `file`: for errors, which give file and line, what is wrong, and what Open MPI does. Throws InputError.
RuleFile read_tuned(const std::string& text, const std::string& file, const Library& library,
                    Reading reading = Reading::kStrict);

/// Version 1 or 2, as the format of the rules says.
std::string write_tuned(const RuleFile& file);

}  // namespace strata::collectives
