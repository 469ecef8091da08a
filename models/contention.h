// SPDX-License-Identifier: LGPL-2.1-only
// Contention: whether the messages on a link ask, at any time, for more than it carries; and how long a link is busy
// at least.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/links.h"
#include "models/message_cost.h"
#include "models/schedule.h"
#include "models/transfer.h"
#include "platforms/placement.h"

namespace strata::models {

/// The link that was asked for most, relative to what it carries; the first such moment.
struct Contention {
  Link link;
  int messages;  // at once; of a memory or a core, combinations too
  double demand_bytes_per_s;
};

/// The demand on links as time goes on.
class LinkDemand {
 public:
  explicit LinkDemand(const MessageCosts& costs);

  /// From `time_s` on, which never decreases, the link has `messages` more, which ask for `bytes_per_s` more. O(1).
  void change(double time_s, const Link& link, int messages, double bytes_per_s);

  /// Nothing where no link was asked for more than it carries, by more than rounding and for longer than rounding.
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
  std::vector<Load> loads_;  // by link index
  long changes_ = 0;
  std::optional<Contention> worst_;
  double worst_ratio_;
  long worst_change_ = 0;
};

/// The same of memories and cores of a machine that has figures of its memory: what transfers and combinations ask for,
/// each of its own mean rate. Nothing without combinations. O(n log n).
std::optional<Contention> find_memory_contention(const MessageCosts& costs, const std::vector<Binding>& ranks,
                                                 const std::vector<Transfer>& transfers,
                                                 const std::vector<Combination>& combinations);

/// "contention: 12 messages at once on the up link of node 3 ask for 39.5 GB/s of 3.29 GB/s"
std::string describe(const Contention& contention, const Machine& machine);

/// Two messages that leave a node sooner one after the other than its card lets them through (LevelCosts::gap).
struct CrowdedCard {
  int node;
  double apart_s, gap_s;
};

/// The two whose time apart is the least part of the gap; nothing where no gap is too short (by more than rounding).
/// O(n log n) for n transfers.
std::optional<CrowdedCard> find_crowded_card(const MessageCosts& costs, const std::vector<Binding>& ranks,
                                             const std::vector<Transfer>& transfers);

/// "gap: two messages leave node 3 within 0.1 us, its network card takes 0.5 us for each"
std::string describe(const CrowdedCard& card);

/// Total bytes of a schedule over a link, envelopes included, times the link's weight.
struct LinkLoad {
  Link link{};
  int messages = 0;
  double bytes = 0;
  /// The link's bytes at its full bandwidth: no schedule of these messages is faster, however they are shared out.
  double seconds() const { return bytes / link.capacity_bytes_per_s; }
};

/// The link that is busy for longest; of equals the first in the order of the tree. Nothing where nothing is sent.
/// O(messages depth).
std::optional<LinkLoad> busiest_link(const MessageCosts& costs, const std::vector<Binding>& ranks,
                                     const Schedule& schedule);

}  // namespace strata::models
