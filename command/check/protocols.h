// The protocols of mpi_ext as `strata check` explores them.
#pragma once

#include <string>
#include <vector>

#include "command/check/programs.h"

namespace strata::command {

/// The name of all of them on the command line, before the slash in theirs.
inline constexpr const char* kProtocols = "protocols";

/// Those that words of `what` name, in the catalog's order: "protocols", or "protocols/hierarchy.roots" for all whose
/// names begin so. Words that are none are left in `what`. Throws InputError where one begins as a protocol and is
/// none.
std::vector<ProgramQuestion> find_protocols(std::vector<std::string>& what, bool quick);

/// The protocol of a key. Throws InputError.
ProgramQuestion protocol_of(const std::string& key);

/// Their names and what they show.
std::string list_of_protocols();

}  // namespace strata::command
