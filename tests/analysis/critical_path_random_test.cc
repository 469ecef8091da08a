// SPDX-License-Identifier: LGPL-2.1-only
// The critical path and late ranks of random programs, compared with a slow, obvious reference: a simulation in which
// each rank carries the whole chain of work and messages that led to its present state.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "analysis/time_report.h"
#include "tests/analysis/story.h"

namespace strata::analysis {
namespace {

// The last link of a chain that starts at time 0.
struct Link {
  int rank;
  double from, to;
  PathKind kind;
  std::int64_t message;
  std::shared_ptr<const Link> before;
};
using Chain = std::shared_ptr<const Link>;

struct Message {
  int sender, receiver;
  bool eager;
  double sent = 0, posted = 0, began = 0, arrived = 0;
  Chain cause = {};  // the chain of the side that came last, at time `began`
};

struct Seen {
  long count = 0;
  double seconds = 0;
};
using Pairs = std::map<std::pair<int, int>, Seen>;  // by the late rank and the waiting rank

// Ranks that compute, post messages, and wait for them later. Both posts of a message precede all later messages, so
// there is no deadlock. All durations are random, so no two chains are equally long.
class Program {
 public:
  Program(std::uint64_t seed, int ranks) : random_(seed), story_(static_cast<size_t>(ranks)), ranks_(ranks) {
    for (int i = 0; i < 40 * ranks; ++i) step();
    for (int r = 0; r < ranks; ++r) {
      while (!state(r).pending.empty()) wait_for(r, 0);
      compute(r);
      story_.end(r, state(r).now);
      if (state(r).now > end_) {
        end_ = state(r).now;
        last_ = r;
      }
    }
  }

  TimeReport report() { return story_.report(end_, nullptr); }
  double end() const { return end_; }
  int last() const { return last_; }
  const Pairs& late_senders() const { return late_senders_; }
  const Pairs& late_receivers() const { return late_receivers_; }

  // In the form of PathPieces: consecutive work of the same kind is joined, and messages have their numbers in the
  // file.
  std::vector<PathPiece> chain() const {
    std::vector<PathPiece> pieces;
    for (const Link* l = states_[last_].chain.get(); l != nullptr; l = l->before.get()) {
      if (!pieces.empty() && l->message == 0 && pieces.back().message == 0 && pieces.back().rank == l->rank &&
          pieces.back().kind == l->kind) {
        pieces.back().from = l->from;
      } else {
        pieces.push_back({.from = l->from,
                          .to = l->to,
                          .kind = l->kind,
                          .rank = l->rank,
                          .message = story_.numbers().at(l->message)});
      }
    }
    return {pieces.rbegin(), pieces.rend()};
  }

 private:
  struct Pending {
    std::int64_t message;
    bool sender;
  };
  struct State {
    double now = 0;
    Chain chain;
    std::vector<Pending> pending;
  };

  State& state(int rank) {
    if (states_.empty()) states_.resize(ranks_);
    return states_[rank];
  }
  int below(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
  double some_time() { return std::uniform_real_distribution<double>(0.01, 1)(random_); }

  void spend(int rank, double to, PathKind kind) {
    State& s = state(rank);
    s.chain = std::make_shared<Link>(Link{rank, s.now, to, kind, 0, s.chain});
    s.now = to;
  }
  void compute(int rank) { spend(rank, state(rank).now + some_time(), PathKind::kComputing); }

  // The overhead of a function call.
  void work(int rank, int function) {
    story_.enter(rank, state(rank).now, function);
    spend(rank, state(rank).now + 0.1 * some_time(), PathKind::kMpi);
  }

  void step() {
    const int rank = below(ranks_);
    switch (below(4)) {
      case 0:
        return compute(rank);
      case 1:
        if (!state(rank).pending.empty())
          wait_for(rank, static_cast<size_t>(below(static_cast<int>(state(rank).pending.size()))));
        return;
      default:
        return message(rank, (rank + 1 + below(ranks_ - 1)) % ranks_);
    }
  }

  void message(int sender, int receiver) {
    Message m{.sender = sender, .receiver = receiver, .eager = below(2) == 0};
    const std::int64_t number = static_cast<std::int64_t>(messages_.size()) + 1;
    work(sender, Story::kSend);
    m.sent = state(sender).now;
    story_.send(number, sender, receiver, m.sent, 8);
    story_.leave(sender, m.sent);
    work(receiver, Story::kRecv);
    m.posted = state(receiver).now;
    story_.leave(receiver, m.posted);
    m.began = m.eager ? m.sent : std::max(m.sent, m.posted);
    m.cause = state(m.began == m.sent ? sender : receiver).chain;
    m.arrived = m.began + 3 * some_time();
    story_.arrive(number, std::max(m.arrived, m.posted), m.posted, m.began);
    if (!m.eager) state(sender).pending.push_back({number, true});
    state(receiver).pending.push_back({number, false});
    messages_.push_back(m);
    if (below(2) == 0 && !m.eager) wait_for(sender, state(sender).pending.size() - 1);
    if (below(2) == 0) wait_for(receiver, state(receiver).pending.size() - 1);
  }

  void wait_for(int rank, size_t which) {
    State& s = state(rank);
    const Pending waited = s.pending[which];
    s.pending.erase(s.pending.begin() + static_cast<long>(which));
    const Message& m = messages_[waited.message - 1];
    work(rank, Story::kWait);
    if (m.arrived > s.now) {
      story_.block(rank, s.now);
      if (m.began > s.now) {
        const bool sender_late = m.began == m.sent;
        Seen& seen = (sender_late ? late_senders_ : late_receivers_)[{sender_late ? m.sender : m.receiver, rank}];
        ++seen.count;
        seen.seconds += m.began - s.now;
      }
      s.chain = std::make_shared<Link>(Link{rank, m.began, m.arrived, PathKind::kMessage, waited.message, m.cause});
      s.now = m.arrived;
      story_.unblock(rank, s.now, waited.message, m.began);
    }
    spend(rank, s.now + 0.1 * some_time(), PathKind::kMpi);
    story_.leave(rank, s.now);
  }

  std::mt19937_64 random_;
  Story story_;
  int ranks_;
  std::vector<State> states_;
  std::vector<Message> messages_;
  Pairs late_senders_, late_receivers_;
  double end_ = 0;
  int last_ = 0;
};

// Removes functions and the ends of messages, which the reference does not have.
PathPiece plain(PathPiece p) {
  p.function = p.sender = p.receiver = -1;
  p.bytes = 0;
  return p;
}

// Joins consecutive calls of different functions, which the reference treats as one piece of work.
std::vector<PathPiece> joined(const std::vector<PathPiece>& pieces) {
  std::vector<PathPiece> all;
  for (const PathPiece& p : pieces) {
    const PathPiece bare = plain(p);
    if (!all.empty() && p.message == 0 && all.back().message == 0 && all.back().rank == p.rank &&
        all.back().kind == p.kind) {
      all.back().to = p.to;
    } else {
      all.push_back(bare);
    }
  }
  return all;
}

void expect_same(const std::vector<LatePair>& found, const Pairs& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (const LatePair& p : found) {
    const auto at = expected.find({p.late, p.waits});
    ASSERT_NE(at, expected.end()) << p.late << " " << p.waits;
    EXPECT_EQ(p.count, at->second.count);
    EXPECT_NEAR(p.seconds, at->second.seconds, 1e-9);
  }
  for (size_t i = 1; i < found.size(); ++i) EXPECT_GE(found[i - 1].seconds, found[i].seconds) << "worst first";
}

TEST(CriticalPath, OfRandomProgramsIsTheChainThatLedToTheEnd) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Program program(seed, 2 + static_cast<int>(seed % 7));
    const TimeReport report = program.report();
    const CriticalPath& path = report.path;
    EXPECT_EQ(path.last_rank, program.last());
    ASSERT_FALSE(path.pieces.empty());

    // The path covers the whole time without a gap, exactly.
    EXPECT_EQ(path.pieces.front().from, 0);
    EXPECT_EQ(path.pieces.back().to, program.end());
    EXPECT_EQ(path.seconds, program.end());
    for (size_t i = 1; i < path.pieces.size(); ++i) ASSERT_EQ(path.pieces[i - 1].to, path.pieces[i].from) << i;
    double by_rank = 0, by_kind = 0;
    for (const PathShare& s : path.by_rank) by_rank += s.seconds();
    for (const double s : path.whole.by_kind) by_kind += s;
    EXPECT_NEAR(by_rank, program.end(), 1e-12 * program.end());
    EXPECT_NEAR(by_kind, program.end(), 1e-12 * program.end());
    EXPECT_EQ(path.whole.seconds(PathKind::kWaiting), 0);

    EXPECT_EQ(joined(path.pieces), program.chain());
    expect_same(report.late.senders, program.late_senders());
    expect_same(report.late.receivers, program.late_receivers());
    EXPECT_EQ(report.late.unknown_seconds, 0);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace strata::analysis
