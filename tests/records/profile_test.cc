// SPDX-License-Identifier: LGPL-2.1-only
// Profiles: the exact text of a small profile, which tests/schemas validates; random profiles written and read back;
// damaged profiles refused.
#include "records/profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <sstream>
#include <string>

#include "base/error.h"
#include "tests/process/process.h"

namespace strata {
namespace {

using ::testing::HasSubstr;

constexpr const char* kGolden = "tests/records/golden/profile.json";

std::string text_of(const Profile& profile) {
  std::ostringstream out;
  write_profile(out, profile);
  return out.str();
}

Profile small() {
  return {.simulated_time = 0.1 + 0.2,  // needs all 17 digits
          .ranks = {{0.1, 0.1, 0.1, 0.1 + 0.2}, {0.25, 0, 0, 0.25}},
          .calls = {{"MPI_Recv", 12, 0.2, 0.1}, {"MPI_Wtime", 3, 0, 0}},
          .endings = {{1, Ending::How::kReturn, 3},
                      {0, Ending::How::kAbort, -1},
                      {0, Ending::How::kDeadlock, 0, "MPI_Wait", {{true, 1, 7}, {false, -1, -1}}}}};
}

TEST(Profile, IsThisText) { EXPECT_EQ(read_text(kGolden), text_of(small())); }

TEST(Profile, IsReadAsItWasWritten) {
  EXPECT_EQ(small(), read_profile(kGolden));
  std::mt19937_64 random(1);
  const auto seconds = [&] { return std::uniform_real_distribution<double>(0, 1e3)(random); };
  Profile profile;
  profile.simulated_time = seconds();
  for (int rank = 0; rank < 4096; ++rank) profile.ranks.push_back({seconds(), seconds(), seconds(), seconds()});
  profile.calls = {{"MPI_Allreduce", 1L << 40, seconds(), seconds()}};
  for (const auto how : {Ending::How::kAbort, Ending::How::kDeadlock, Ending::How::kExit, Ending::How::kReturn,
                         Ending::How::kUnfinalized}) {
    profile.endings.push_back({.rank = static_cast<int>(random() % 4096), .how = how, .code = 77});
  }
  const TemporaryFolder folder;
  EXPECT_EQ(profile, read_profile(folder.write("profile.json", text_of(profile))));
}

TEST(Profile, IsRefusedIfDamaged) {
  const std::string whole = text_of(small());
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& text) {
    const std::string file = folder.write("damaged.json", text);
    try {
      read_profile(file);
      ADD_FAILURE() << "accepted: " << text;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(file + ": is not a profile of schema strata.profile/1; "));
    }
  };
  const auto without = [&](const std::string& part, const std::string& instead) {
    std::string text = whole;
    EXPECT_NE(std::string::npos, text.find(part)) << part;
    return text.replace(text.find(part), part.size(), instead);
  };
  refused("");
  refused("[]");
  refused(whole.substr(0, whole.size() / 2));
  refused(without("profile/1", "profile/2"));
  refused(without("\"unit\":\"s\"", "\"unit\":\"ms\""));
  refused(without("\"waiting\":[0.1,0.0]", "\"waiting\":[0.1]"));
  refused(without("\"waiting\":[0.1,0.0]", "\"waiting\":0.1"));
  refused(without("\"how\":\"return\"", "\"how\":\"fell asleep\""));
  refused(without("\"count\":12", "\"count\":null"));
  EXPECT_THROW(read_profile("/nonexistent/profile.json"), InputError);
}

}  // namespace
}  // namespace strata
