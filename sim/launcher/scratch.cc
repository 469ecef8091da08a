// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/launcher/scratch.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "base/output_error.h"
#include "base/system_error.h"
#include "sim/launcher/resources.h"

namespace strata::sim {
namespace {

namespace fs = std::filesystem;

const std::string kPrefix = "strata-scratch-";
constexpr std::size_t kRandom = 6;  // the XXXXXX that mkdtemp replaces

// Opens a folder, but never through a symbolic link; -1: there is none.
int open_folder(const fs::path& folder) {
  return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

// Whether `path` still names the folder that was opened.
bool is_there(int descriptor, const fs::path& path) {
  struct stat opened {
  }, named{};
  return ::fstat(descriptor, &opened) == 0 && ::lstat(path.c_str(), &named) == 0 && opened.st_dev == named.st_dev &&
         opened.st_ino == named.st_ino;
}

}  // namespace

ScratchFolder::ScratchFolder(bool holds_signals) {
  if (holds_signals) guard_.emplace();
  const char* variable = std::getenv("TMPDIR");
  // Simulators have another working directory.
  const std::string base = fs::absolute(variable == nullptr || *variable == '\0' ? "/tmp" : variable).string();
  // Paths of scratch files are words and lines in files for the simulator.
  if (base.find_first_of("\n\r") != std::string::npos)
    throw OutputError("TMPDIR", "its name has a line break", "choose another folder");
  require_open_files(0);
  static std::atomic<pid_t> cleaned = 0;
  if (cleaned.exchange(::getpid()) != ::getpid()) remove_abandoned(base);
  // A new folder looks abandoned until it is locked, so another program may remove it. In that case, make another.
  do {
    if (lock_ >= 0) ::close(lock_);
    std::string pattern = base + "/" + kPrefix + std::string(kRandom, 'X');
    const bool made = ::mkdtemp(pattern.data()) != nullptr;
    path_ = pattern;
    lock_ = made ? open_folder(path_) : -1;
    if (!made || (lock_ < 0 && errno != ENOENT)) {
      const std::string limit = errno == ENOSPC || errno == EDQUOT ? "" : limit_remedy(errno);
      throw OutputError(pattern, std::string("cannot be made: ") + std::strerror(errno),
                        limit.empty() ? "set TMPDIR to a folder with space" : limit);
    }
    // On a file system without locks, flock() fails for other programs too, so they do not remove the folder.
    while (lock_ >= 0 && ::flock(lock_, LOCK_EX) != 0 && errno == EINTR) {
    }
  } while (lock_ < 0 || !is_there(lock_, path_));
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  if (lock_ >= 0) ::close(lock_);
}

void remove_abandoned(const fs::path& base) {
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(base.c_str()), ::closedir);
  if (entries == nullptr) return;
  while (const dirent* entry = ::readdir(entries.get())) {
    const std::string name = entry->d_name;
    if (name.rfind(kPrefix, 0) != 0 || name.size() != kPrefix.size() + kRandom) continue;
    const fs::path folder = base / name;
    const int descriptor = open_folder(folder);
    if (descriptor < 0) continue;
    struct stat status {};
    if (::fstat(descriptor, &status) == 0 && status.st_uid == ::geteuid() &&
        ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 && is_there(descriptor, folder)) {
      std::error_code ignored;
      fs::remove_all(folder, ignored);
    }
    ::close(descriptor);
  }
}

}  // namespace strata::sim
