// SPDX-License-Identifier: LGPL-2.1-only
// Reads a whole file.
#pragma once

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "platforms/error.h"

namespace strata {

/// The bytes of the file. Throws InputError with this remedy.
inline std::string bytes_of(const std::filesystem::path& file, const std::string& remedy) {
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  std::string bytes;
  if (in) bytes.assign(std::istreambuf_iterator<char>(in), {});
  if (!in || in.bad()) throw InputError(file.string(), std::strerror(errno), remedy);
  return bytes;
}

}  // namespace strata
