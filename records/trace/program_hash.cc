// SPDX-License-Identifier: LGPL-2.1-only
#include "records/trace/program_hash.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <fstream>
#include <iterator>

namespace strata {

std::string program_hash(const std::filesystem::path& program) {
  std::ifstream in(program, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  return in ? fmt::format("{:016x}", XXH3_64bits(bytes.data(), bytes.size())) : "";
}

}  // namespace strata
