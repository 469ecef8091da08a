// SPDX-License-Identifier: LGPL-2.1-only
// Charges what the MPI's own collectives do on a rank's core: combining operands, and copying data, such as a rank's
// own block in an allgather. SMPI does this work on the real machine at no simulated cost. A real MPI takes its time
// anyway.
//
// Only collectives that SMPI implements are charged: this library's own ones charge their work themselves (charge.h),
// and call no function of SMPI's that combines or copies inside a collective.
#pragma once

namespace strata::mpix {

/// While in scope, the calling rank is in one of MPI's collectives.
class InCollective {
 public:
  InCollective();
  InCollective(const InCollective&) = delete;
  InCollective& operator=(const InCollective&) = delete;
  ~InCollective();
};

}  // namespace strata::mpix
