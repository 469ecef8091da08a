// SPDX-License-Identifier: LGPL-2.1-only
// Scratch folders under TMPDIR, removed by their owner or, if that was killed, by the next program that makes one.
//
// An owner holds a lock (flock) on its folder, which the kernel releases when the owner's process ends for any reason.
// A scratch folder without a lock is therefore abandoned.
#pragma once

#include <filesystem>
#include <optional>

#include "base/child.h"

namespace strata::sim {

/// A folder under TMPDIR that is removed with its contents at the end of its scope, also if a signal ends the program
/// meanwhile. The first one in a process also removes those that killed processes have left behind.
class ScratchFolder {
 public:
  /// Throws OutputError, and InputError if this process may open too few files for a simulation.
  /// `holds_signals`: signals that end the program wait until the folder is removed, as with a SignalGuard. If false,
  /// as for long work in this process, the next program removes the folder after a signal.
  explicit ScratchFolder(bool holds_signals = true);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::optional<SignalGuard> guard_;  // the last to go
  std::filesystem::path path_;        // absolute
  int lock_ = -1;                     // a descriptor of the folder
};

/// Removes the scratch folders in `base` that belong to this user and have no owner. Failures are ignored: the next
/// program tries again.
void remove_abandoned(const std::filesystem::path& base);

}  // namespace strata::sim
