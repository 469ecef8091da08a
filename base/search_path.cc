// SPDX-License-Identifier: LGPL-2.1-only
#include "base/search_path.h"

#include <unistd.h>

#include <cstdlib>
#include <sstream>

namespace strata {

std::optional<std::filesystem::path> find_in_path(const std::string& name) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "/usr/bin:/bin" : path);
  std::error_code ignored;
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::filesystem::path file = std::filesystem::path(folder.empty() ? "." : folder) / name;
    if (std::filesystem::is_regular_file(file, ignored) && ::access(file.c_str(), X_OK) == 0)
      return std::filesystem::absolute(file);
  }
  return std::nullopt;
}

}  // namespace strata
