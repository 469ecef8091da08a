// SPDX-License-Identifier: LGPL-2.1-only
// How the MPI code charges work that loads memory to the platform plugin. If the machine has figures of its memory, the
// root zone's property words::kMemoryProperty contains the address of a MemoryWork (address.h).
//
// On such a machine, a message within a node is its own copy unless it is eager: it keeps the copying cores busy, and
// the copy is charged once.
#pragma once

namespace strata {

/// Each call blocks the calling actor until its core has done the work, at its share of the core and of the nearby
/// memory. No message is sent or counted.
class MemoryWork {
 public:
  /// A copy of `bytes`. `span` (B): what the rank has touched since it last touched the buffers (buffer_reuse.h); 0:
  /// not known.
  virtual void copy(double bytes, double span) = 0;
  /// A combination of two operands of `bytes` each, in place of one of them. As above.
  virtual void combine(double bytes, double span) = 0;
  /// Arithmetic while `bytes` move between memory and core. `working_set` (B): the data that it accesses repeatedly; if
  /// these stay in the core's cache, no memory is loaded.
  virtual void stream(double flops, double bytes, double working_set) = 0;
  /// Computation on the core only, which takes `seconds` if it has the core alone.
  virtual void compute(double seconds) = 0;

 protected:
  ~MemoryWork() = default;
};

}  // namespace strata
