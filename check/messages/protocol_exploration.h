// SPDX-License-Identifier: LGPL-2.1-only
// The protocols of the catalog as explorations.
#pragma once

#include <string>

#include "check/messages/exploration.h"
#include "check/protocols/catalog.h"

namespace strata::check {

/// The prefix of their names on the command line and in keys.
inline constexpr const char* kProtocols = "protocols";

/// A protocol's name as one word: for "hierarchy/roots, rendezvous", protocols/hierarchy.roots+rendezvous.
std::string word_of(const Protocol& protocol);

/// The exploration of a protocol, on a machine that is built from its line.
Exploration exploration_of(const Protocol& protocol);

}  // namespace strata::check
