// SPDX-License-Identifier: LGPL-2.1-only
// Polling by progress threads (docs/progress.md). On a machine where looking at a message takes time, the property
// words::kPollingProperty of each core's host contains the address of a PolledCore (address.h).
#pragma once

namespace strata {

struct PolledCore {
  double look = 0;    // s for a look at one message
  long messages = 0;  // for which progress threads on this core wait; they update it
};

namespace words {
inline constexpr const char* kPollingProperty = "polling";
}  // namespace words

}  // namespace strata
