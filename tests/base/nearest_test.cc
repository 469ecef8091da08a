// SPDX-License-Identifier: LGPL-2.1-only
// base/nearest.h: examples, and the distance against its definition by breadth-first search.
#include "base/nearest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <queue>
#include <string>
#include <utility>
#include <vector>

namespace strata {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::vector<std::string> kMachines = {"archer2", "ntw10e5", "ntw10e5-cod-off", "ntw24e5", "theta"};

TEST(Nearest, WrongLettersFoldersAndBeginnings) {
  EXPECT_THAT(nearest("ntw10e55", kMachines), ElementsAre("ntw10e5"));
  EXPECT_THAT(nearest("NTW10E5", kMachines), IsEmpty());
  EXPECT_THAT(nearest("ntw", kMachines), ElementsAre("ntw10e5", "ntw10e5-cod-off", "ntw24e5"));
  EXPECT_THAT(nearest("th", kMachines), IsEmpty());
  EXPECT_THAT(nearest("teta", kMachines), ElementsAre("theta"));
  EXPECT_THAT(nearest("tata", kMachines), IsEmpty()) << "two edits of four letters";
  EXPECT_THAT(nearest("", kMachines), IsEmpty());
  EXPECT_THAT(nearest("rnu", {"report", "run"}), ElementsAre("run")) << "two letters are exchanged";
  EXPECT_THAT(nearest("--", {"--list", "--np"}), IsEmpty());
  EXPECT_THAT(nearest("--lst", {"--list", "--out", "--set"}), ElementsAre("--list"));
  EXPECT_THAT(nearest("-mach", {"--machine", "--match"}), ElementsAre("--machine", "--match"));
  EXPECT_THAT(nearest("--n", {"--np", "--xml"}), ElementsAre("--np"));
  EXPECT_THAT(nearest("fig5-bcast", {"pdsec20/fig5-bcast", "rr9077/fig5-bcast-ntw10e5", "rr9077/fig6-bcast-ntw10e5"}),
              ElementsAre("pdsec20/fig5-bcast", "rr9077/fig5-bcast-ntw10e5"));
  EXPECT_THAT(nearest("xaaaa", {"aaaa4", "aaaa", "aaaa2", "aaaa1", "aaaa3"}), ElementsAre("aaaa", "aaaa1", "aaaa2"));
}

TEST(Nearest, Question) {
  EXPECT_EQ(did_you_mean("ntw10e55", kMachines), "did you mean ntw10e5?");
  EXPECT_EQ(did_you_mean("ntw2", kMachines), "did you mean ntw24e5?");
  EXPECT_EQ(did_you_mean("ntw1", kMachines), "did you mean ntw10e5 or ntw10e5-cod-off?");
  EXPECT_EQ(did_you_mean("summit", kMachines), "");
}

// All words of at most three letters, each with the fewest edits that lead to it, by breadth-first search.
std::map<std::string, int> edits_from(const std::string& word) {
  constexpr const char* kLetters = "abc";
  constexpr std::size_t kLongest = 4;  // one more than is compared, so that a way may lead through a longer word
  std::map<std::string, int> distance = {{word, 0}};
  std::queue<std::string> found;
  found.push(word);
  while (!found.empty()) {
    const std::string from = found.front();
    found.pop();
    std::vector<std::string> next;
    for (std::size_t i = 0; i <= from.size(); ++i) {
      if (i < from.size()) next.push_back(from.substr(0, i) + from.substr(i + 1));
      for (const char* letter = kLetters; *letter != 0; ++letter) {
        if (from.size() < kLongest) next.push_back(from.substr(0, i) + *letter + from.substr(i));
        if (i < from.size()) next.push_back(from.substr(0, i) + *letter + from.substr(i + 1));
      }
      if (i + 1 < from.size()) {
        next.push_back(from);
        std::swap(next.back()[i], next.back()[i + 1]);
      }
    }
    for (const std::string& to : next) {
      if (distance.emplace(to, distance[from] + 1).second) found.push(to);
    }
  }
  return distance;
}

TEST(EditDistance, OfAllShortWords) {
  int pairs = 0;
  for (const auto& [a, ignored] : edits_from("")) {
    if (a.size() > 3) continue;
    for (const auto& [b, edits] : edits_from(a)) {
      if (b.size() > 3) continue;
      EXPECT_EQ(edit_distance(a, b), edits) << "'" << a << "' and '" << b << "'";
      ++pairs;
    }
  }
  EXPECT_EQ(pairs, 40 * 40);
}

}  // namespace
}  // namespace strata
