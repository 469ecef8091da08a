// SPDX-License-Identifier: LGPL-2.1-only
// Reads and writes files of rules of any format:
//
//   const RuleFile rules = read_rules("rules.conf", parse_library("openmpi-4.1.4", "--mpi"));
//   const Decision decision = look_up(rules, library, call);   // look_up.h
//   write_rules(rules);                                        // the text of the file
#pragma once

#include <string>

#include "collectives/rules/rule_file.h"

namespace strata::collectives {

/// Reads a file of any format, which its text and the library determine: JSON by its first character, HAN's files by
/// their words, such as `tuned`. Throws InputError with file and line: what is wrong, and what the library does with
/// such a file.
RuleFile read_rules(const std::string& file, const Library& library, Reading reading = Reading::kStrict);

/// The text of a file that the library reads as these rules.
std::string write_rules(const RuleFile& file);

}  // namespace strata::collectives
