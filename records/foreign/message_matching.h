// SPDX-License-Identifier: LGPL-2.1-only
// Checks that the messages in an OTF2 archive's calls (rank_calls.h) fit together: ranks exist, and what a rank
// receives is as long as what the other sends. In an archive, each receive names the rank and the tag of its message,
// so the k-th message of a pair of ranks, communicator and tag is for the k-th receive.
//
// A receive without a message is left to the simulation, which names the ranks that wait.
#pragma once

#include <string>
#include <vector>

#include "records/foreign/rank_calls.h"

namespace strata {

/// Adds a note if messages are sent that no rank receives. Throws InputError about `archive`.
void match_messages(const std::vector<RankCalls>& ranks, const CommonCalls& common, const std::string& archive,
                    std::vector<std::string>& notes);

}  // namespace strata
