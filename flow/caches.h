// SPDX-License-Identifier: LGPL-2.1-only
// Which data stay in the caches that cores share, while messages and works come and go.
//
// A core needs space in its outermost cache while it works: for both copies of a message of which it is an end, for the
// operands of a combination, for a computation's working set; or, if more is known, for all that it has touched since
// it last touched the same data, which have stayed in the cache only if all that has. A core without data under way
// needs none, so a cache is shared by the cores that use it at that moment, and not by those that wait in a barrier or
// have ended. They share it max-min fairly: a core that needs less than its share leaves the rest to the others. So
// data of w bytes stay in a cache of S bytes if
//
//   w + the sum over the other cores below the cache of min(what the core needs, w)  <=  S
//
// where w is that space. A core needs the sum of its data under way, or the largest w of them: data that it touches in
// between are part of that already. For example, 12 cores below 30 MB: two that exchange messages of 2 MB need 4 MB
// each and stay in the cache, and if all 12 copy at the same time, each has 2.5 MB, enough for copies of 1.25 MB. But
// if each of the 12 receives one piece of 64 kB after the other into a vector of 4 MB, again and again, each needs 4
// MB, and no piece is in the cache.
//
// Source: with least-recently-used replacement, the space of each of several threads is in proportion to how often it
// accesses the cache (the FOA model of D. Chandra, F. Guo, S. Kim, Y. Solihin, Predicting Inter-Thread Cache Contention
// on a Chip Multi-Processor Architecture, HPCA 2005). A thread that waits accesses nothing. Threads that copy do so at
// similar rates, so they are taken to be equal.
//
// A working set that a program states is used again by the computations that follow, so it keeps its place between
// them, while its core waits: it is needed until the core computes on another one.
//
// Data that have lost their place to others do not get it back when these end, because then they are in memory. So each
// message and work changes at most once while it is under way.
//
// Cost: O(1) for data that always fit or never do; otherwise O(cores below the cache), plus the data in question there
// at each start and end.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "platforms/topology.h"

namespace strata::flow {

/// The data of a message or work at one core.
struct Data {
  int core = -1;  // index into Topology::cores(); -1: none
  double bytes = 0;
  bool used_again = false;  // a working set, which is needed after the work too
  double span = 0;          // B that the core has touched since it last touched the data, these included; 0: not known

  /// The space that a cache must have for them, B.
  double space() const { return std::max(bytes, span); }
};

/// Not thread-safe. Cores are indexes into Topology::cores(). Bytes below 2^53 and whole are added exactly.
class Caches {
 public:
  explicit Caches(const Topology& topology);

  /// Whether the data would stay in the cache of their core if `also` came at the same time. O(cores of the cache).
  bool fits(const Data& data, const Data& also = {}) const;

  /// The data are in use from now on; `cached`: as fits() said. `number` identifies them and is not in use. Appends the
  /// numbers of data that lose their place in the cache because of this. The data of one message must come one right
  /// after the other.
  void enter(int number, const Data& data, bool cached, std::vector<int>& evicted);
  void leave(int number);

  int count() const { return static_cast<int>(caches_.size()); }
  /// The outermost cache of a core, ordered as OutermostCaches; -1: none.
  int of(int core) const { return cache_of_[core]; }

 private:
  struct Cache {
    double bytes;
    int first_core, cores;
    std::vector<int> in_question;  // numbers of data in it that may lose their place
  };
  struct Entry {
    Data data;
    double needed = 0;         // by all cores, as above; only while in question
    bool in_question = false;  // is in its cache's list
  };
  bool always_fit(const Cache& cache, double space) const { return space * cache.cores <= cache.bytes; }
  double need(int core) const { return std::max({under_way_[core], working_set_[core], widest_[core]}); }
  double needed(const Cache& cache, const Data& data, const Data& also) const;
  void change_need(const Data& data, std::vector<int>* evicted);
  void change_widest(const Data& data, bool begins);

  std::vector<Cache> caches_;
  std::vector<int> cache_of_;               // by core; -1: none
  std::vector<double> under_way_;           // by core, B
  std::vector<double> working_set_;         // by core, B: the last one that a program has stated
  std::vector<double> widest_;              // by core, B: the largest of spans_
  std::vector<std::vector<double>> spans_;  // by core, B: of data under way, if they are known
  std::vector<int> users_;                  // by core: data under way
  std::vector<Entry> entries_;              // by number
};

}  // namespace strata::flow
