// SPDX-License-Identifier: LGPL-2.1-only
// Slurm's lists of names: "node[01-03,10],login" is node01, node02, node03, node10 and login.
//
// Several brackets give all combinations, the last bracket changing fastest: "r[0-1]n[1-2]" is r0n1, r0n2, r1n1, r1n2.
// Numbers are padded with zeros to the width of the first number of their range.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace strata {

/// The names in their order. Throws InputError that names `where`: malformed brackets or ranges, an empty name, or more
/// than kMaxNodes names.
std::vector<std::string> expand_hostlist(std::string_view list, const std::string& where);

/// A list of these names. Successive names that differ in a number at their end, which grows by 1, become a range.
std::string hostlist_of(const std::vector<std::string>& names);

}  // namespace strata
