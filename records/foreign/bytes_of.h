// SPDX-License-Identifier: LGPL-2.1-only
// Reads a whole file.
#pragma once

#include <filesystem>
#include <string>

#include "base/input_file.h"

namespace strata {

/// The bytes of the file. Throws InputError with this remedy.
inline std::string bytes_of(const std::filesystem::path& file, const std::string& remedy) {
  return read_input(file, remedy);
}

}  // namespace strata
