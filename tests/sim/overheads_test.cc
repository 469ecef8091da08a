// SPDX-License-Identifier: LGPL-2.1-only
// strata model --fit measures the overheads of messages: it recovers those of machines with random figures.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "tests/sim/unit_machine.h"

namespace strata {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::ordered_json;

// A level, or a segment of it: from which size on (B), figures in ns, and whether it states a receive overhead.
struct Figures {
  std::string level;
  int from;
  int latency, overhead, receive;
  bool states_receive;
};

constexpr const char* kLevels[] = {"System - Cluster", "NUMANode", "L3"};

std::string text_of(const Figures& f) {
  std::string text = fmt::format(
      "latency: {{value: {}, unit: ns, source: measured}}, overhead: {{value: {}, unit: ns, source: measured}}, "
      "bandwidth: {{value: 1, unit: GB/s, source: measured}}",
      f.latency, f.overhead);
  if (f.states_receive) text += fmt::format(", receive_overhead: {{value: {}, unit: ns, source: measured}}", f.receive);
  return text;
}

// The unit machine with other figures at its levels. They are in the order of the levels and of their segments.
std::string machine_of(const std::vector<Figures>& all) {
  std::string text = unit_machine();
  text.erase(text.find("    - {level: "));
  for (const char* level : kLevels) {
    std::string own, segments;
    for (const Figures& f : all) {
      if (f.level != level) continue;
      if (f.from == 0) own = text_of(f);
      if (f.from > 0)
        segments += fmt::format("{{from: {{value: {}, unit: B, source: measured}}, {}}}, ", f.from, text_of(f));
    }
    text += fmt::format(
        "    - {{level: {}, link_bandwidth: {{value: 1, unit: GB/s, source: measured}}, {}, segments: [{}]}}\n", level,
        own, segments);
  }
  return text;
}

std::vector<Figures> random_figures(unsigned seed) {
  std::mt19937 random(seed);
  const auto between = [&](int from, int to) { return std::uniform_int_distribution<int>(from, to)(random); };
  std::vector<Figures> all;
  for (const char* level : kLevels) {
    int from = 0, of_level = 0;
    for (int segments = between(0, 3); segments >= 0; --segments) {
      const int latency = between(10, 5000), overhead = between(0, latency), rest = latency - overhead;
      const bool states = between(1, 3) > 1;
      // Without its own, a segment has the level's, as far as its latency has room for it.
      const int receive = states ? between(0, rest) : std::min(of_level, rest);
      if (from == 0) of_level = receive;
      all.push_back({level, from, latency, overhead, receive, states});
      from += between(10, 3000);  // on both sides of the eager limit
    }
  }
  return all;
}

class Overheads : public UnitMachine {
 protected:
  Ran fit(const std::string& machine, const std::vector<std::string>& also = {}) {
    std::vector<std::string> words = {"model", "--machine", folder_.write("machine.yaml", machine), "--fit"};
    words.insert(words.end(), also.begin(), also.end());
    return run_strata(words);
  }
};

TEST_F(Overheads, FitGivesRandomOnesBack) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::vector<Figures> all = random_figures(seed);
    const Ran ran = fit(machine_of(all), {"--json"});
    ASSERT_EQ(ran.code, 0) << ran.err << machine_of(all);
    const Json document = Json::parse(ran.out);
    EXPECT_TRUE(document["agree"]);
    std::erase_if(all, [](const Figures& f) { return f.overhead == 0 && f.receive == 0; });
    ASSERT_EQ(document["overheads"].size(), all.size());
    for (size_t i = 0; i < all.size(); ++i) {
      const Json& row = document["overheads"][i];
      EXPECT_EQ(row["level"], all[i].level);
      EXPECT_EQ(row["from_bytes"], all[i].from);
      EXPECT_NEAR(row["machine_send_s"].get<double>(), all[i].overhead * 1e-9, 1e-15);
      EXPECT_NEAR(row["machine_receive_s"].get<double>(), all[i].receive * 1e-9, 1e-15);
      EXPECT_NEAR(row["send_s"].get<double>(), all[i].overhead * 1e-9, 1e-12);
      EXPECT_NEAR(row["receive_s"].get<double>(), all[i].receive * 1e-9, 1e-12);
    }
  }
}

TEST_F(Overheads, TheTableHasThemOnlyWhereMessagesKeepCoresBusy) {
  std::vector<Figures> all;
  for (const char* level : kLevels) all.push_back({level, 0, 1000, 0, 0, false});
  EXPECT_THAT(fit(machine_of(all)).out, Not(HasSubstr("overhead")));
  EXPECT_FALSE(Json::parse(fit(machine_of(all), {"--json"}).out).contains("overheads"));
  all.push_back({"L3", 1000, 1000, 250, 500, true});
  const Ran ran = fit(machine_of(all));
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out,
              HasSubstr("\noverhead                       send us     machine     diff    receive us       machine     "
                        "diff\nL3, from 1000 B                 0.2500      0.2500"));
}

}  // namespace
}  // namespace strata
