// SPDX-License-Identifier: LGPL-2.1-only
// How the MPI code learns from the platform plugin how long the acknowledgement of a synchronous send takes. The root
// zone's property kAcknowledgementProperty contains the address of an Acknowledgements (address.h).
#pragma once

#include <algorithm>

namespace strata {

inline constexpr const char* kAcknowledgementProperty = "strata_acknowledgement";

class Acknowledgements {
 public:
  /// s from the moment when a message of `payload` (B) and its receive have met until the sender knows; cores by their
  /// numbers. 0 for a message that waits for its receiver anyway, so that its sender knows when it flows.
  virtual double latency(int source, int destination, double payload) = 0;

 protected:
  ~Acknowledgements() = default;
};

/// s for which a synchronous send continues after its message has arrived. A short message travels when it is sent, and
/// the acknowledgement returns when the receive has met it: after `latency` at the earliest. In simulations the message
/// begins to flow only when its receive is posted, `waited` (s) after the send. The message could have travelled in
/// that time, so that time counts.
inline double acknowledgement_after_arrival(double latency, double waited) { return std::max(0.0, latency - waited); }

}  // namespace strata
