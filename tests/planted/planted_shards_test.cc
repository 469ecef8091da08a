// SPDX-License-Identifier: LGPL-2.1-only
// Shards find a planted mistake like the unsharded check: with the same counts, and the same key of the
// counter-example.
#include <gtest/gtest.h>
#include <re2/re2.h>

#include <string>
#include <utility>

#include "tests/process/process.h"

namespace strata {
namespace {

// The output without the wall time.
std::string output_of(const Ran& ran) {
  std::string out = ran.out;
  RE2::GlobalReplace(&out, "; [0-9.]+ s\n", "\n");
  return out;
}

TEST(PlantedShards, AddUpToTheUnshardedCheck) {
  for (const auto& [mistake, area] :
       {std::pair("colour_off_by_one", "hsplit"), std::pair("periods_forgotten", "nodecart")}) {
    const std::string program = built(std::string("tests/planted/check_") + mistake);
    const Ran whole = Process({program, area, "--quick"}).wait();
    ASSERT_EQ(whole.code, 1) << whole.err;
    EXPECT_NE(whole.out.find("again:"), std::string::npos);
    for (const char* shards : {"2", "5"}) {
      const Ran parts = Process({program, area, "--quick", "--in-shards", shards}).wait();
      EXPECT_EQ(parts.code, 1) << parts.err;
      EXPECT_EQ(output_of(parts), output_of(whole));
    }
  }
}

}  // namespace
}  // namespace strata
