// SPDX-License-Identifier: LGPL-2.1-only
// The vectors are those of the hash's authors: draft-eastlake-fnv, "FNV Test Vectors".
#include "base/fnv.h"

#include <gtest/gtest.h>

namespace strata {
namespace {

TEST(Fnv, HasTheValuesOfItsAuthors) {
  EXPECT_EQ(fnv1a(""), 0xcbf29ce484222325U);
  EXPECT_EQ(fnv1a("a"), 0xaf63dc4c8601ec8cU);
  EXPECT_EQ(fnv1a("foobar"), 0x85944171f73967e8U);
}

TEST(Fnv, GoesOnFromAnEarlierText) { EXPECT_EQ(fnv1a("bar", fnv1a("foo")), fnv1a("foobar")); }

// 0xff is a byte and not a negative number: (basis ^ 0xff) * prime.
TEST(Fnv, TakesBytesWithoutSign) { EXPECT_EQ(fnv1a("\xff"), 0xaf64724c8602eb6eU); }

}  // namespace
}  // namespace strata
