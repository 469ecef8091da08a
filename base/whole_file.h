// SPDX-License-Identifier: LGPL-2.1-only
// Writes files into a results folder: they appear complete or not at all, and only one process writes at a time.
#pragma once

#include <filesystem>
#include <string>

namespace strata {

/// A file descriptor that is closed at the end of its scope.
class Descriptor {
 public:
  /// -1: no descriptor.
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor();

  int get() const { return number_; }
  bool is_open() const { return number_ >= 0; }

 private:
  int number_;
};

/// Creates a folder and its parents. Throws OutputError.
void make_folder(const std::filesystem::path& folder);

/// Writes a file completely or not at all: to a temporary name, synced, then renamed. Throws OutputError.
void write_whole(const std::filesystem::path& file, const std::string& bytes);
/// The same with the contents of another file, of any length. Throws InputError if that file cannot be read.
void copy_whole(const std::filesystem::path& from, const std::filesystem::path& file);

/// While in scope, no other process can lock the folder. The lock also ends if the process is killed.
class FolderLock {
 public:
  /// Throws OutputError if another process has the lock.
  explicit FolderLock(const std::filesystem::path& folder);

 private:
  Descriptor descriptor_;
};

/// Used by write_whole and RecordWriter. Throws OutputError with the reason from errno.
[[noreturn]] void fail_write(const std::filesystem::path& file, const std::string& action);
/// Writes all bytes. Throws OutputError.
void write_all(const Descriptor& descriptor, const std::string& bytes, const std::filesystem::path& file);

}  // namespace strata
