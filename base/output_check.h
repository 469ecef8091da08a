// SPDX-License-Identifier: LGPL-2.1-only
// Checks that results can be written before the work for them begins, so that no simulation is lost to a mistyped path.
//
// The check tries what writing will do: it makes a file or a folder with another name in the same place, and removes
// it. Files and folders that are there stay as they are.
#pragma once

#include <filesystem>

namespace strata {

/// Throws OutputError if write_whole(file) would fail: no such folder, no right to write there, a directory of this
/// name, a full disk.
void check_output_file(const std::filesystem::path& file);

/// Throws OutputError if the folder cannot be made, with its parents, or no file can be made in it.
void check_output_folder(const std::filesystem::path& folder);

/// For results that are a file or a folder, beside which they are prepared: a folder of this name is not refused.
void check_output_beside(const std::filesystem::path& path);

}  // namespace strata
