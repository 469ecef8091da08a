// SPDX-License-Identifier: LGPL-2.1-only
// Monitoring sessions without MPI: their numbers compared with sums in a map of wide integers; the contents of files;
// and that a file appears either complete or not at all. The property checker tests the states of sessions (area
// sessions).
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "base/error.h"
#include "mpi_ext/monitoring/collective_meaning.h"
#include "mpi_ext/monitoring/counters.h"
#include "mpi_ext/monitoring/members.h"
#include "mpi_ext/monitoring/profile_text.h"
#include "mpi_ext/monitoring/session_states.h"
#include "mpi_ext/monitoring/whole_files.h"

namespace strata::mpix::monitoring {
namespace {

namespace fs = std::filesystem;

// --- states ---

TEST(States, AllForACall) {
  Protocol p;
  EXPECT_TRUE(p.all_for(SessionCall::kSuspend).empty());
  p.init();
  for (const int session : {5, 3, 9}) p.start(session);
  p.apply(SessionCall::kSuspend, 5);
  EXPECT_EQ((std::vector<int>{3, 9}), p.all_for(SessionCall::kSuspend));
  EXPECT_EQ((std::vector<int>{5}), p.all_for(SessionCall::kContinue));
  EXPECT_EQ((std::vector<int>{5}), p.all_for(SessionCall::kFree));
  EXPECT_EQ((std::vector<int>{3, 5, 9}), p.sessions());
}

// --- numbers ---

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

TEST(Numbers, EqualSumsInAMap) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    Counters counters;
    std::map<std::pair<int, int>, std::array<unsigned __int128, 2>> sums;
    const int peers = 1 << random() % 12;
    for (int i = 0; i < 2000; ++i) {
      const int peer = static_cast<int>(random() % peers) * (seed % 2 == 0 ? 16384 : 1);
      const int kind = static_cast<int>(random() % kMessageKinds);
      const std::uint64_t bytes = random() >> random() % 64;
      counters.add(static_cast<Kind>(kind), peer, {.messages = 1, .bytes = bytes});
      auto& sum = sums[{peer, kind}];
      sum[0] += 1;
      sum[1] += bytes;
    }
    for (unsigned kinds = 0; kinds < 1U << kMessageKinds; ++kinds) {
      Row expected;
      for (const auto& [at, sum] : sums) {
        if ((kinds >> at.second & 1U) == 0) continue;
        const bool more = sum[1] > kMost;
        expected.entries.push_back(
            {at.first,
             static_cast<Kind>(at.second),
             {static_cast<std::uint64_t>(sum[0]), more ? kMost : static_cast<std::uint64_t>(sum[1]), false, more}});
      }
      ASSERT_EQ(expected, counters.row(kinds));
    }
    counters.clear();
    EXPECT_TRUE(counters.empty());
    EXPECT_EQ(Row{}, counters.row(15));
  }
}

TEST(Numbers, SaturateAndSaySo) {
  Amount a{.messages = 1, .bytes = kMost};
  a.add({.messages = 1, .bytes = 0});
  EXPECT_EQ((Amount{2, kMost, false, false}), a);  // the largest possible number is not an overflow
  a.add({.messages = 1, .bytes = 1});
  EXPECT_EQ((Amount{3, kMost, false, true}), a);
  a.add({.messages = kMost, .bytes = 7});
  EXPECT_EQ((Amount{kMost, kMost, true, true}), a);
  Amount sum;
  sum.add({kMost, 0, true, false});
  EXPECT_EQ((Amount{kMost, 0, true, false}), sum);
}

TEST(Numbers, RowsArriveAsTheyWereSent) {
  Counters counters;
  counters.add(Kind::kExternal, 3, {.messages = 5, .bytes = 40});
  counters.add(Kind::kOneSided, (1 << 24) + 1, {.messages = kMost, .bytes = 1});
  counters.add(Kind::kOneSided, (1 << 24) + 1, {.messages = 1, .bytes = 1});
  counters.add_to_all({.messages = 2, .bytes = kMost});
  counters.add_to_all({.messages = 2, .bytes = 1});
  std::vector<std::uint64_t> numbers;
  pack(counters.row(15), numbers);
  pack(counters.row(0), numbers);
  pack(counters.row(1), numbers);
  std::span<const std::uint64_t> rest = numbers;
  for (const unsigned kinds : {15U, 0U, 1U}) EXPECT_EQ(counters.row(kinds), unpack(rest));
  EXPECT_TRUE(rest.empty());
}

TEST(Numbers, ToAllIsToEveryOther) {
  Counters counters;
  counters.add(Kind::kCollective, 2, {.messages = 1, .bytes = 10});
  counters.add(Kind::kExternal, 1, {.messages = 1, .bytes = 7});
  counters.add_to_all({.messages = 1, .bytes = 100});
  std::vector<std::uint64_t> bytes(4), messages(4);
  for_each_peer(counters.row(15), 1, 4, [&](int peer, const Amount& a) {
    bytes[peer] = a.bytes;
    messages[peer] = a.messages;
  });
  EXPECT_EQ((std::vector<std::uint64_t>{100, 7, 110, 100}), bytes);
  EXPECT_EQ((std::vector<std::uint64_t>{1, 1, 2, 1}), messages);
}

TEST(Members, AreFoundByTheirIds) {
  for (const ProcessId step : {1L, 3L, 1000L, -1L, -5000L}) {
    for (int size = 0; size <= 20; ++size) {
      std::vector<ProcessId> ids;
      for (int r = 0; r < size; ++r) ids.push_back(r % 7 == 3 ? -1 : 100000 + step * r);
      const Members members(ids);
      for (ProcessId id = -10; id<200200; id += id> 0 && id < 95000 ? 1000 : 1) {
        const auto at = std::find(ids.begin(), ids.end(), id);
        const int expected = id < 0 || at == ids.end() ? -1 : static_cast<int>(at - ids.begin());
        ASSERT_EQ(expected, members.rank_of(id)) << id << " of " << size << " by " << step;
      }
    }
  }
}

TEST(Collectives, MeanWhatMpiSaysTheyDo) {
  const auto receivers = [](Meaning meaning, int rank, int size, int root) {
    std::vector<int> result;
    for_each_receiver(meaning, rank, size, root, [&](int r) { result.push_back(r); });
    return result;
  };
  using List = std::vector<int>;
  EXPECT_EQ((List{0, 1, 3}), receivers(Meaning::kFromRoot, 2, 4, 2));
  EXPECT_EQ((List{}), receivers(Meaning::kFromRoot, 1, 4, 2));
  EXPECT_EQ((List{2}), receivers(Meaning::kToRoot, 1, 4, 2));
  EXPECT_EQ((List{}), receivers(Meaning::kToRoot, 2, 4, 2));
  EXPECT_EQ((List{0, 2, 3}), receivers(Meaning::kToAll, 1, 4, 0));
  EXPECT_EQ((List{2, 3}), receivers(Meaning::kToLater, 1, 4, 0));
  for (const Meaning m : {Meaning::kFromRoot, Meaning::kToRoot, Meaning::kToAll, Meaning::kToLater})
    EXPECT_EQ((List{}), receivers(m, 0, 1, 0));
}

// --- files ---

TEST(Profile, HasOpenMpisLines) {
  Counters counters;
  counters.add(Kind::kExternal, 1, {.messages = 27, .bytes = 108});
  counters.add(Kind::kInternal, 0, {.messages = 1, .bytes = 0});
  counters.add(Kind::kOneSided, 2, {.messages = 2, .bytes = kMost});
  counters.add_to_all({.messages = 3, .bytes = 12});
  std::string text;
  append_profile(text, counters.row(15), 2, 3);
  EXPECT_EQ(
      "E\t2\t1\t108 bytes\t27 msgs sent\n"
      "I\t2\t0\t0 bytes\t1 msgs sent\n"
      "C\t2\t0\t12 bytes\t3 msgs sent\n"
      "C\t2\t1\t12 bytes\t3 msgs sent\n"
      "S\t2\t2\t18446744073709551615 bytes\t2 msgs sent\n",
      text);
}

class Files : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = fs::path(std::getenv("TEST_TMPDIR")) / "filesXXXXXX";
    folder_ = ::mkdtemp(pattern.data());
  }
  void TearDown() override { fs::remove_all(folder_); }
  static std::string read(const fs::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::vector<std::string> listing() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
  }
  fs::path folder_;
};

TEST_F(Files, TakeTheirPlacesTogether) {
  std::ofstream(folder_ / "a") << "old";
  WholeFiles files;
  files.write(folder_ / "a", "new");
  files.write(folder_ / "b", std::string(100000, 'x'));
  EXPECT_EQ("old", read(folder_ / "a"));
  files.keep();
  EXPECT_EQ("new", read(folder_ / "a"));
  EXPECT_EQ(std::string(100000, 'x'), read(folder_ / "b"));
  EXPECT_EQ((std::vector<std::string>{"a", "b"}), listing());
}

TEST_F(Files, AreNotThereWhereTheyAreNotKept) {
  std::ofstream(folder_ / "a") << "old";
  {
    WholeFiles files;
    files.write(folder_ / "a", "new");
  }
  EXPECT_EQ("old", read(folder_ / "a"));
  EXPECT_EQ((std::vector<std::string>{"a"}), listing());
}

std::string error_of(const fs::path& file) {
  WholeFiles files;
  try {
    files.write(file, "text");
  } catch (const InputError& e) {
    return e.what();
  }
  return "none";
}

TEST_F(Files, ADiskWithoutRoom) {
  std::ofstream(folder_ / "a") << "old";
  fs::create_symlink("/dev/full", folder_ / "a.new");
  EXPECT_EQ(
      (folder_ / "a").string() +
          ": cannot be written: No space left on device; name a file in a folder that exists, is writable and has "
          "space",
      error_of(folder_ / "a"));
  EXPECT_EQ("old", read(folder_ / "a"));
  EXPECT_EQ((std::vector<std::string>{"a"}), listing());
}

TEST_F(Files, AFolderThatIsNotThereOrInTheWay) {
  EXPECT_NE(std::string::npos, error_of(folder_ / "no" / "a").find("No such file or directory"));
  EXPECT_NE(std::string::npos, error_of(folder_).find("Is a directory"));
  EXPECT_NE(std::string::npos, error_of("/dev/full/a").find("Not a directory"));
}

}  // namespace
}  // namespace strata::mpix::monitoring
