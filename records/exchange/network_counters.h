// SPDX-License-Identifier: LGPL-2.1-only
// What the platform plugin and the MPI code under it agree on for bytes on links: the root zone's property
// words::kLinkBytesProperty holds the address of a LinkBytes (address.h).
#pragma once

#include <optional>
#include <string>

namespace strata {

/// Of the node's network card: what has gone out and come in so far, whole bytes.
struct CardBytes {
  double sent = 0;
  double received = 0;
};

class LinkBytes {
 public:
  /// Of the node that this host is a core of, at this moment of the simulation: the part of messages under way that has
  /// passed counts, envelopes count. Nothing where the machine has no network, or no such host.
  virtual std::optional<CardBytes> card(const std::string& host) = 0;

 protected:
  ~LinkBytes() = default;
};

}  // namespace strata
