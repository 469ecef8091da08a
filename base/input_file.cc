// SPDX-License-Identifier: LGPL-2.1-only
#include "base/input_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/system_error.h"

namespace strata {
namespace {

namespace fs = std::filesystem;

// Empty: a regular file, or of a kind that is not known.
const char* kind_other_than_file(fs::file_type type) {
  switch (type) {
    case fs::file_type::directory:
      return "is a directory";
    case fs::file_type::fifo:
      return "is a pipe, not a regular file";
    case fs::file_type::character:
    case fs::file_type::block:
      return "is a device, not a regular file";
    case fs::file_type::socket:
      return "is a socket, not a regular file";
    default:
      return "";
  }
}

[[noreturn]] void refuse(const fs::path& file, int error, const std::string& remedy) {
  const std::string limit = limit_remedy(error);
  throw InputError(file.string(), std::strerror(error), limit.empty() ? remedy : limit);
}

}  // namespace

void check_input(const fs::path& file, const std::string& remedy, std::uintmax_t most_bytes) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (status.type() == fs::file_type::not_found) refuse(file, error ? error.value() : ENOENT, remedy);
  if (status.type() == fs::file_type::none) refuse(file, error.value(), remedy);
  if (const std::string kind = kind_other_than_file(status.type()); !kind.empty())
    throw InputError(file.string(), kind, remedy);
  const std::uintmax_t bytes = fs::file_size(file, error);
  if (!error && bytes > most_bytes) {
    throw InputError(file.string(),
                     "has " + std::to_string(bytes) + " B, and at most " + std::to_string(most_bytes) + " B are read",
                     remedy);
  }
}

std::ifstream open_input(const fs::path& file, const std::string& remedy, std::uintmax_t most_bytes) {
  check_input(file, remedy, most_bytes);
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  if (!in) refuse(file, errno, remedy);
  return in;
}

std::string read_input(const fs::path& file, const std::string& remedy, std::uintmax_t most_bytes) {
  std::ifstream in = open_input(file, remedy, most_bytes);
  // Files of /proc say that they are empty, and a file may grow, so this reads up to the end and not up to its length.
  std::error_code ignored;
  const std::uintmax_t expected = fs::file_size(file, ignored);
  constexpr std::size_t kPiece_bytes = 1 << 16;
  std::string bytes;
  if (!ignored) bytes.reserve(static_cast<std::size_t>(expected) + 1);
  std::string piece(kPiece_bytes, '\0');
  errno = 0;
  while (in.read(piece.data(), static_cast<std::streamsize>(piece.size())) || in.gcount() > 0) {
    bytes.append(piece.data(), static_cast<std::size_t>(in.gcount()));
    if (bytes.size() > most_bytes) break;
  }
  if (in.bad()) refuse(file, errno == 0 ? EIO : errno, remedy);
  return bytes;
}

}  // namespace strata
