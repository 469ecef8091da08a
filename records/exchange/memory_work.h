// SPDX-License-Identifier: LGPL-2.1-only
// The agreement of the platform plugin and the MPI code under it on work that loads memory: on a machine with figures
// of its memory the root zone's property words::kMemoryProperty holds the address of a MemoryWork (address.h).
//
// On such a machine a message between ranks of a node that is not eager is its own copy: it keeps the cores that copy
// it busy, and that copy is charged once.
#pragma once

namespace strata {

/// Each call blocks the calling actor until its core has done the work, at its share of the core and of the memory near
/// to it. Nothing is sent, and nothing counts as a message.
class MemoryWork {
 public:
  /// A copy of `bytes`.
  virtual void copy(double bytes) = 0;
  /// A combination of two operands of `bytes` each, onto one of them.
  virtual void combine(double bytes) = 0;
  /// Arithmetic while `bytes` move between memory and core. `working_set` (B): what it goes through again and again; if
  /// that stays in the core's cache, no memory is loaded.
  virtual void stream(double flops, double bytes, double working_set) = 0;
  /// Computation that needs nothing but the core, which alone would take so long.
  virtual void compute(double seconds) = 0;

 protected:
  ~MemoryWork() = default;
};

}  // namespace strata
