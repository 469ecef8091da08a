// The schedules of the nonblocking collectives, run on values: a block is the list of the ranks whose data is combined
// in it, in order. Exhaustive: all sizes to 17 with all roots, to 70 with some; arity 2 to 5, every number of split
// steps, in place or not, with operations that commute and that do not, flat and over nodes.
//
// Messages are as hard to deliver as MPI allows: a send ends when its receive has been posted, ranks do a round after
// another, the call's before the thread's before the wait's. Whoever ends with another list, or never, is wrong.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <cmath>
#include <deque>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "mpi_ext/nbc/level_tree.h"
#include "mpi_ext/nbc/schedule.h"

namespace strata::mpix {
namespace {

using Block = std::vector<int>;
using Kind = Action::Kind;

constexpr int kLargest = 70;
constexpr int kAllRoots = 17;  // up to this size
const Block kGarbage = {-1};

enum Part { kInCall, kOnThread, kInWait };
constexpr std::array kParts = {kInCall, kOnThread, kInWait};

const std::vector<Round>& part_of(const Schedule& s, Part part) {
  return part == kInCall ? s.in_call : part == kOnThread ? s.on_thread : s.in_wait;
}

// A collective on all ranks. `in_place` is that of those ranks that may be.
struct Case {
  Nbc collective;
  int size;
  int root = 0;
  int arity = 2;
  int steps = 0;
  bool in_place = false;
  bool commutes = true;
  std::vector<int> node_of_rank = {};
};

bool has_root(Nbc c) { return c == Nbc::kBcast || c == Nbc::kReduce || c == Nbc::kScatter || c == Nbc::kGather; }
bool is_reduction(Nbc c) { return c == Nbc::kReduce || c == Nbc::kAllreduce || c == Nbc::kScan; }
bool can_be_in_place(Nbc c) { return c != Nbc::kBcast && c != Nbc::kBarrier; }

bool rank_in_place(const Case& c, int rank) {
  return c.in_place && can_be_in_place(c.collective) && (!has_root(c.collective) || rank == c.root);
}

NbcCase of_rank(const Case& c, int rank) {
  return {c.collective, rank, c.size, c.root, c.arity, c.steps, rank_in_place(c, rank), c.commutes, c.node_of_rank};
}

std::ostream& operator<<(std::ostream& out, const Case& c) {
  out << name_of(c.collective) << " of " << c.size << ", root " << c.root << ", arity " << c.arity << ", steps "
      << c.steps << (c.in_place ? ", in place" : "") << (c.commutes ? "" : ", does not commute");
  if (!c.node_of_rank.empty()) out << ", nodes " << ::testing::PrintToString(c.node_of_rank);
  return out;
}

using Known = std::bitset<kLargest>;  // the ranks from which a chain of messages has come

struct Message {
  int from, to;
  Part part_sent, part_received;
  int level_sent, level_received;
  int blocks;
};

// All ranks of a case, run round by round.
class Machine {
 public:
  explicit Machine(const Case& c) : case_(c), ranks_(c.size) {
    for (int rank = 0; rank < c.size; ++rank) {
      auto& r = ranks_[rank];
      r.schedule = nbc_schedule(of_rank(c, rank));
      r.known[rank] = true;
      r.memory[static_cast<int>(Buffer::kScratch)].assign(r.schedule.scratch_blocks, kGarbage);
      r.memory[static_cast<int>(Buffer::kScratch2)].assign(r.schedule.scratch2_blocks, kGarbage);
      fill(rank);
      ready_.push_back(rank);
    }
    while (!ready_.empty()) {
      const int rank = ready_.front();
      ready_.pop_front();
      begin_round(rank);
    }
  }

  // Everybody has done everything.
  bool done() const {
    return std::ranges::all_of(ranks_, [](const auto& r) { return r.part == kParts.size(); });
  }
  const std::vector<Message>& messages() const { return messages_; }
  const Schedule& schedule(int rank) const { return ranks_[rank].schedule; }
  const Known& known(int rank) const { return ranks_[rank].known; }
  const std::vector<Block>& memory(int rank, Buffer buffer) const {
    return ranks_[rank].memory[static_cast<int>(buffer)];
  }
  const std::string& problem() const { return problem_; }

 private:
  struct Rank {
    Schedule schedule;
    std::array<std::vector<Block>, 4> memory;
    size_t part = 0;   // the one that is under way; how many there are: done
    size_t round = 0;  // the next to begin
    int under_way = 0;
    Known known;
  };
  struct Posted {
    int rank;
    Part part;
    const Action* action;
  };

  // What the caller's buffers hold. Where a buffer means nothing on this rank it is empty: touching it is out of range.
  void fill(int rank) {
    auto& send = ranks_[rank].memory[static_cast<int>(Buffer::kSend)];
    auto& receive = ranks_[rank].memory[static_cast<int>(Buffer::kReceive)];
    const bool is_root = rank == case_.root;
    const bool in_place = rank_in_place(case_, rank);
    switch (case_.collective) {
      case Nbc::kBarrier:
        return;
      case Nbc::kBcast:
        receive = {is_root ? Block{rank} : kGarbage};
        return;
      case Nbc::kScatter:
        for (int r = 0; is_root && r < case_.size; ++r) send.push_back({r});
        if (!in_place) receive = {kGarbage};
        return;
      case Nbc::kGather:
        if (!in_place) send = {{rank}};
        if (is_root) receive.assign(case_.size, kGarbage);
        if (in_place) receive[rank] = {rank};
        return;
      default:
        if (!in_place) send = {{rank}};
        if (is_root || case_.collective != Nbc::kReduce) receive = {in_place ? Block{rank} : kGarbage};
    }
  }

  std::vector<Block> read(int rank, const BlockRange& place) {
    const auto& memory = ranks_[rank].memory[static_cast<int>(place.buffer)];
    if (place.first_block < 0 || place.first_block + place.blocks > std::ssize(memory)) {
      problem_ = "rank " + std::to_string(rank) + " reads what is not there";
      return std::vector<Block>(place.blocks, kGarbage);
    }
    return {memory.begin() + place.first_block, memory.begin() + place.first_block + place.blocks};
  }

  void write(int rank, const BlockRange& place, const std::vector<Block>& blocks) {
    auto& memory = ranks_[rank].memory[static_cast<int>(place.buffer)];
    if (place.first_block < 0 || place.first_block + place.blocks > std::ssize(memory)) {
      problem_ = "rank " + std::to_string(rank) + " writes what is not there";
    } else if (place.blocks != std::ssize(blocks)) {
      problem_ = "rank " + std::to_string(rank) + " gets another number of blocks than it takes";
    } else {
      std::ranges::copy(blocks, memory.begin() + place.first_block);
    }
  }

  void begin_round(int rank) {
    auto& r = ranks_[rank];
    while (r.part < kParts.size() && r.round == part_of(r.schedule, kParts[r.part]).size()) {
      ++r.part;
      r.round = 0;
    }
    if (r.part == kParts.size()) return;
    const Part part = kParts[r.part];
    const Round& round = part_of(r.schedule, part)[r.round++];
    expect_independent(rank, round);
    r.under_way = static_cast<int>(round.size()) + 1;
    for (const auto& action : round) {
      if (action.kind == Kind::kSend || action.kind == Kind::kReceive) {
        post({rank, part, &action});
        continue;
      }
      auto blocks = read(rank, action.from);
      if (action.kind == Kind::kCombine) {
        const auto behind = read(rank, action.to);
        if (behind.size() != blocks.size()) problem_ = "operands of different lengths";
        for (size_t b = 0; b < std::min(blocks.size(), behind.size()); ++b) {
          blocks[b].insert(blocks[b].end(), behind[b].begin(), behind[b].end());
        }
      }
      write(rank, action.to, blocks);
      end_action(rank);
    }
    end_action(rank);
  }

  // Of two actions of a round neither writes what the other touches.
  void expect_independent(int rank, const Round& round) {
    const auto overlap = [](const BlockRange& a, const BlockRange& b) {
      return a.buffer == b.buffer && a.first_block < b.first_block + b.blocks &&
             b.first_block < a.first_block + a.blocks;
    };
    for (const auto& a : round) {
      for (const auto& b : round) {
        if (&a == &b) continue;
        if (overlap(a.to, b.to) || overlap(a.to, b.from)) {
          problem_ = "rank " + std::to_string(rank) + " has a round of actions that depend on each other";
        }
      }
    }
  }

  void post(const Posted& p) {
    const bool is_send = p.action->kind == Kind::kSend;
    const int source = is_send ? p.rank : p.action->peer, target = is_send ? p.action->peer : p.rank;
    auto& [sends, receives] = channels_[{source, target, p.part == kOnThread}];
    (is_send ? sends : receives).push_back(p);
    if (sends.empty() || receives.empty()) return;
    const Posted sent = sends.front(), received = receives.front();
    sends.pop_front();
    receives.pop_front();
    messages_.push_back({source, target, sent.part, received.part, sent.action->level, received.action->level,
                         sent.action->from.blocks});
    write(target, received.action->to, read(source, sent.action->from));
    ranks_[target].known |= ranks_[source].known;
    end_action(source);
    end_action(target);
  }

  void end_action(int rank) {
    if (--ranks_[rank].under_way == 0) ready_.push_back(rank);
  }

  struct Channel {
    std::deque<Posted> sends, receives;
  };

  const Case& case_;
  std::vector<Rank> ranks_;
  std::map<std::tuple<int, int, bool>, Channel> channels_;
  std::deque<int> ready_;
  std::vector<Message> messages_;
  std::string problem_;
};

Block all_of(int size) {
  Block all(size);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

Block sorted(Block block) {
  std::ranges::sort(block);
  return block;
}

// What a reduction of ranks 0 to last has: in their order, if the order counts.
void expect_reduced(const Case& c, const Block& actual, int last) {
  EXPECT_EQ(c.commutes ? sorted(actual) : actual, all_of(last + 1));
}

void expect_result(const Case& c, const Machine& machine, int rank) {
  const auto& receive = machine.memory(rank, Buffer::kReceive);
  const bool is_root = rank == c.root;
  switch (c.collective) {
    case Nbc::kBarrier:
      EXPECT_EQ(static_cast<int>(machine.known(rank).count()), c.size) << "rank " << rank;
      return;
    case Nbc::kBcast:
      EXPECT_EQ(receive, std::vector<Block>{{c.root}}) << "rank " << rank;
      return;
    case Nbc::kScatter:
      if (!rank_in_place(c, rank)) {
        EXPECT_EQ(receive, std::vector<Block>{{rank}});
      }
      return;
    case Nbc::kGather:
      for (int r = 0; is_root && r < c.size; ++r) EXPECT_EQ(receive[r], Block{r});
      return;
    case Nbc::kReduce:
      if (is_root) {
        expect_reduced(c, receive[0], c.size - 1);
      }
      return;
    case Nbc::kAllreduce:
      expect_reduced(c, receive[0], c.size - 1);
      return;
    case Nbc::kScan:
      expect_reduced(c, receive[0], rank);
  }
}

// The caller's sendbuf is not written.
void expect_send_kept(const Case& c, const Machine& machine, int rank) {
  const auto& send = machine.memory(rank, Buffer::kSend);
  for (size_t b = 0; b < send.size(); ++b) {
    EXPECT_EQ(send[b], Block{c.collective == Nbc::kScatter ? static_cast<int>(b) : rank}) << "rank " << rank;
  }
}

bool is_over_nodes(const Case& c) {
  if (c.node_of_rank.empty() || !c.commutes) return false;
  return c.collective != Nbc::kScatter && c.collective != Nbc::kGather && c.collective != Nbc::kScan;
}

std::vector<LevelTree> trees_of(const Case& c) {
  std::vector<LevelTree> all;
  const int top = c.collective == Nbc::kReduce && !c.commutes ? 0 : has_root(c.collective) ? c.root : 0;
  for (int rank = 0; rank < c.size; ++rank) {
    all.push_back(is_over_nodes(c) ? level_tree_over_nodes(rank, c.node_of_rank, top, c.arity)
                                   : level_tree(rank, c.size, top, c.arity));
  }
  return all;
}

struct Edge {
  int from, to, level, blocks;
  Part part;
  auto operator<=>(const Edge&) const = default;
};

// The messages that a case must send, and in which part: by its definition, one after another.
std::vector<Edge> expected_messages(const Case& c) {
  std::vector<Edge> edges;
  if (c.collective == Nbc::kScan) {
    for (int rank = 1; rank < c.size; ++rank) edges.push_back({rank - 1, rank, rank, 1, kOnThread});
    return edges;
  }
  const Nbc kind = c.collective;
  const auto trees = trees_of(c);
  const int blocks = kind == Nbc::kBarrier ? 0 : 1;
  for (int rank = 0; rank < c.size; ++rank) {
    const auto& t = trees[rank];
    if (t.parent < 0) continue;
    const bool split = t.parent_level <= c.steps && kind != Nbc::kBarrier;
    const int of_subtree = kind == Nbc::kGather || kind == Nbc::kScatter ? t.subtree : blocks;
    if (kind != Nbc::kBcast && kind != Nbc::kScatter) {
      edges.push_back({rank, t.parent, t.parent_level, of_subtree, split ? kInCall : kOnThread});
    }
    if (kind != Nbc::kReduce && kind != Nbc::kGather) {
      edges.push_back({t.parent, rank, t.parent_level, of_subtree, split ? kInWait : kOnThread});
    }
  }
  if (kind == Nbc::kReduce && !c.commutes && c.root != 0) {
    edges.push_back({0, c.root, trees[0].height + 1, 1, kOnThread});
  }
  return edges;
}

void expect_messages(const Case& c, const Machine& machine) {
  std::vector<Edge> actual;
  for (const auto& m : machine.messages()) {
    EXPECT_EQ(m.part_sent, m.part_received) << "from " << m.from << " to " << m.to;
    EXPECT_EQ(m.level_sent, m.level_received) << "from " << m.from << " to " << m.to;
    actual.push_back({m.from, m.to, m.level_sent, m.blocks, m.part_sent});
  }
  auto expected = expected_messages(c);
  std::ranges::sort(actual);
  std::ranges::sort(expected);
  EXPECT_EQ(actual.size(), expected.size());
  EXPECT_TRUE(actual == expected);
}

// A message of a reduction costs one combination; copies are only those that the headers of the files name.
void expect_local_work(const Case& c, const Machine& machine) {
  const auto trees = trees_of(c);
  for (int rank = 0; rank < c.size; ++rank) {
    const auto& t = trees[rank];
    const bool in_place = rank_in_place(c, rank), is_root = rank == c.root;
    int combines = 0, copies = 0;
    for (const Part part : kParts) {
      for (const auto& round : part_of(machine.schedule(rank), part)) {
        for (const auto& action : round) {
          combines += action.kind == Kind::kCombine ? 1 : 0;
          copies += action.kind == Kind::kCopy ? 1 : 0;
        }
      }
    }
    int received = 0, most_copies = 0, most_scratch = 0, most_scratch2 = 0;
    const int children = static_cast<int>(t.children.size());
    if (c.collective == Nbc::kReduce || c.collective == Nbc::kAllreduce) {
      received = children;
      most_copies = in_place && !c.commutes && t.parent < 0 ? 1 : 0;
      most_scratch = children > 0 ? 1 : 0;
      most_scratch2 = c.collective == Nbc::kReduce && !is_root && children > 1 ? 1 : 0;
    } else if (c.collective == Nbc::kScan) {
      received = rank > 0 ? 1 : 0;
      most_copies = !in_place && (rank == 0 || !c.commutes) ? 1 : 0;
      most_scratch = rank > 0 && (in_place || !c.commutes) ? 1 : 0;
    } else if (c.collective == Nbc::kGather || c.collective == Nbc::kScatter) {
      most_copies = is_root ? (in_place ? 0 : 1) + (c.root > 0 ? 2 : 0) : children > 0 ? 1 : 0;
      if (!is_root) most_scratch = children > 0 ? t.subtree : 0;
      for (const auto& child : t.children) {
        if (is_root && child.rank + child.subtree > c.size) most_scratch = child.subtree;
      }
    }
    if (c.size == 1 && can_be_in_place(c.collective) && !in_place) most_copies = 1;
    EXPECT_EQ(combines, received) << "rank " << rank;
    EXPECT_LE(copies, most_copies) << "rank " << rank;
    EXPECT_LE(machine.schedule(rank).scratch_blocks, most_scratch) << "rank " << rank;
    EXPECT_LE(machine.schedule(rank).scratch2_blocks, most_scratch2) << "rank " << rank;
  }
}

void expect_right(const Case& c) {
  const Machine machine(c);
  ASSERT_EQ(machine.problem(), "") << c;
  ASSERT_TRUE(machine.done()) << c << ": deadlock";
  const auto failed_before = ::testing::Test::HasFailure();
  for (int rank = 0; rank < c.size; ++rank) {
    expect_result(c, machine, rank);
    expect_send_kept(c, machine, rank);
  }
  expect_messages(c, machine);
  expect_local_work(c, machine);
  if (!failed_before && ::testing::Test::HasFailure()) FAIL() << c;  // the first says what it was
}

std::vector<int> roots_for(Nbc collective, int size) {
  if (!has_root(collective)) return {0};
  if (size <= kAllRoots) return all_of(size);
  return {0, 1, size / 2, size - 1};
}

std::vector<bool> both_if(bool condition) { return condition ? std::vector{false, true} : std::vector{false}; }

// Every case of a size, root and mapping to nodes.
void expect_right_for_all(Case c) {
  for (c.arity = 2; c.arity <= 5; ++c.arity) {
    for (const bool in_place : both_if(can_be_in_place(c.collective))) {
      c.in_place = in_place;
      for (const bool ordered : both_if(is_reduction(c.collective))) {
        c.commutes = !ordered;
        c.steps = 0;
        const int most = most_steps(of_rank(c, 0));
        for (; c.steps <= most; ++c.steps) expect_right(c);
      }
    }
  }
}

class Schedules : public ::testing::TestWithParam<Nbc> {};

TEST_P(Schedules, AreRightOnTheFlatTree) {
  for (int size = 1; size <= kLargest; ++size) {
    for (const int root : roots_for(GetParam(), size)) expect_right_for_all({GetParam(), size, root});
  }
}

TEST_P(Schedules, AreRightOverNodes) {
  for (const int size : {1, 2, 3, 4, 5, 7, 8, 11, 16, 17, 23, 70}) {
    std::vector<std::vector<int>> mappings(4, std::vector<int>(size));
    for (int rank = 0; rank < size; ++rank) {
      mappings[0][rank] = rank / 4;                           // blocks
      mappings[1][rank] = 10 - rank % 3;                      // round-robin
      mappings[2][rank] = rank * rank % 7;                    // scattered and uneven
      mappings[3][rank] = static_cast<int>(std::sqrt(rank));  // uneven blocks
    }
    for (const auto& node_of_rank : mappings) {
      for (const int root : roots_for(GetParam(), size)) {
        expect_right_for_all({.collective = GetParam(), .size = size, .root = root, .node_of_rank = node_of_rank});
      }
    }
  }
}

// A message of 64 ranks and 3 split steps, counted by hand: levels 1 to 3 have 32 + 16 + 8 messages, 4 to 6 have 4 + 2
// + 1.
TEST_P(Schedules, SplitsSixtyFourRanksByHand) {
  const Case c = {.collective = GetParam(), .size = 64, .root = 5, .steps = GetParam() < Nbc::kScan ? 3 : 0};
  const Machine machine(c);
  std::array<int, 3> messages = {};
  for (const auto& m : machine.messages()) ++messages[m.part_sent];
  switch (GetParam()) {
    case Nbc::kReduce:
    case Nbc::kGather:
      EXPECT_EQ(messages, (std::array{56, 7, 0}));
      return;
    case Nbc::kBcast:
    case Nbc::kScatter:
      EXPECT_EQ(messages, (std::array{0, 7, 56}));
      return;
    case Nbc::kAllreduce:
      EXPECT_EQ(messages, (std::array{56, 14, 56}));
      return;
    case Nbc::kScan:
      EXPECT_EQ(messages, (std::array{0, 63, 0}));
      return;
    case Nbc::kBarrier:
      EXPECT_EQ(messages, (std::array{0, 126, 0}));
  }
}

INSTANTIATE_TEST_SUITE_P(OfEveryCollective, Schedules,
                         ::testing::Values(Nbc::kBcast, Nbc::kReduce, Nbc::kAllreduce, Nbc::kScatter, Nbc::kGather,
                                           Nbc::kScan, Nbc::kBarrier),
                         [](const auto& collective) { return std::string(name_of(collective.param)); });

TEST(MostSteps, IsTheHeight) {
  for (int size = 1; size <= kLargest; ++size) {
    const std::vector<int> alternating = [&] {
      std::vector<int> nodes(size);
      for (int rank = 0; rank < size; ++rank) nodes[rank] = rank % 2;
      return nodes;
    }();
    const int flat = tree_height(size, 3);
    const int nodes = tree_height((size + 1) / 2, 3) + tree_height(std::min(size, 2), 3);
    NbcCase what = {.size = size, .arity = 3};
    for (const Nbc c : {Nbc::kBcast, Nbc::kReduce, Nbc::kAllreduce, Nbc::kScatter, Nbc::kGather}) {
      what.collective = c;
      EXPECT_EQ(most_steps(what), flat);
    }
    what.node_of_rank = alternating;
    what.collective = Nbc::kReduce;
    EXPECT_EQ(most_steps(what), nodes);
    what.commutes = false;
    EXPECT_EQ(most_steps(what), flat);
    what.collective = Nbc::kScan;
    EXPECT_EQ(most_steps(what), 0);
    what.collective = Nbc::kBarrier;
    EXPECT_EQ(most_steps(what), 0);
  }
}

TEST(NbcSchedule, RefusesWhatIsOutOfRange) {
  const std::vector<int> nodes = {0, 0, 1};
  const NbcCase good = {.collective = Nbc::kReduce, .rank = 1, .size = 4, .root = 1, .steps = 2, .in_place = true};
  EXPECT_NO_THROW(nbc_schedule(good));
  const auto refuses = [&](auto change) {
    NbcCase bad = good;
    change(bad);
    EXPECT_THROW(nbc_schedule(bad), std::invalid_argument);
  };
  refuses([](NbcCase& c) { c.size = 0; });
  refuses([](NbcCase& c) { c.rank = 4; });
  refuses([](NbcCase& c) { c.rank = -1; });
  refuses([](NbcCase& c) { c.root = 4; });
  refuses([](NbcCase& c) { c.root = -1; });
  refuses([](NbcCase& c) { c.arity = 1; });
  refuses([](NbcCase& c) { c.steps = 3; });
  refuses([](NbcCase& c) { c.steps = -1; });
  refuses([](NbcCase& c) { c.root = 2; });  // rank 1 is in place
  refuses([](NbcCase& c) { c.collective = Nbc::kBcast; });
  refuses([&](NbcCase& c) { c.node_of_rank = nodes; });
  try {
    NbcCase bad = good;
    bad.steps = 3;
    nbc_schedule(bad);
  } catch (const std::invalid_argument& e) {
    EXPECT_STREQ(e.what(), "schedule of reduce: more steps than the tree has levels");
  }
}

}  // namespace
}  // namespace strata::mpix
