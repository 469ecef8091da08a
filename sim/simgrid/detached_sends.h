// SPDX-License-Identifier: LGPL-2.1-only
// Eager sends ("detached" in SimGrid) without SimGrid 3.32's linear search for them.
//
// SimGrid 3.32 keeps every eager send under way in one list and, when one ends, searches that list from the front. With
// 65,536 of them, a sweep of a halo exchange on 16,384 ranks, that takes minutes. Here they move from the list into a
// hash table as soon as they appear and are released after their end. Simulated times stay the same. SimGrid 4.0 keeps
// them in a std::set, so there is nothing to do.
#pragma once

#include "sim/simgrid/version.h"

#ifdef STRATA_SIMGRID_3_32

#include <memory>
#include <vector>

namespace strata::sim {

class DetachedSends {
 public:
  DetachedSends();
  ~DetachedSends();
  DetachedSends(const DetachedSends&) = delete;
  DetachedSends& operator=(const DetachedSends&) = delete;

  /// Takes the sends that have appeared since the last call. Call it when a message starts.
  void take();
  /// A message has ended, eager or not; SimGrid has not been notified yet.
  void end(simgrid::kernel::activity::ActivityImpl* message);
  /// SimGrid has been notified of all messages that have ended.
  void release();

 private:
  struct Table;
  struct List;
  // Never destroyed: messages under way at the end of the simulation refer to parts of SimGrid that are gone by then.
  Table* kept_;
  List* ended_;
};

}  // namespace strata::sim

#else

namespace strata::sim {

class DetachedSends {
 public:
  void take() {}
  void end(simgrid::kernel::activity::ActivityImpl*) {}
  void release() {}
};

}  // namespace strata::sim

#endif
