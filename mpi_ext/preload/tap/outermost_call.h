// SPDX-License-Identifier: LGPL-2.1-only
// Marks an MPI function that the monitoring library reports. MPI functions and messages inside it belong to it.
#pragma once

namespace strata::mpix {

/// Valid for its scope, for the calling thread (under SMPI the calling actor).
class Call {
 public:
  Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  ~Call();
  /// Whether the program made the call, not another MPI function.
  bool outermost() const { return outermost_; }

 private:
  bool outermost_;
};

}  // namespace strata::mpix
