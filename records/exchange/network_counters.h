// SPDX-License-Identifier: LGPL-2.1-only
// How the MPI code reads bytes on links from the platform plugin: the root zone's property words::kLinkBytesProperty
// contains the address of a LinkBytes (address.h).
#pragma once

#include <optional>
#include <string>

namespace strata {

/// Whole bytes that have left and entered a node's network card so far.
struct CardBytes {
  double sent = 0;
  double received = 0;
};

class LinkBytes {
 public:
  /// The counters of the node of this host (a core) at the current simulated time. They include the transferred part of
  /// messages in flight, and envelopes. No value if the machine has no network, or no such host.
  virtual std::optional<CardBytes> card(const std::string& host) = 0;

 protected:
  ~LinkBytes() = default;
};

}  // namespace strata
