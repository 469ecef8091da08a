// SPDX-License-Identifier: LGPL-2.1-only
// The protocols of the catalog as the checker takes them.
#pragma once

#include <string>

#include "check/messages/exploration.h"
#include "check/protocols/catalog.h"

namespace strata::check {

/// The first word of all their names on the command line and in keys.
inline constexpr const char* kProtocols = "protocols";

/// A protocol's name as one word: "hierarchy/roots, rendezvous" is protocols/hierarchy.roots+rendezvous.
std::string word_of(const Protocol& protocol);

/// On a machine that is made from the protocol's line.
Exploration exploration_of(const Protocol& protocol);

}  // namespace strata::check
