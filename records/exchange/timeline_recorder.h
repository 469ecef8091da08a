// SPDX-License-Identifier: LGPL-2.1-only
// What the platform plugin and the MPI code under it agree on for timelines: the root zone's property
// words::kTimelineProperty holds the address of a TimelineRecorder (address.h) while one is wanted.
#pragma once

namespace strata {

enum class Doing : int {
  kComputing = 0,  // the application's own arithmetic
  kCopying = 1,    // one end of a message, or a local copy
  kCombining = 2,  // a reduction's operation
  kWaiting = 3,    // in a call that waits
};

class TimelineRecorder {
 public:
  /// The actor of this id did `what` from `start` to `end` (s, simulated).
  virtual void interval(long actor, Doing what, double start, double end) = 0;
  /// A rank was in the measured region of this name from `start` to `end`. The name need not outlive the call.
  virtual void phase(const char* name, double start, double end) = 0;

 protected:
  ~TimelineRecorder() = default;
};

}  // namespace strata
