// SPDX-License-Identifier: LGPL-2.1-only
// Writes several files that appear together, each whole or not at all: they are written under other names beside their
// places, and renamed when all are complete.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace strata::mpix::monitoring {

class WholeFiles {
 public:
  WholeFiles() = default;
  WholeFiles(const WholeFiles&) = delete;
  WholeFiles& operator=(const WholeFiles&) = delete;
  ~WholeFiles() { discard(); }

  /// Writes NAME.new to the disk. Throws InputError if that fails, or if the file at NAME cannot be replaced.
  void write(const std::string& name, const std::string& text);
  /// Removes files that have not been renamed.
  void discard();
  /// Renames all files to their places. Throws InputError.
  void keep();

 private:
  std::vector<std::string> names_;  // of files that are written, without ".new"
};

}  // namespace strata::mpix::monitoring
