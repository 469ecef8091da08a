// SPDX-License-Identifier: LGPL-2.1-only
// How the MPI code reports timelines to the platform plugin: if one is recorded, the root zone's property
// words::kTimelineProperty contains the address of a TimelineRecorder (address.h).
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
  /// The actor with this id did `what` from `start` to `end` (simulated s).
  virtual void interval(long actor, Doing what, double start, double end) = 0;
  /// A rank was in the measured region of this name from `start` to `end`. `name` is only valid during the call.
  virtual void phase(const char* name, double start, double end) = 0;

 protected:
  ~TimelineRecorder() = default;
};

}  // namespace strata
