// SPDX-License-Identifier: LGPL-2.1-only
// The protocols of mpi_ext that `strata check` explores.
#pragma once

#include <string>
#include <vector>

#include "command/check/programs.h"

namespace strata::command {

/// Whether a word of the command line names protocols: "protocols" or "protocols/hierarchy.roots".
bool is_protocol(const std::string& word);

/// The protocols named in `what`, in the catalog's order: "protocols" for all, or "protocols/hierarchy.roots" for those
/// whose names begin like this. Each is explored with `jobs` executions at a time. Other words stay in `what`. Throws
/// InputError if no protocol has such a name.
std::vector<ProgramQuestion> find_protocols(std::vector<std::string>& what, bool quick, int jobs);

/// The protocol of a key. Throws InputError if it does not exist.
ProgramQuestion protocol_of(const check::Key& key);

/// Their names and what they demonstrate.
std::string list_of_protocols();

}  // namespace strata::command
