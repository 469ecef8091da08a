// SPDX-License-Identifier: LGPL-2.1-only
// The pure cores of the functions that Strata supplies under SMPI: the groups of a split, the ranks by host, the
// neighbours in a graph, the maps of datatypes, and the points at which the ranks of a collective call meet.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <climits>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <vector>

#include "mpi_ext/preload/supply/datatypes.h"
#include "mpi_ext/preload/supply/files/view.h"
#include "mpi_ext/preload/supply/graph.h"
#include "mpi_ext/preload/supply/meeting.h"
#include "mpi_ext/preload/supply/nodes.h"
#include "mpi_ext/preload/supply/split_groups.h"
#include "mpi_ext/preload/supply/type_map.h"

namespace strata::mpix {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

constexpr int kUndefined = -333;

TEST(SplitGroups, OrdersByKeyThenByRank) {
  const std::vector<ColorKey> told = {{1, 5}, {0, 0}, {1, 2}, {kUndefined, 0}, {1, 5}, {0, -1}};
  EXPECT_THAT(split_groups(told, kUndefined), ElementsAre(Pair(0, ElementsAre(5, 1)), Pair(1, ElementsAre(2, 0, 4))));
}

TEST(SplitGroups, ExtremeKeys) {
  EXPECT_THAT(split_groups({{0, INT_MAX}, {0, INT_MIN}, {0, 0}}, kUndefined),
              ElementsAre(Pair(0, ElementsAre(1, 2, 0))));
  EXPECT_THAT(split_groups({{kUndefined, 1}}, kUndefined), IsEmpty());
  EXPECT_THAT(split_groups({}, kUndefined), IsEmpty());
}

// Compared with the definition: a rank's place is the number of members of its colour that come before it.
TEST(SplitGroups, EqualsTheDefinition) {
  std::mt19937 random(20221122);  // NOLINT: the same cases every time
  for (int round = 0; round < 300; ++round) {
    std::vector<ColorKey> told(random() % 12);
    for (ColorKey& c : told) c = {static_cast<int>(random() % 3), static_cast<int>(random() % 4) - 2};
    const std::map<int, std::vector<int>> groups = split_groups(told, 0);  // colour 0 is not a group
    std::size_t placed = 0;
    for (std::size_t r = 0; r < told.size(); ++r) {
      if (told[r].color == 0) continue;
      std::size_t before = 0;
      for (std::size_t o = 0; o < told.size(); ++o) {
        const bool first = told[o].key < told[r].key || (told[o].key == told[r].key && o < r);
        before += told[o].color == told[r].color && first ? 1 : 0;
      }
      ASSERT_EQ(groups.at(told[r].color).at(before), static_cast<int>(r)) << "round " << round;
      ++placed;
    }
    for (const auto& [color, ranks] : groups) placed -= ranks.size();
    EXPECT_EQ(placed, 0U);
  }
}

// The edges 0 -> 1 twice, 1 -> 1, and 2 -> 0, given by one process.
TEST(Graph, BothEndsSeeParallelEdgesInOneOrder) {
  const std::vector<EdgeEnd> ends = edge_ends({0, 1, 2}, {2, 1, 1}, {1, 1, 1, 0}, {7, 8, 9, 4});
  std::map<int, std::vector<EdgeEnd>> of;
  for (const EdgeEnd& e : ends) of[e.vertex].push_back(e);
  EXPECT_EQ(vertex_of(of[0]), (Vertex{.in = {{2, 4}}, .out = {{1, 7}, {1, 8}}}));
  EXPECT_EQ(vertex_of(of[1]), (Vertex{.in = {{0, 7}, {0, 8}, {1, 9}}, .out = {{1, 9}}}));
  EXPECT_EQ(vertex_of(of[2]), (Vertex{.in = {}, .out = {{0, 4}}}));
}

TEST(Graph, WithoutWeightsEachIsOne) {
  EXPECT_EQ(vertex_of(edge_ends({3}, {2}, {3, 3}, {})), (Vertex{.in = {{3, 1}, {3, 1}}, .out = {{3, 1}, {3, 1}}}));
  EXPECT_THAT(edge_ends({0, 1}, {0, 0}, {}, {}), IsEmpty());
}

// The example of MPI 4.0, Section 8.5.3: 0 - 1, 0 - 3, 2 - 3.
TEST(Graph, NeighborsOfTheStandardsExample) {
  const Graph graph{.index = {2, 3, 4, 6}, .edges = {1, 3, 0, 3, 0, 2}};
  EXPECT_TRUE(graph.valid());
  EXPECT_THAT(graph.neighbors(0), ElementsAre(1, 3));
  EXPECT_THAT(graph.neighbors(1), ElementsAre(0));
  EXPECT_THAT(graph.neighbors(2), ElementsAre(3));
  EXPECT_THAT(graph.neighbors(3), ElementsAre(0, 2));
}

TEST(Graph, KnowsWhatIsWrong) {
  EXPECT_FALSE((Graph{.index = {2, 1}, .edges = {1}}.valid()));
  EXPECT_FALSE((Graph{.index = {1, 2}, .edges = {1, 2}}.valid()));
  EXPECT_FALSE((Graph{.index = {1, 1}, .edges = {}}.valid()));
  EXPECT_TRUE((Graph{.index = {0, 0}, .edges = {}}.valid()));
}

const SharedMap kInt = basic_map("int", {4}, 4), kDouble = basic_map("double", {8}, 8);

TEST(TypeMap, StructuresArePaddedToTheirAlignment) {
  const SharedMap pair = structure({{0, 1, kDouble}, {8, 1, kInt}});
  EXPECT_EQ(pair->size, 12);
  EXPECT_EQ(pair->extent(), 16);
  EXPECT_EQ(pair->data_end, 12);
  EXPECT_TRUE(pair->dense);
  EXPECT_FALSE(pair->tiles());
  EXPECT_EQ(bounded(pair, 0, 12)->extent(), 12);
}

TEST(TypeMap, NegativeStridesMoveTheBounds) {
  const SharedMap rows = repeated({{0, 2, kInt}}, 3, -16);  // at 0, -16, -32
  EXPECT_EQ(rows->lower, -32);
  EXPECT_EQ(rows->upper, 8);
  EXPECT_EQ(rows->size, 24);
  EXPECT_FALSE(rows->stays_inside());
}

TEST(TypeMap, FixedBoundsAreTakenForGranted) {
  const SharedMap wide = bounded(kInt, -8, 24);
  const SharedMap both = structure({{0, 1, wide}, {40, 1, kDouble}});
  EXPECT_EQ(both->lower, -8);
  EXPECT_EQ(both->upper, 24);
  EXPECT_EQ(both->data_begin, 0);
  EXPECT_EQ(both->data_end, 48);
}

TEST(TypeMap, BlocksWithoutElementsDoNotCount) {
  const SharedMap one = repeated({{-100, 0, kDouble}, {4, 1, kInt}});
  EXPECT_EQ(one->lower, 4);
  EXPECT_EQ(one->upper, 8);
  EXPECT_EQ(repeated({{8, 0, kInt}})->extent(), 0);
  EXPECT_EQ(repeated({{8, 1, kInt}}, 0, 4)->size, 0);
}

TEST(TypeMap, PacksAndUnpacksAnyNumberOfBytes) {
  // Elements at 4, 0, 20, 16 of an extent of 24.
  const SharedMap backwards = repeated({{4, 1, kInt}, {0, 1, kInt}}, 2, 16);
  const std::array<int, 12> memory = {10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21};
  std::array<int, 8> got{};
  pack(*backwards, reinterpret_cast<const char*>(memory.data()), 32, reinterpret_cast<char*>(got.data()));
  EXPECT_THAT(got, ElementsAre(11, 10, 15, 14, 17, 16, 21, 20));
  for (std::size_t elements = 0; elements <= 8; ++elements) {
    std::array<int, 12> back{}, expected{};
    const std::array<std::size_t, 8> places = {1, 0, 5, 4, 7, 6, 11, 10};
    for (std::size_t i = 0; i < elements; ++i) expected[places[i]] = got[i];
    unpack(*backwards, reinterpret_cast<const char*>(got.data()), elements * 4, reinterpret_cast<char*>(back.data()));
    EXPECT_EQ(back, expected) << elements;
  }
}

TEST(TypeMap, PartOfAnArray) {
  // Rows 1 and 2 and columns 1 and 2 of 3 x 4.
  const SharedMap part = part_of_array({3, 4}, {2, 2}, {1, 1}, kInt);
  EXPECT_EQ(part->lower, 0);
  EXPECT_EQ(part->upper, 48);
  std::array<int, 12> memory{};
  std::iota(memory.begin(), memory.end(), 0);
  std::array<int, 4> got{};
  pack(*part, reinterpret_cast<const char*>(memory.data()), 16, reinterpret_cast<char*>(got.data()));
  EXPECT_THAT(got, ElementsAre(5, 6, 9, 10));
}

TEST(TypeMap, RunsOfOneBasicTypeAreJoined) {
  const SharedMap part = part_of_array({3, 4}, {2, 2}, {1, 1}, kInt);
  std::array<char, 48> memory{};
  const std::array<char, 16> data{};
  const auto all = runs(*part, data.data(), 1, memory.data());
  ASSERT_EQ(all.size(), 2);
  EXPECT_EQ(all[0].memory, memory.data() + 20);
  EXPECT_EQ(all[0].count, 2);
  EXPECT_EQ(all[1].packed, data.data() + 8);
  EXPECT_EQ(all[1].basic, kInt->basic);
}

TEST(TypeMap, CountsWholeBasicElements) {
  const SharedMap mixed = structure({{0, 1, kInt}, {8, 2, kDouble}});
  const SharedMap rows = repeated({{0, 2, mixed}}, 2, 64);  // 4 of them, 20 bytes each
  EXPECT_EQ(basic_elements(*rows, 0), 0);
  EXPECT_EQ(basic_elements(*rows, 4), 1);
  EXPECT_EQ(basic_elements(*rows, 12), 2);
  EXPECT_EQ(basic_elements(*rows, 24), 4);
  EXPECT_EQ(basic_elements(*rows, 80), 12);
  EXPECT_EQ(basic_elements(*rows, 92), 14);
  EXPECT_EQ(basic_elements(*rows, 8), std::nullopt);
  EXPECT_EQ(basic_elements(*repeated({}), 0), 0);
  EXPECT_EQ(basic_elements(*repeated({}), 1), std::nullopt);
  EXPECT_EQ(basic_elements(*basic_map("2int", {4, 4}, 4), 4), 1);
}

// Each element of a small array has one owner, and the stretches agree with the definition by indexes.
TEST(DistributedArray, ElementsHaveOneOwner) {
  for (int rows = 1; rows <= 5; ++rows) {
    for (int argument = 0; argument <= 3; ++argument) {
      for (const Distribution kind : {Distribution::kBlock, Distribution::kCyclic}) {
        if (kind == Distribution::kBlock && argument > 0 && argument * 2 < rows) continue;
        std::vector<int> owners(static_cast<std::size_t>(rows) * 6, 0);
        for (int rank = 0; rank < 6; ++rank) {
          const std::vector<int> at = process_coords(rank, {2, 3});
          const DistributedDim row = {rows, kind, argument, 2, at[0]}, column = {6, Distribution::kCyclic, 0, 3, at[1]};
          std::vector<int> expected, got;
          for (int i : owned(row)) {
            for (int j : owned(column)) expected.push_back(i * 6 + j);
          }
          for (const Stretch& stretch : owned_stretches({row, column})) {
            for (int e = 0; e < stretch.length; ++e) got.push_back(stretch.first + e);
          }
          EXPECT_EQ(expected, got);
          for (int e : got) ++owners[e];
        }
        EXPECT_EQ(owners, std::vector<int>(owners.size(), 1));
      }
    }
  }
}

// MPI 4.0, Section 5.1.4: a dimension of 8, cyclic in blocks of 3 over two processes.
TEST(DistributedArray, RunsAreAsLongAsTheyCanBe) {
  EXPECT_THAT(owned_stretches({{8, Distribution::kCyclic, 3, 2, 0}}), ElementsAre(Stretch{0, 3}, Stretch{6, 2}));
  EXPECT_THAT(owned_stretches({{8, Distribution::kCyclic, 3, 2, 1}}), ElementsAre(Stretch{3, 3}));
  EXPECT_THAT(owned_stretches({{2, Distribution::kNone, 0, 1, 0}, {4, Distribution::kNone, 0, 1, 0}}),
              ElementsAre(Stretch{0, 8}));
  EXPECT_THAT(owned_stretches({{2, Distribution::kBlock, 0, 3, 2}}), IsEmpty());
}

TEST(Nodes, WorkedExample) {
  const Nodes nodes = nodes_of({1, 2, 3}, {0, 1, 0});
  EXPECT_THAT(nodes.ranks, ElementsAre(ElementsAre(0, 2), ElementsAre(1)));
  EXPECT_THAT(nodes.leaders, ElementsAre(1, 2, 1));
  EXPECT_THAT(nodes.index, ElementsAre(0, 1, 0));
  EXPECT_THAT(nodes.sizes, ElementsAre(2, 1));
  EXPECT_FALSE(nodes.uniform);
  EXPECT_FALSE(nodes.blocked);
}

TEST(Nodes, BlocksFollowTheOrderOfActors) {
  EXPECT_TRUE(nodes_of({4, 5, 6, 7}, {9, 9, 2, 2}).blocked);
  EXPECT_TRUE(nodes_of({6, 7, 4, 5}, {9, 9, 2, 2}).blocked);
  EXPECT_THAT(nodes_of({6, 7, 4, 5}, {9, 9, 2, 2}).ranks, ElementsAre(ElementsAre(2, 3), ElementsAre(0, 1)));
  EXPECT_FALSE(nodes_of({5, 4, 6, 7}, {9, 9, 2, 2}).blocked) << "rank 1 is the first actor";
  EXPECT_TRUE(nodes_of({5, 4, 6, 7}, {9, 9, 2, 2}).uniform);
  EXPECT_TRUE(nodes_of({7}, {0}).uniform);
}

// Compared with the definitions, over all pairs of ranks.
TEST(Nodes, EqualTheDefinition) {
  std::mt19937 random(20230327);  // NOLINT: the same cases every time
  for (int round = 0; round < 300; ++round) {
    const std::size_t size = 1 + random() % 9;
    std::vector<long> actors(size);
    std::iota(actors.begin(), actors.end(), 1 + static_cast<long>(random() % 5));
    std::shuffle(actors.begin(), actors.end(), random);
    std::vector<int> hosts(size);
    for (int& host : hosts) host = static_cast<int>(random() % 4);
    const Nodes nodes = nodes_of(actors, hosts);
    std::size_t ranks = 0;
    for (std::size_t node = 0; node < nodes.ranks.size(); ++node) {
      ranks += nodes.ranks[node].size();
      EXPECT_EQ(nodes.sizes[node], static_cast<int>(nodes.ranks[node].size()));
    }
    EXPECT_EQ(ranks, size);
    bool uniform = true, blocked = true;
    for (std::size_t a = 0; a < size; ++a) {
      long leader = actors[a], next = 0;
      std::size_t together = 0, next_rank = 0;
      for (std::size_t b = 0; b < size; ++b) {
        if (hosts[b] != hosts[a]) continue;
        ++together;
        leader = std::min(leader, actors[b]);
        if (actors[b] > actors[a] && (next == 0 || actors[b] < next)) next = actors[b], next_rank = b;
      }
      if (next != 0 && next_rank != a + 1) blocked = false;
      if (static_cast<int>(together) != nodes.sizes.front()) uniform = false;
      EXPECT_EQ(nodes.leaders[a], leader);
      const std::vector<int>& node = nodes.ranks.at(static_cast<std::size_t>(nodes.index[a]));
      EXPECT_EQ(node.size(), together);
      EXPECT_THAT(node, ::testing::Contains(static_cast<int>(a)));
    }
    EXPECT_EQ(nodes.uniform, uniform);
    EXPECT_EQ(nodes.blocked, blocked);
  }
}

TEST(Meetings, TheNthCallsMeet) {
  Meetings<int> meetings;
  const std::vector<long> members = {4, 7};
  const std::shared_ptr<int> first = meetings.join(members, 0);
  *first = 11;
  const std::shared_ptr<int> second = meetings.join(members, 0);  // rank 0 is ahead
  *second = 22;
  EXPECT_EQ(meetings.open(), 2U);
  EXPECT_EQ(*meetings.join(members, 1), 11);
  EXPECT_EQ(*meetings.join(members, 1), 22);
  EXPECT_EQ(meetings.open(), 0U);
  EXPECT_EQ(*meetings.join(members, 1), 0);  // the third meeting
}

TEST(Meetings, OfOtherGroupsAreOthers) {
  Meetings<int> meetings;
  *meetings.join({1, 2}, 0) = 1;
  *meetings.join({2, 1}, 0) = 2;
  *meetings.join({1, 2, 3}, 0) = 3;
  EXPECT_EQ(*meetings.join({2, 1}, 1), 2);
  EXPECT_EQ(*meetings.join({1, 2}, 1), 1);
  EXPECT_EQ(meetings.open(), 1U);
}

// A view, byte by byte: the position in the file of each of its bytes.
std::vector<long long> positions(long long displacement, const std::vector<FileStretch>& stretches, long long extent,
                                 long long bytes) {
  std::vector<long long> all;
  for (long long tile = 0; static_cast<long long>(all.size()) < bytes; ++tile) {
    for (const FileStretch& s : stretches) {
      for (long long i = 0; i < s.length; ++i) all.push_back(displacement + tile * extent + s.first + i);
    }
  }
  all.resize(bytes);
  return all;
}

TEST(FileView, TheExampleOfItsHeader) {
  const FileView view(4, {{0, 4}}, 8);
  EXPECT_EQ(view.position(5), 4 + 8 + 1);
  EXPECT_THAT(view.pieces(2, 7), ElementsAre(FilePiece{6, 2}, FilePiece{12, 4}, FilePiece{20, 1}));
  EXPECT_EQ(view.bytes_before(4), 0);
  EXPECT_EQ(view.bytes_before(7), 3);
  EXPECT_EQ(view.bytes_before(10), 4);
  EXPECT_EQ(view.bytes_before(13), 5);
}

TEST(FileView, AllBytesAreOnePiece) {
  EXPECT_THAT(FileView().pieces(7, 1LL << 33), ElementsAre(FilePiece{7, 1LL << 33}));
  EXPECT_THAT(FileView(3, {{0, 4}, {4, 4}}, 8).pieces(1, 100), ElementsAre(FilePiece{4, 100}));
  EXPECT_EQ(FileView().bytes_before(11), 11);
}

TEST(FileView, WithoutBytes) {
  const FileView view(3, {}, 8);
  EXPECT_EQ(view.bytes_per_tile(), 0);
  EXPECT_THAT(view.pieces(0, 5), IsEmpty());
  EXPECT_EQ(view.bytes_before(100), 0);
}

// Compared with the definition, on monotonic filetypes.
TEST(FileView, RandomOnes) {
  constexpr unsigned kSeed = 4711;
  SCOPED_TRACE(kSeed);
  std::mt19937 random(kSeed);
  const auto below = [&](int most) { return static_cast<long long>(random() % static_cast<unsigned>(most)); };
  for (int round = 0; round < 500; ++round) {
    std::vector<FileStretch> stretches;
    long long end = 0;
    for (long long s = 0, number = 1 + below(4); s < number; ++s) {
      stretches.push_back({end + below(3), 1 + below(4)});
      end = stretches.back().first + stretches.back().length;
    }
    const long long displacement = below(5), extent = end + below(4);
    const FileView view(displacement, stretches, extent);
    const std::vector<long long> expected = positions(displacement, stretches, extent, 60);
    for (int b = 0; b < 60; ++b) ASSERT_EQ(view.position(b), expected[b]);
    const long long first = below(30), bytes = below(30);
    std::vector<long long> listed;
    for (const FilePiece& piece : view.pieces(first, bytes)) {
      ASSERT_GT(piece.length, 0);
      for (long long i = 0; i < piece.length; ++i) listed.push_back(piece.at + i);
    }
    ASSERT_EQ(listed, std::vector<long long>(expected.begin() + first, expected.begin() + first + bytes));
    const long long file_end = below(40);
    ASSERT_EQ(view.bytes_before(file_end),
              std::count_if(expected.begin(), expected.end(), [&](long long at) { return at < file_end; }));
  }
}

}  // namespace
}  // namespace strata::mpix
