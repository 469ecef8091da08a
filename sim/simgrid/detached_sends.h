// Eager sends, which SimGrid calls detached since nobody waits for them, without its search for them.
//
// SimGrid keeps each one alive in a list of its own, maestro's, and at its end looks for it from the first to the last
// of all that are under way: 65,536 of them, a sweep of a halo exchange on 16,384 ranks, take it minutes. Here they are
// taken off that list into a table as soon as one is there, and let go of after their end. What is simulated is the
// same.
#pragma once

#include <simgrid/forward.h>

#include <memory>
#include <vector>

namespace strata::sim {

class DetachedSends {
 public:
  DetachedSends();
  ~DetachedSends();
  DetachedSends(const DetachedSends&) = delete;
  DetachedSends& operator=(const DetachedSends&) = delete;

  /// To be called where a message starts: takes those that have been sent since.
  void take();
  /// That a message, eager or not, has ended, of which SimGrid is yet to be told.
  void end(simgrid::kernel::activity::ActivityImpl* message);
  /// SimGrid has been told of all that have ended.
  void release();

 private:
  struct Table;
  struct List;
  // Never destroyed: what is under way when the simulation ends is SimGrid's to deal with, which is gone by then.
  Table* kept_;
  List* ended_;
};

}  // namespace strata::sim
