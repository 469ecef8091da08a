// SPDX-License-Identifier: LGPL-2.1-only
// The polling of progress threads (docs/progress.md): on a machine where a look at a message takes time, the property
// words::kPollingProperty of each core's host holds the address of a PolledCore (address.h).
#pragma once

namespace strata {

struct PolledCore {
  double look = 0;    // s that a look at one message takes
  long messages = 0;  // that progress threads on this core wait for; kept by them
};

namespace words {
inline constexpr const char* kPollingProperty = "polling";
}  // namespace words

}  // namespace strata
