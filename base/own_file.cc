// SPDX-License-Identifier: LGPL-2.1-only
#include "base/own_file.h"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace strata {

std::string read_whole(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

std::string read_end(const std::filesystem::path& file, long most) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  if (!in) return "";
  in.seekg(std::max<std::streamoff>(0, static_cast<std::streamoff>(in.tellg()) - most));
  return std::string(std::istreambuf_iterator<char>(in), {});
}

}  // namespace strata
