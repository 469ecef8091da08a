// SPDX-License-Identifier: LGPL-2.1-only
// Source lines of places in machine code, by addr2line: "bcast.c:12", if the program was compiled with -g.
#pragma once

#include <filesystem>
#include <vector>

#include "records/exchange/finding.h"

namespace strata::sim {

/// Fills the `location` of each call of the findings; it stays empty where the line is not known. `program` is the
/// simulated program; files of the tool are written into `folder`.
void locate(std::vector<Finding>& findings, const std::filesystem::path& program, const std::filesystem::path& folder);

}  // namespace strata::sim
