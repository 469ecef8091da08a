// SPDX-License-Identifier: LGPL-2.1-only
// Archives of OTF2 for tests: the events of ranks, as programs/traced.cc writes them down, in the records that Score-P
// would have.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace strata {

/// Events, in the order of their times (s):
///   enter T FUNCTION | leave T | send T PEER COMM TAG BYTES | recv ... | isend ... REQUEST | irecv ... REQUEST
///   isend-complete T REQUEST | irecv-request T REQUEST | cancelled T REQUEST | put T
///   collective T OPERATION COMM ROOT SENT RECEIVED | collective-request T REQUEST | collective-complete ... REQUEST
/// FUNCTION is of MPI where its name begins with MPI_. ROOT -1: none. OPERATION as in OTF2_COLLECTIVE_OP_*.
/// COMM: its place in `communicators`, lists of ranks. Writes traces.otf2 into a new folder.
void write_archive(const std::vector<std::vector<std::string>>& events,
                   const std::vector<std::vector<int>>& communicators, const std::string& creator,
                   const std::filesystem::path& folder);

}  // namespace strata
