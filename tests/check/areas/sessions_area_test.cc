// SPDX-License-Identifier: LGPL-2.1-only
// The area sessions: its counts, keys and drawings, and a violation of every property by wrong outcomes.
#include "check/areas/sessions_area.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "tests/check/areas/area_checks.h"

namespace strata::check {
namespace {

TEST(SessionsArea, HoldsOnAllCasesOfTheQuickBounds) {
  const AreaResult r = testing::explore_quickly(*sessions_area());
  EXPECT_EQ(r.bounds.text(), "calls 6, sessions 2");
  EXPECT_EQ(r.cases, 53'750);
  EXPECT_EQ(r.distinct, 26'881);
  EXPECT_EQ(r.random_cases, 1000);
  EXPECT_EQ(testing::asked_of_some(r), (std::map<std::string, long>{{"independent", 16'241},
                                                                    {"kinds", 53'192},
                                                                    {"peers", 53'192},
                                                                    {"recorded", 53'192},
                                                                    {"reset", 1'940},
                                                                    {"rows", 53'192},
                                                                    {"some-9001", 295},
                                                                    {"some-9002", 2'845},
                                                                    {"some-9003", 12'123},
                                                                    {"some-9004", 9'949},
                                                                    {"some-9005", 747},
                                                                    {"some-9006", 2'639},
                                                                    {"some-full", 1'671},
                                                                    {"some-overlap", 3'976},
                                                                    {"some-went-on", 2'922},
                                                                    {"suspended", 16'434},
                                                                    {"verdict-order", 277}}));
}

TEST(SessionsArea, KeysAreReadBack) {
  const auto area = sessions_area();
  testing::expect_keys_read_back(*area, testing::some_keys(*area, 53'750, 1000, 40), read_session_key, session_key);
  EXPECT_EQ(read_session_key("i.s1.m16.f"), (SessionCase{{'i', 0}, {'s', 1}, {'m', 16}, {'f', 0}}));
  EXPECT_EQ(area->smaller("i.s1"), (std::vector<std::string>{"s1", "i", "s1", "i"}));
  EXPECT_EQ(area->smaller("i"), std::vector<std::string>{"nothing"});
}

TEST(SessionsArea, RefusesKeysThatAreNone) {
  const auto refused = [](const std::string& key) { return testing::refusal(read_session_key, key); };
  EXPECT_EQ(refused("i.s1.s5"),
            "case 'i.s1.s5', character 6: not s and a number from 1 to 4; a case is calls with dots between, such as "
            "'i.s1.m3.u1.d1'");
  EXPECT_EQ(refused("i.s1.x1.s1"),
            "case 'i.s1.x1.s1', character 9: session 1 starts again; a case is calls with dots between, such as "
            "'i.s1.m3.u1.d1'");
  for (const char* key : {"", "i.", "i1", "q1", "s", "s01", "m17", "i..f", "i,f"}) {
    EXPECT_TRUE(refused(key).starts_with("case '" + std::string(key) + "', character ")) << refused(key);
  }
}

TEST(SessionsArea, DrawsCallsWithWhatTheyAreTold) {
  EXPECT_EQ(sessions_area()->draw("i.s1.m3.u1.m1.u1.f").text,
            "   1. init                                      fine\n"
            "   2. start of session 1                        fine\n"
            "   3. message of 10 B to process 3              active: 1\n"
            "   4. suspend of session 1                      fine\n"
            "   5. message of 10 B to process 1              no session is active\n"
            "   6. suspend of session 1                      refused: 9005\n"
            "   7. finalize                                  refused: 9006\n"
            "      session 1 has 1 x 10 B to process 3\n");
}

// Two sessions with data of every kind, one active and one reset, and calls refused for each possible reason.
constexpr const char* kCase = "u1.i.i.s1.s2.m3.o3.h3.h3.a1.m1.u1.u1.d1.d2.x3.r2.u2.r2.f.m3";

TEST(SessionProperties, EveryMistakeViolatesOneAndEachIsViolated) {
  const auto properties = session_properties();
  const SessionCase c = read_session_key(kCase);
  const SessionOutcome right = session_outcome(c);
  EXPECT_EQ(testing::violated_by(properties, c, right), std::set<std::string>{});
  ASSERT_EQ(right.data.size(), 2U);
  std::set<std::string> violated;
  const auto change = [&](const std::string& property, const std::function<void(SessionOutcome&)>& make) {
    SessionOutcome wrong = right;
    make(wrong);
    const auto names = testing::violated_by(properties, c, wrong);
    EXPECT_TRUE(names.contains(property)) << property;
    violated.insert(names.begin(), names.end());
  };
  for (size_t i = 0; i < c.size(); ++i) {
    if (!is_sent(c[i].what)) change("verdict", [&](SessionOutcome& o) { o.told[i] = o.told[i] == 0 ? 9003 : 0; });
  }
  change("verdict-order", [](SessionOutcome& o) { o.told[0] = 9003; });
  change("states", [](SessionOutcome& o) { o.there.pop_back(); });
  change("states", [](SessionOutcome& o) { o.active[1] = true; });
  for (size_t call = 0; call < right.all_for.size(); ++call) {
    change("all-for", [&](SessionOutcome& o) { o.all_for[call].push_back(3); });
  }
  const mpix::Amount more = {.messages = 1, .bytes = 1};
  for (const char* property : {"recorded", "suspended", "independent", "rows"}) {
    change(property, [&](SessionOutcome& o) { o.data[1].row.entries[0].amount.add(more); });
  }
  change("recorded", [&](SessionOutcome& o) { o.data[1].row.to_all.add(more); });
  change("recorded", [&](SessionOutcome& o) { o.data[1].row.entries.pop_back(); });
  change("reset", [&](SessionOutcome& o) { o.data[2].row.to_all.add(more); });
  change("independent", [](SessionOutcome& o) { o.told_alone[1].push_back(0); });
  for (int kind = 0; kind < kMessageKinds; ++kind) {
    change("kinds", [&](SessionOutcome& o) {
      o.data[1].of_kind[kind].entries.push_back({3, static_cast<mpix::Kind>(kind), more});
    });
  }
  change("rows", [&](SessionOutcome& o) { o.data[1].unpacked.to_all.more_bytes = true; });
  change("peers", [&](SessionOutcome& o) { o.data[1].of_peer.begin()->second.add(more); });
  change("peers", [](SessionOutcome& o) { o.data[1].of_peer.erase(o.data[1].of_peer.begin()); });
  EXPECT_EQ(violated, testing::names_of_always(properties));
}

}  // namespace
}  // namespace strata::check
