// SPDX-License-Identifier: LGPL-2.1-only
// Writes OTF2 archives for tests: the ranks' events, in the format of programs/traced.cc, become the records that
// Score-P would write.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace strata {

/// Events, in the order of their times (s):
///   enter T FUNCTION | leave T | send T PEER COMM TAG BYTES | recv ... | isend ... REQUEST | irecv ... REQUEST
///   isend-complete T REQUEST | irecv-request T REQUEST | cancelled T REQUEST | put T
///   collective T OPERATION COMM ROOT SENT RECEIVED | collective-request T REQUEST | collective-complete ... REQUEST
/// FUNCTION is an MPI function if its name begins with MPI_. ROOT is -1 if there is no root. OPERATION as in
/// OTF2_COLLECTIVE_OP_*. COMM is an index in `communicators`, which are lists of ranks. Writes traces.otf2 into a new
/// folder.
void write_archive(const std::vector<std::vector<std::string>>& events,
                   const std::vector<std::vector<int>>& communicators, const std::string& creator,
                   const std::filesystem::path& folder);

}  // namespace strata
