// SPDX-License-Identifier: LGPL-2.1-only
// The program that execvp(3) would run for a name without a slash: find_in_path("sh") is "/bin/sh".
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace strata {

/// The first executable file of this name in the folders of PATH (/usr/bin and /bin if it is not set; an empty folder
/// is the current one). Absolute; nothing if no folder has one.
std::optional<std::filesystem::path> find_in_path(const std::string& name);

}  // namespace strata
