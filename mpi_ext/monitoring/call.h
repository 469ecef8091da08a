// SPDX-License-Identifier: LGPL-2.1-only
// A call of an MPI function that is being told of. What MPI calls and sends meanwhile, on behalf of it, is its own.
#pragma once

namespace strata::mpix {

/// While in scope; of the calling thread, under SMPI of the calling actor.
class Call {
 public:
  Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  ~Call();
  /// Whether it is the program's, and no function of MPI's that was called by another.
  bool outermost() const { return outermost_; }

 private:
  bool outermost_;
};

}  // namespace strata::mpix
