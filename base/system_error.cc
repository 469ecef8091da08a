// SPDX-License-Identifier: LGPL-2.1-only
#include "base/system_error.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <ios>
#include <new>
#include <system_error>

namespace strata {
namespace {

std::string with_remedy(const std::string& what, int error) {
  const std::string remedy = limit_remedy(error);
  return what + (remedy.empty() ? "" : "; " + remedy);
}

}  // namespace

SystemError::SystemError(const std::string& what, int error)
    : std::runtime_error(with_remedy(what + ": " + std::strerror(error), error)) {}

std::string limit_remedy(int error) {
  switch (error) {
    case EMFILE:
      return "raise the limit of open files (ulimit -n)";
    case ENFILE:
      return "end other programs: this computer has no open file left";
    case EAGAIN:
      return "end other programs, or raise the limit of processes (ulimit -u)";
    case ENOMEM:
      return "use a computer with more memory, or raise the limit of memory (ulimit -v)";
    case ENOSPC:
    case EDQUOT:
      return "free space or choose another place";
    case EFBIG:
      return "raise the limit of a file's size (ulimit -f)";
    default:
      return "";
  }
}

std::string system_error_line(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr)
    return "not enough memory; " + limit_remedy(ENOMEM) + ", or give a smaller input";
  if (const auto* e = dynamic_cast<const std::filesystem::filesystem_error*>(&error)) {
    const std::string path = e->path1().empty() ? "file system" : e->path1().string();
    return with_remedy(path + ": " + e->code().message(), e->code().value());
  }
  if (dynamic_cast<const std::ios_base::failure*>(&error) != nullptr) return "";  // its code says nothing
  if (const auto* e = dynamic_cast<const std::system_error*>(&error)) {
    if (e->code().category() == std::system_category() || e->code().category() == std::generic_category())
      return with_remedy("this computer: " + e->code().message(), e->code().value());
  }
  return "";
}

}  // namespace strata
