// SPDX-License-Identifier: LGPL-2.1-only
// The property of a core's host that tells the polling of progress threads (docs/progress.md).
#pragma once

namespace strata::words {

/// s that a look at one message takes; set by the plugin where it is not 0.
inline constexpr const char* kPollingProperty = "polling";
/// How many messages the progress threads on this core wait for; kept by them.
inline constexpr const char* kPolledProperty = "polled";

}  // namespace strata::words
