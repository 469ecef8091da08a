// SPDX-License-Identifier: LGPL-2.1-only
#include "base/output_check.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include "base/output_error.h"
#include "base/system_error.h"

namespace strata {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProbe = ".strata-XXXXXX";  // mkdtemp replaces the last six

[[noreturn]] void refuse(const fs::path& path, const std::string& action, int error) {
  const std::string limit = limit_remedy(error);
  throw OutputError(path.string(), action + ": " + std::strerror(error),
                    limit.empty() ? "choose another place" : limit);
}

// Makes and removes a folder in `folder`, which is there. A folder needs all the rights that a file needs.
void try_in(const fs::path& folder, const fs::path& wanted) {
  std::string probe = (folder / kProbe).string();
  if (::mkdtemp(probe.data()) == nullptr) refuse(wanted, "cannot be made", errno);
  ::rmdir(probe.c_str());
}

// Whether there is anything of this name. Throws if that cannot be known, for example because the name is too long.
bool is_there(const fs::path& path, const fs::path& wanted) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) {
    // Something below a file is reported as missing too.
    if (error.value() == ENOTDIR) refuse(wanted, "cannot be made", ENOTDIR);
    return false;
  }
  if (status.type() == fs::file_type::none) refuse(wanted, "cannot be made", error.value());
  return true;
}

fs::path parent_of(const fs::path& path) {
  const fs::path parent = path.parent_path();
  return parent.empty() ? fs::path(".") : parent;
}

}  // namespace

void check_output_file(const fs::path& file) {
  std::error_code ignored;
  if (fs::is_directory(file, ignored)) throw OutputError(file.string(), "is a directory", "give the name of a file");
  check_output_beside(file);
}

void check_output_beside(const fs::path& path) {
  std::error_code ignored;
  if (is_there(path, path) && !fs::is_regular_file(path, ignored) && !fs::is_directory(path, ignored)) {
    // A device or a pipe is written to, not replaced.
    if (::access(path.c_str(), W_OK) != 0) refuse(path, "cannot be written", errno);
    return;
  }
  const fs::path parent = parent_of(path);
  if (!is_there(parent, path)) refuse(path, "cannot be made", ENOENT);
  if (!fs::is_directory(parent, ignored)) refuse(path, "cannot be made", ENOTDIR);
  try_in(parent, path);
  // The name itself may be too long for the file system with what is added to it while it is written (".new").
  const fs::path temporary = path.string() + ".new";
  is_there(temporary, path);
}

void check_output_folder(const fs::path& folder) {
  std::error_code ignored;
  fs::path there = folder.has_filename() ? folder : folder.parent_path();
  while (!is_there(there, folder)) there = parent_of(there);
  if (!fs::is_directory(there, ignored)) refuse(folder, "cannot be made", ENOTDIR);
  try_in(there, folder);
}

}  // namespace strata
