// SPDX-License-Identifier: LGPL-2.1-only
#include "base/whole_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "base/error.h"
#include "base/input_file.h"
#include "base/output_error.h"
#include "base/whole_file_pieces.h"

namespace strata {
namespace {

// `write(descriptor, name)` writes the content.
template <class Write>
void write_synced(const std::filesystem::path& file, const Write& write) {
  const Descriptor descriptor(::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!descriptor.is_open()) fail_write(file, "cannot be made");
  write(descriptor, file);
  if (::fsync(descriptor.get()) != 0 && errno != EINVAL) fail_write(file, "cannot be synced");
}

template <class Write>
void replace(const std::filesystem::path& file, const Write& write) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) {
    throw OutputError(file.string(), "is a directory", "give the name of a file");
  }
  // A device or a pipe is written to, never replaced or removed.
  if (std::filesystem::exists(file, ignored) && !std::filesystem::is_regular_file(file, ignored)) {
    return write_synced(file, write);
  }
  const std::filesystem::path temporary = file.string() + ".new";
  try {
    write_synced(temporary, write);
  } catch (...) {
    ::unlink(temporary.c_str());
    throw;
  }
  if (::rename(temporary.c_str(), file.c_str()) != 0) {
    const int reason = errno;
    ::unlink(temporary.c_str());
    errno = reason;
    fail_write(file, "cannot be replaced");
  }
}

}  // namespace

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

void fail_write(const std::filesystem::path& file, const std::string& action) {
  throw OutputError(file.string(), action + ": " + std::strerror(errno), "free space or choose another place");
}

void write_all(const Descriptor& descriptor, const std::string& bytes, const std::filesystem::path& file) {
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t n = ::write(descriptor.get(), bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail_write(file, "cannot be written");
    done += static_cast<size_t>(n);
  }
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw OutputError(folder.string(), "cannot be made: " + error.message(), "choose another --out");
}

void write_whole(const std::filesystem::path& file, const std::string& bytes) {
  replace(file, [&](const Descriptor& out, const std::filesystem::path& name) { write_all(out, bytes, name); });
}

void write_whole_in_pieces(const std::filesystem::path& file, const std::function<void(const PutPiece&)>& write) {
  replace(file, [&](const Descriptor& out, const std::filesystem::path& name) {
    write([&](std::string_view piece) { write_all(out, std::string(piece), name); });
  });
}

void copy_whole(const std::filesystem::path& from, const std::filesystem::path& file) {
  constexpr size_t kPiece = 1 << 20;  // B
  std::ifstream in = open_input(from, "", kAnySize_bytes);
  replace(file, [&](const Descriptor& out, const std::filesystem::path& name) {
    std::string piece;
    do {
      piece.resize(kPiece);
      in.read(piece.data(), static_cast<std::streamsize>(kPiece));
      piece.resize(in.gcount());
      write_all(out, piece, name);
    } while (in);
    if (!in.eof()) throw InputError(from.string(), std::strerror(errno));
  });
}

FolderLock::FolderLock(const std::filesystem::path& folder)
    : descriptor_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  // If the file system does not support locks, continue without one.
  if (!descriptor_.is_open() || ::flock(descriptor_.get(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  throw OutputError(folder.string(), "is being written by another run", "wait for it, or choose another --out");
}

}  // namespace strata
