// Loads of levels against messages counted one by one, and what the placements of progress threads make of them.
#include "models/split_tree_load.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <stdexcept>

#include "platforms/placement.h"
#include "platforms/progress_placement.h"
#include "platforms/topology.h"
#include "tests/models/enumerated_tree.h"

namespace strata::models {
namespace {

// The cores of spread ranks' threads on one node of 64 cores.
std::vector<int> thread_cores(int ranks, const std::string& policy) {
  const auto topology = parse_tree("pack:1 core:64 pu:1");
  PlacementOptions spread;
  spread.map_by = "spread";
  std::vector<int> cores;
  for (const Binding& b : place_progress(*topology, place(*topology, ranks, spread), policy)) {
    cores.push_back(topology->first_core(b.core));
  }
  return cores;
}

TEST(SplitTreeLoad, EvenPlacementsAreTheModels) {
  for (const int ranks : {40, 48, 50, 52, 58, 60, 62, 63}) {
    const SplitTree t{.cores = 64, .ranks = ranks};
    for (int s = 0; s <= 3; ++s) {
      const Folded f = folded(t, s, 0, thread_cores(ranks, "numa"));
      EXPECT_EQ(f.application_time(), on_application_cores(t, s)) << ranks << " " << s;
      EXPECT_EQ(f.communication_time(), on_communication_cores(t, s)) << ranks << " " << s;
      EXPECT_EQ(overlapped_time(f, 6.5), overlapped_time(t, s, 6.5));
      EXPECT_EQ(most_uneven(f.communication), nullptr);
    }
  }
}

TEST(SplitTreeLoad, OfEachLevel) {
  // 6 ranks, two threads' cores, ranks 0 to 2 and 3 to 5: level 1 is 1 -> 0, 3 -> 2, 5 -> 4; level 2 2 -> 0; then 4 ->
  // 0.
  const std::vector<int> cores = {7, 7, 7, 9, 9, 9};
  const std::vector<LevelLoad> up = level_loads({.cores = 8, .ranks = 6}, 0, cores);
  ASSERT_EQ(up.size(), 3U);
  EXPECT_EQ(up[0].messages, 3);
  EXPECT_EQ(up[0].core, 7);
  EXPECT_EQ(up[0].load, 2);
  EXPECT_EQ(up[0].even_load, 2);
  EXPECT_EQ(up[1].messages, 1);
  EXPECT_EQ(up[2].level, 3);
  // Down again the receivers are 4; 2; 1, 3, 5: the last two on one core.
  const std::vector<LevelLoad> down =
      level_loads({.cores = 8, .ranks = 6, .direction = Direction::kOneToAll}, 0, cores);
  EXPECT_EQ(down[0].level, 3);
  EXPECT_EQ(down[0].core, 9);
  EXPECT_EQ(down[2].core, 9);
  EXPECT_EQ(down[2].load, 2);
  // From rank 3 on everything is turned by three.
  EXPECT_EQ(level_loads({.cores = 8, .ranks = 6}, 3, cores)[0].core, 9);
}

// A gather's messages are blocks of subtrees; rank 4's is of 2, not 4. Ranks 0, 2 and 4 copy their own block too.
TEST(SplitTreeLoad, BlocksThatThereAre) {
  const std::vector<int> cores = {7, 7, 7, 9, 9, 9};
  const std::vector<LevelLoad> up = level_loads({.cores = 8, .ranks = 6, .weight = Weight::kDoubling}, 0, cores);
  EXPECT_EQ(up[0].load, 2 + 2);
  EXPECT_EQ(up[0].own, 2);
  EXPECT_EQ(up[1].load, 2);
  EXPECT_EQ(up[2].load, 2);
  EXPECT_EQ(up[2].even_load, 4);  // Eq. 8 counts a full subtree
  EXPECT_EQ(most_uneven(up), nullptr);
}

TEST(SplitTreeLoad, AnAllreduceCombinesOneWay) {
  const std::vector<int> cores = {7, 7, 7, 9, 9, 9};
  const SplitTree t{.cores = 8, .ranks = 6, .direction = Direction::kThereAndBack, .combine = 0.5};
  const Folded f = folded(t, 1, 0, cores);
  ASSERT_EQ(f.application.size(), 2U);
  ASSERT_EQ(f.communication.size(), 4U);
  EXPECT_EQ(f.application_time(), on_application_cores(t, 1));
  EXPECT_EQ(f.communication_time(), on_communication_cores(t, 1));
}

// Message by message, any cores: never less than the even share, and no core busier than the one that is told.
TEST(SplitTreeLoad, AgainstCountingAtRandom) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 2000; ++trial) {
    const int ranks = 2 + static_cast<int>(random() % 80), spare = 1 + static_cast<int>(random() % 10);
    const int arity = 2 + static_cast<int>(random() % 4), root = static_cast<int>(random() % ranks);
    const Direction way = random() % 2 == 0 ? Direction::kAllToOne : Direction::kOneToAll;
    std::vector<int> cores(ranks);
    for (int& c : cores) c = static_cast<int>(random() % spare);
    const SplitTree t{.cores = ranks + spare, .ranks = ranks, .arity = arity, .direction = way};
    std::map<int, std::map<int, double>> counted;
    for (const Message& m : messages_of(ranks, arity)) {
      ++counted[m.level][cores[((way == Direction::kAllToOne ? m.to : m.from) + root) % ranks]];
    }
    for (const LevelLoad& l : level_loads(t, root, cores)) {
      double most = 0;
      for (const auto& [core, load] : counted[l.level]) most = std::max(most, load);
      ASSERT_EQ(l.load, most);
      ASSERT_EQ(counted[l.level][l.core], most);
      ASSERT_GE(l.load, l.even_load);
      ASSERT_EQ(l.messages, messages_on_level(ranks, l.level, arity));
    }
  }
}

TEST(SplitTreeLoad, ImbalanceIsFoundWhereItCostsMost) {
  const SplitTree t{.cores = 64, .ranks = 57};
  const std::vector<int> cores = thread_cores(57, "numa");
  const Folded f = folded(t, 0, 0, cores);
  EXPECT_GT(f.communication_time(), on_communication_cores(t, 0));
  const LevelLoad* worst = most_uneven(f.communication);
  ASSERT_NE(worst, nullptr);
  for (const LevelLoad& l : f.communication) EXPECT_LE(l.load - l.even_load, worst->load - worst->even_load);
}

TEST(SplitTreeLoad, RefusesWhatDoesNotFit) {
  const SplitTree t{.cores = 4, .ranks = 3};
  const std::vector<int> two = {0, 0}, three = {0, 0, 0};
  EXPECT_THROW(level_loads(t, 0, two), std::invalid_argument);
  EXPECT_THROW(level_loads(t, 3, three), std::invalid_argument);
  EXPECT_THROW(level_loads({.cores = 4, .ranks = 3, .nodes = 2}, 0, three), std::invalid_argument);
  EXPECT_TRUE(level_loads({.cores = 2, .ranks = 1}, 0, std::vector<int>{0}).empty());
}

}  // namespace
}  // namespace strata::models
