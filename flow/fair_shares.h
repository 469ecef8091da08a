// SPDX-License-Identifier: LGPL-2.1-only
// Max-min fair shares of links: what every flow gets, kept up to date while flows come and go.
//
// An allocation is max-min fair if no flow can get more unless a flow that has at most as much gets less. It is unique,
// and this is how to know it: every flow either has its own bound, or has a bottleneck: a link on its way that is full
// and on which no flow gets more than it (Bertsekas and Gallager, Data Networks, Section 6.5.2).
//
// A flow may take more of a link than its rate, or less: a copy of x B/s within one memory takes 2 x of what the memory
// carries, x to read and x to write; of a message that is spread over four ways each link carries a quarter. That is
// the weight of a use: a flow of rate x with weight w takes w x of the link. Shares are fair in x.
//
// SimGrid's solver recomputes the shares of all flows that are connected through any links, at every start and end of a
// flow. On a machine whose ranks share links all flows are connected, and a simulated message costs time in proportion
// to the number of flows. Here a change is followed only as far as it reaches. The flows that it touches are shared out
// again while the rest keep what they have; then the condition above is checked on the links that were touched, and
// every flow that no longer meets it is added to those that are shared out, until all flows meet it. The condition is
// the definition, so the result is the allocation, whichever way it was found.
//
// Cost: progressive filling with a heap, O(n log n) for n uses of links by the flows in question, usually a handful.
#pragma once

#include <span>
#include <vector>

namespace strata::flow {

/// Not thread-safe. The same calls give the same numbers, to the bit.
class FairShares {
 public:
  struct Use {
    int link;
    double weight = 1;  // > 0; those on one link are within some powers of ten, or their sums lose digits
  };

  /// `capacity` > 0. Returns the link's index: 0, 1, ...
  int add_link(double capacity);

  /// A flow that uses different links and gets at most `bound` > 0 (in the unit of the capacities where the weight is
  /// 1). Returns its number; numbers of removed flows come again. Its rate is known after the next solve().
  int add_flow(std::span<const Use> uses, double bound);
  void remove_flow(int flow);

  /// Shares out after flows were added or removed. Returns the flows whose rates are other than before, new ones
  /// included; valid until the next call.
  const std::vector<int>& solve();

  double rate(int flow) const { return flows_[flow].rate; }
  double capacity(int link) const { return links_[link].capacity; }

 private:
  struct Membership {
    int link;
    int position;  // in the link's members
    double weight;
  };
  // The part of a flow that loops over the members of links need.
  struct Flow {
    double rate = 0;
    double bound_rate = 0;
    int bound = 0;               // index into bounds_
    int bottleneck = kOwnBound;  // a link
    bool in_question = false, fixed = false;
  };
  struct Route {
    std::vector<Membership> uses;
    double before = 0;      // the rate
    int added = kNotAdded;  // where in added_
  };
  struct Member {
    int flow;
    int use;  // which of the flow's
    double weight;
  };
  struct Link {
    double capacity = 0;
    std::vector<Member> members;
    double wanted = 0;  // by all of them together, if each had its bound
    double left = 0;    // while shares are found: what those not in question leave, less what is given out
    double weight = 0;  // of the flows in question that have not got their share yet
    int takers = 0;     // how many these are
    bool touched = false;
    bool full = false;     // when shares were last found
    long asked_about = 0;  // in which solve() those that it holds back were last put in question

    // There is more than enough for all, so that it holds no flow back. The margin is far above the rounding of
    // `wanted`, which is kept up to date by additions and subtractions.
    bool is_wide() const { return wanted < capacity * (1 - 1e-6); }
  };
  static constexpr int kOwnBound = -1;
  static constexpr int kNotAdded = -1, kRemoved = -1;

  int bound_index(double rate);
  void question(int flow);
  void question_those_held_back_by(int link);
  void fill();
  void give(int flow, double rate, int bottleneck);
  bool question_who_lost_their_bottleneck();

  std::vector<Link> links_;
  std::vector<Flow> flows_;
  std::vector<Route> routes_;                 // by flow
  std::vector<int> free_, added_, relieved_;  // flows; flows, or kRemoved; links that a flow left
  long solves_ = 0;
  std::vector<int> in_question_, touched_, changed_;
  // A machine has a bound for each of its levels: few, so that sorting flows by bound is dealing them out.
  struct Bound {
    double rate;
    std::vector<int> in_question;  // scratch of fill(): the flows with this bound
  };
  std::vector<Bound> bounds_;
  std::vector<int> ascending_;                    // indexes into bounds_
  std::vector<std::pair<double, int>> by_share_;  // scratch of fill(): links
};

}  // namespace strata::flow
