// SPDX-License-Identifier: LGPL-2.1-only
// Writing into a results folder: files that appear whole or not at all, by one writer at a time.
#pragma once

#include <filesystem>
#include <string>

namespace strata {

/// A file descriptor that is closed at the end of its scope.
class Descriptor {
 public:
  /// -1 is none.
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor();

  int get() const { return number_; }
  bool is_open() const { return number_ >= 0; }

 private:
  int number_;
};

/// Makes a folder, and those that it is in. Throws OutputError.
void make_folder(const std::filesystem::path& folder);

/// Writes a file whole or not at all: to a temporary name, synced, then renamed. Throws OutputError.
void write_whole(const std::filesystem::path& file, const std::string& bytes);
/// The same with what another file holds, of any length. Throws InputError if that cannot be read.
void copy_whole(const std::filesystem::path& from, const std::filesystem::path& file);

/// While in scope, no other process writes into the folder. Ends with the process, however that ends.
class FolderLock {
 public:
  /// Throws OutputError where another has it.
  explicit FolderLock(const std::filesystem::path& folder);

 private:
  Descriptor descriptor_;
};

/// What write_whole and RecordWriter are made of. Throws OutputError with the reason in errno.
[[noreturn]] void fail_write(const std::filesystem::path& file, const std::string& action);
/// Writes all bytes. Throws OutputError.
void write_all(const Descriptor& descriptor, const std::string& bytes, const std::filesystem::path& file);

}  // namespace strata
