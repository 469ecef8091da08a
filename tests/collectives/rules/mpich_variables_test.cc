// SPDX-License-Identifier: LGPL-2.1-only
// The variables that keep MPICH's device from composing collectives.
#include "collectives/rules/mpich_variables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iterator>
#include <map>

#include "base/error.h"

namespace strata::collectives {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Variables = std::map<std::string, std::string>;

std::set<Operation> with(const Variables& variables) {
  return not_composed([&](const char* name) -> const char* {
    const auto at = variables.find(name);
    return at == variables.end() ? nullptr : at->second.c_str();
  });
}

TEST(MpichVariables, TurnOneCollectiveOff) {
  EXPECT_THAT(with({}), IsEmpty());
  EXPECT_THAT(with({{"MPIR_CVAR_BCAST_DEVICE_COLLECTIVE", "0"}}), ElementsAre(Operation::kBcast));
  EXPECT_THAT(with({{"MPIR_CVAR_REDUCE_SCATTER_BLOCK_DEVICE_COLLECTIVE", "off"}}),
              ElementsAre(Operation::kReduceScatterBlock));
  EXPECT_THAT(with({{"MPIR_CVAR_BCAST_DEVICE_COLLECTIVE", "yes"}}), IsEmpty());
}

TEST(MpichVariables, OrAll) {
  EXPECT_EQ(with({{"MPIR_CVAR_DEVICE_COLLECTIVES", "none"}}).size(), std::size(kOperations));
  EXPECT_THAT(with({{"MPIR_CVAR_DEVICE_COLLECTIVES", "all"}, {"MPIR_CVAR_BCAST_DEVICE_COLLECTIVE", "0"}}), IsEmpty());
  EXPECT_THAT(with({{"MPIR_CVAR_DEVICE_COLLECTIVES", "percoll"}, {"MPIR_CVAR_SCAN_DEVICE_COLLECTIVE", "NO"}}),
              ElementsAre(Operation::kScan));
}

TEST(MpichVariables, RefusesOtherValues) {
  EXPECT_THROW(with({{"MPIR_CVAR_BCAST_DEVICE_COLLECTIVE", "never"}}), InputError);
  EXPECT_THROW(with({{"MPIR_CVAR_DEVICE_COLLECTIVES", "some"}}), InputError);
}

}  // namespace
}  // namespace strata::collectives
