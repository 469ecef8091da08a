// SPDX-License-Identifier: LGPL-2.1-only
// Opens the files that users name. All readers of users' files begin here, so each of them refuses, in one line, what
// cannot be read to its end: a directory, a pipe without a writer, a device such as /dev/zero, a socket, a file
// too large for memory.
//
//   const std::string xml = read_input("node.xml", "write it with `lstopo --of xml`", kMostXml_bytes);
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

namespace strata {

/// The most bytes of a file that is read whole, unless its reader says otherwise: four times the dense matrix of 8192
/// ranks, with numbers of three digits. Reading needs about as much memory.
inline constexpr std::uintmax_t kMostInput_bytes = std::uintmax_t{1} << 30;
/// For files that are read in pieces, or that Strata itself has written, whose length the run determines.
inline constexpr std::uintmax_t kAnySize_bytes = UINTMAX_MAX;

/// Throws InputError with this remedy if the file does not exist, is not a regular file, or is larger than `most`.
/// Opens nothing, so it does not wait for the other end of a pipe.
void check_input(const std::filesystem::path& file, const std::string& remedy,
                 std::uintmax_t most_bytes = kMostInput_bytes);

/// The file, opened to be read as bytes. Throws like check_input, and if the file cannot be opened.
std::ifstream open_input(const std::filesystem::path& file, const std::string& remedy,
                         std::uintmax_t most_bytes = kMostInput_bytes);

/// The whole file. Throws like open_input, and if reading fails.
std::string read_input(const std::filesystem::path& file, const std::string& remedy,
                       std::uintmax_t most_bytes = kMostInput_bytes);

}  // namespace strata
