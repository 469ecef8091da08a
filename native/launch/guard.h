// SPDX-License-Identifier: LGPL-2.1-only
// Ends the processes of a job and removes its scratch folder, however the launcher ends: by itself, by an exception, or
// by SIGKILL. A guard is a process that waits until the launcher closes a pipe, which the kernel does for a dead one:
//
//   Guard guard(scratch);           // setpgid(0, guard.group()) in each child of the job
//   guard.end();                    // all of them, and what they have started, is gone; so is the scratch folder
//
// The group belongs to a process that only holds its number, so the number cannot be that of others when the guard
// kills.
#pragma once

#include <sys/types.h>

#include <filesystem>

namespace strata::native {

class Guard {
 public:
  /// Throws SystemError if no process can be made. `scratch` may be empty.
  explicit Guard(const std::filesystem::path& scratch);
  ~Guard() { end(); }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

  /// The process group of the job. It is of this session.
  pid_t group() const { return group_; }
  /// Kills the group, removes the folder, and returns when this is done.
  void end();

 private:
  pid_t pid_ = -1, group_ = -1;
  int pipe_ = -1;  // its end ends the job
};

}  // namespace strata::native
