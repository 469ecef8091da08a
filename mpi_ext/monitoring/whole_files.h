// SPDX-License-Identifier: LGPL-2.1-only
// Files that appear whole or not at all, several together: they are written beside their places under other names, and
// take their places when all are there.
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

  /// Writes NAME.new, to the disk. Throws InputError where that fails, or what is at NAME could not be replaced.
  void write(const std::string& name, const std::string& text);
  /// What has not taken its place is removed.
  void discard();
  /// All take their places. Throws InputError.
  void keep();

 private:
  std::vector<std::string> names_;  // of files that are written, without ".new"
};

}  // namespace strata::mpix::monitoring
