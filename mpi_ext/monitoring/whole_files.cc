// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/monitoring/whole_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "base/error.h"

namespace strata::mpix::monitoring {
namespace {

std::string beside(const std::string& name) { return name + ".new"; }

[[noreturn]] void fail(const std::string& name, int reason) {
  throw InputError(name, std::string("cannot be written: ") + std::strerror(reason),
                   "name a file in a folder that exists, is writable and has space");
}

}  // namespace

void WholeFiles::discard() {
  for (const std::string& name : names_) ::unlink(beside(name).c_str());
  names_.clear();
}

void WholeFiles::write(const std::string& name, const std::string& text) {
  std::error_code ignored;
  if (std::filesystem::is_directory(name, ignored)) fail(name, EISDIR);
  const int file = ::open(beside(name).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) fail(name, errno);
  names_.push_back(name);
  const char* at = text.data();
  for (std::size_t left = text.size(); left > 0;) {
    const ssize_t written = ::write(file, at, left);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int reason = errno;
      ::close(file);
      fail(name, reason);
    }
    at += written;
    left -= static_cast<std::size_t>(written);
  }
  // Some file systems report only here that the disk is full.
  const bool synced = ::fsync(file) == 0 || errno == EINVAL || errno == EROFS;
  const int reason = errno;
  if (::close(file) != 0) fail(name, errno);
  if (!synced) fail(name, reason);
}

void WholeFiles::keep() {
  while (!names_.empty()) {
    const std::string& name = names_.back();
    if (std::rename(beside(name).c_str(), name.c_str()) != 0) fail(name, errno);
    names_.pop_back();
  }
}

}  // namespace strata::mpix::monitoring
