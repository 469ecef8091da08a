// SPDX-License-Identifier: LGPL-2.1-only
// Contention: whether the messages on a link need more than its capacity at any time, and the minimum time for which a
// link is busy.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/links_taken.h"
#include "models/message_cost.h"
#include "models/paged.h"
#include "models/schedule.h"
#include "models/transfer.h"
#include "platforms/placement.h"

namespace strata::models {

/// The link with the largest demand relative to its capacity, and the first time at which it occurs.
struct Contention {
  Link link;
  int messages;  // simultaneous; for a memory or a core including combinations
  double demand_bytes_per_s;
};

/// The demand on links over time.
class LinkDemand {
 public:
  explicit LinkDemand(const MessageCosts& costs);

  /// From `time_s` on, which never decreases, the link has `messages` more, which need `bytes_per_s` more. O(1).
  void change(double time_s, const Link& link, int messages, double bytes_per_s);

  /// Empty if the demand never exceeded any link's capacity by more than rounding and for longer than rounding.
  const std::optional<Contention>& worst() const { return worst_; }

 private:
  struct Load {
    int messages = 0;
    double demand_bytes_per_s = 0;
    double since_s = 0;
    long change = 0;  // its number among all changes
  };
  void judge(const Link& link, const Load& load, double until_s);

  const Machine& machine_;
  Paged<Load> loads_;  // by link index
  long changes_ = 0;
  std::optional<Contention> worst_;
  double worst_ratio_;
  long worst_change_ = 0;
};

/// The same for memories, caches and cores of a machine with figures of its memory: the demand of transfers and
/// combinations, each at its own mean rate. Empty without combinations. O(n log n).
std::optional<Contention> find_memory_contention(const MessageCosts& costs, const std::vector<Binding>& ranks,
                                                 const std::vector<Transfer>& transfers,
                                                 const std::vector<Combination>& combinations);

/// "contention: 12 messages at once on the up link of node 3 ask for 39.5 GB/s of 3.29 GB/s"
std::string describe(const Contention& contention, const Machine& machine);

/// Two messages that leave a node at a shorter distance than its card allows (LevelCosts::gap).
struct CrowdedCard {
  int node;
  double apart_s, gap_s;
};

/// The two messages whose distance is the smallest part of the gap; empty if no gap is too short (by more than
/// rounding). O(n log n) for n transfers.
std::optional<CrowdedCard> find_crowded_card(const MessageCosts& costs, const std::vector<Binding>& ranks,
                                             const std::vector<Transfer>& transfers);

/// "gap: two messages leave node 3 within 0.1 us, its network card takes 0.5 us for each"
std::string describe(const CrowdedCard& card);

/// Messages and combinations that need more of a cache together than it has, while at least one of them would stay in
/// it alone.
struct CrowdedCache {
  int cache;            // vertex
  int cores;            // that need space there
  double needed_bytes;  // by all cores, each at most as much as that one
};

/// The first time at which this happens, by more than rounding and for longer than rounding; empty if it does not, or
/// where the machine has no figures of its memory. O(n log n), and O(works under way) for each of the data that may
/// lose their place.
std::optional<CrowdedCache> find_crowded_cache(const MessageCosts& costs, const std::vector<Binding>& ranks,
                                               const std::vector<Transfer>& transfers,
                                               const std::vector<Combination>& combinations);

/// "cache: 3 cores at once need 24 MB of 15.7 MB of the L3 0 of node 0"
std::string describe(const CrowdedCache& crowded, const Machine& machine);

/// Total bytes of a schedule over a link, envelopes included, times the link's weight.
struct LinkLoad {
  Link link{};
  int messages = 0;
  double bytes = 0;
  /// The time of the link's bytes at its full bandwidth: no sharing makes a schedule of these messages faster.
  double seconds() const { return bytes / link.capacity_bytes_per_s; }
};

/// The link that is busy for the longest time; ties go to the first in the order of the tree. Empty if nothing is sent.
/// O(messages depth).
std::optional<LinkLoad> busiest_link(const MessageCosts& costs, const std::vector<Binding>& ranks,
                                     const Schedule& schedule);

}  // namespace strata::models
