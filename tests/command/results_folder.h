// SPDX-License-Identifier: LGPL-2.1-only
// Results folders, for comparisons in tests.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "tests/process/process.h"

namespace strata {

/// The bytes of each file by its path in the folder, except seconds.csv, which contains wall times of this computer.
inline std::map<std::string, std::string> files_of(const std::filesystem::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().lexically_relative(folder);
    if (entry.is_regular_file() && name != "seconds.csv") files[name] = read_text(entry.path());
  }
  return files;
}

}  // namespace strata
