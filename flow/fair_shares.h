// SPDX-License-Identifier: LGPL-2.1-only
// Max-min fair shares of links: the rate of every flow, kept up to date while flows come and go.
//
// An allocation is max-min fair if no flow can get more unless a flow that has at most as much gets less. It is unique,
// and can be recognised as follows: every flow either has its own bound, or has a bottleneck, which is a full link on
// its path on which no flow gets more than it (Bertsekas and Gallager, Data Networks, Section 6.5.2).
//
// A flow may use more of a link than its rate, or less. For example, a copy of x B/s within one memory uses 2 x of the
// memory's bandwidth, x to read and x to write; and if a message is spread over four routes, each link carries a
// quarter of it. This factor is the weight of a use: a flow of rate x with weight w uses w x of the link. Shares are
// fair in x.
//
// At every start and end of a flow, SimGrid's solver recomputes the shares of all flows that are connected through any
// links. On a machine whose ranks share links all flows are connected, so each simulated message costs time in
// proportion to the number of flows. Here a change is followed only as far as it has an effect, in one pass of
// progressive filling: the rates of all affected flows grow together from 0, and a flow stops at its bound or when a
// link on its path is full. The other flows keep their rates until the common level reaches a point at which one of
// them cannot:
//
//   - A link is full at a level below the rate of one of its flows. That flow must get less, and is affected from now
//   on.
//   - The level reaches the rate of the flows that a link limits, and that link is not full. They can get more, and are
//     affected from now on.
//
// A flow that becomes affected has a rate of at least the level, so it has not missed a step. Each flow whose rate
// changes is visited once, and few others are.
//
// Cost: O(n log n) for n uses of links by the affected flows, plus a visit to all flows on the links that limit them.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace strata::flow {

/// Not thread-safe. The same calls give the same numbers, to the bit.
class FairShares {
 public:
  struct Use {
    int link;
    double weight = 1;  // > 0; weights on one link must be within some powers of ten of each other, or their sums lose
                        // digits
  };

  /// `capacity` > 0. Returns the link's index: 0, 1, ...
  int add_link(double capacity);

  /// Adds a flow that uses different links and gets at most `bound` > 0 (in the unit of the capacities at weight 1).
  /// Returns its number; numbers of removed flows are reused. Its rate is known after the next solve().
  int add_flow(std::span<const Use> uses, double bound);
  void remove_flow(int flow);

  /// Recomputes shares after flows were added or removed. Returns the flows whose rates have changed, including new
  /// ones; valid until the next call.
  const std::vector<int>& solve();

  double rate(int flow) const { return flows_[flow].rate; }
  double capacity(int link) const { return links_[link].capacity; }

 private:
  struct Membership {
    int link;
    int position;  // in the link's members
    double weight;
  };
  // Aligned to a cache line, as links are: both are visited in random order.
  struct alignas(64) Flow {
    double rate = 0;
    double bound_rate = 0;
    double before = 0;           // the rate before, while affected
    int bound = 0;               // index into bounds_
    int bottleneck = kOwnBound;  // a link
    bool in_question = false, fixed = false;
    int added = kNotAdded;  // where in added_
    std::vector<Membership> uses;
  };
  struct Member {
    int flow;
    int use;  // index among the flow's uses
    double weight;
  };
  struct alignas(64) Link {
    double capacity = 0;
    double given = 0;      // assigned to its flows, by weight, except its takers
    double weight = 0;     // of its takers: the affected flows without a share yet
    double wanted = 0;     // by its takers, if each gets its bound
    double level = 0;      // the rate of the flows that it limits
    double next = kNever;  // the level at which it must be visited: that of its valid entry in levels_
    int takers = 0;
    bool holds_back = false;  // limits some of its flows, or did
    bool is_settled = false;  // in this solve(): it is decided whether those can have more
    bool is_touched = false;  // in this solve()
    bool is_dirty = false;    // its takers have changed since `next` was found

    double share() const;
  };
  // Ordered by level, then link. Both fit one number, because non-negative doubles are ordered like their bits.
  class Entry {
   public:
    Entry(double level, int link)
        : key_(static_cast<Key>(std::bit_cast<std::uint64_t>(level)) << 32 | static_cast<std::uint32_t>(link)) {}
    double level() const { return std::bit_cast<double>(static_cast<std::uint64_t>(key_ >> 32)); }
    int link() const { return static_cast<int>(static_cast<std::uint32_t>(key_)); }
    bool operator>(const Entry& other) const { return key_ > other.key_; }

   private:
    using Key = unsigned __int128;
    Key key_;
  };
  static constexpr double kNever = std::numeric_limits<double>::infinity();
  static constexpr int kOwnBound = -1;
  static constexpr int kNotAdded = -1, kRemoved = -1;

  int bound_index(double rate);
  Link& touch(int link);
  void question(int flow);
  double next_level(const Link& link) const;
  void enter(int link);
  void enter_dirty();
  double next_bound();
  Entry next_entry() const;
  void leave_entry();
  void fill();
  void look_at(int link, double bound);
  void let_grow(int link);
  bool reduce(int link);
  void fetch_links(std::size_t found) const;
  void give(int flow, double rate, int bottleneck);

  std::vector<Link> links_;
  std::vector<std::vector<Member>> members_;  // by link
  std::vector<Flow> flows_;
  std::vector<int> free_, added_, relieved_;  // flows; flows, or kRemoved; links that a flow left
  std::vector<int> in_question_, touched_, dirty_, changed_;
  // A machine has one bound for each of its levels. These are few, so flows are sorted by bound with a bucket for each.
  struct Bound {
    double rate;
    std::vector<int> in_question;  // the affected flows with this bound
    std::size_t next = 0;          // of these, the first that may not have its share yet
  };
  std::vector<Bound> bounds_;
  std::vector<int> ascending_;  // indexes into bounds_
  std::size_t lowest_ = 0;      // of ascending_: the first bound that may have flows without a share
  // When to visit which link: visits known before the filling begins are sorted, the next one last; later ones are in a
  // heap. An entry whose level is not the link's `next` is out of date.
  std::vector<Entry> first_levels_, levels_;
  bool is_filling_ = false;
  std::vector<std::pair<double, int>> found_;  // scratch: rates and flows that are about to become affected
};

}  // namespace strata::flow
