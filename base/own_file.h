// SPDX-License-Identifier: LGPL-2.1-only
// Reads files that Strata or its children have written. A file that is missing, or that cannot be read, is empty. Files
// that users name: input_file.h.
//
//   const std::string said = read_end(folder / "err", 4096);
#pragma once

#include <filesystem>
#include <string>

namespace strata {

std::string read_whole(const std::filesystem::path& file);

/// The end of a file, at most `most` bytes.
std::string read_end(const std::filesystem::path& file, long most);

}  // namespace strata
