// SPDX-License-Identifier: LGPL-2.1-only
// Writes a file that appears complete or not at all (whole_file.h) in pieces, so it may be larger than memory.
//
//   write_whole_in_pieces(file, [&](const auto& put) {
//     for (const Part& p : parts) put(text_of(p));
//   });
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

namespace strata {

using PutPiece = std::function<void(std::string_view)>;

/// Throws OutputError.
void write_whole_in_pieces(const std::filesystem::path& file, const std::function<void(const PutPiece&)>& write);

}  // namespace strata
