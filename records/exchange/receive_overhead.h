// SPDX-License-Identifier: LGPL-2.1-only
// How the MPI code learns from the platform plugin for how long taking a message keeps its receiver busy, and how long
// it takes to find it among others. The root zone's property kReceiveOverheadProperty contains the address of a
// ReceiveOverheads (address.h), if the machine states either.
#pragma once

namespace strata {

inline constexpr const char* kReceiveOverheadProperty = "strata_receive_overhead";

class ReceiveOverheads {
 public:
  /// s for a message of `payload` (B) that has arrived; cores by their numbers.
  virtual double receive_overhead(int source, int destination, double payload) = 0;
  /// s to pass one message or receive that is not the one looked for (searched_list.h).
  virtual double queue_search() = 0;

 protected:
  ~ReceiveOverheads() = default;
};

}  // namespace strata
