// SPDX-License-Identifier: LGPL-2.1-only
// Identifies the program of a trace by the hash of its file, for example "5f0c6a1b3d2e4f77".
#pragma once

#include <filesystem>
#include <string>

namespace strata {

/// XXH3 with 64 bits, in hexadecimal; empty if the file cannot be read.
std::string program_hash(const std::filesystem::path& program);

}  // namespace strata
