// SPDX-License-Identifier: LGPL-2.1-only
// The protocols of mpi_ext as `strata check` explores them.
#pragma once

#include <string>
#include <vector>

#include "command/check/programs.h"

namespace strata::command {

/// Whether a word of the command line names protocols: "protocols", "protocols/hierarchy.roots".
bool is_protocol(const std::string& word);

/// The protocols that words of `what` name, in the catalog's order: "protocols", or "protocols/hierarchy.roots" for all
/// whose names begin like this; each with `jobs` executions at a time. Other words stay in `what`. Throws InputError
/// where no protocol has such a name.
std::vector<ProgramQuestion> find_protocols(std::vector<std::string>& what, bool quick, int jobs);

/// The protocol of a key. Throws InputError.
ProgramQuestion protocol_of(const check::Key& key);

/// Their names and what they show.
std::string list_of_protocols();

}  // namespace strata::command
