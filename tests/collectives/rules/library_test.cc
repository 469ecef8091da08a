// SPDX-License-Identifier: LGPL-2.1-only
#include "collectives/rules/library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/error.h"
#include "collectives/operation.h"
#include "collectives/rules/openmpi_algorithms.h"
#include "collectives/rules/tuned_file.h"

namespace strata::collectives {
namespace {

TEST(Library, IsParsed) {
  EXPECT_EQ(parse_library("openmpi-4.1.4", "--mpi"), (Library{Library::Family::kOpenMpi, 4, 1, 4}));
  EXPECT_EQ(parse_library("openmpi-4.1", "--mpi"), kOpenMpi41);
  EXPECT_EQ(parse_library("mpich-4.0.2", "--mpi"), (Library{Library::Family::kMpich, 4, 0, 2}));
  EXPECT_EQ(title_of(parse_library("mpich-4.2", "--mpi")), "MPICH 4.2.3");
  for (const char* wrong : {"", "openmpi", "openmpi-", "openmpi-4", "openmpi-4.1.", "openmpi-4.1.4.1", "openmpi-3.1",
                            "openmpi-4.x", "mpich-3.4", "impi-2021.1", "openmpi-4.-1"}) {
    try {
      parse_library(wrong, "--mpi");
      FAIL() << wrong;
    } catch (const InputError& e) {
      EXPECT_EQ(std::string(e.what()),
                "--mpi: '" + std::string(wrong) +
                    "' is not a library whose rules are known; write one of openmpi-4.1, "
                    "openmpi-5.0, openmpi-6.0, mpich-4.0, mpich-4.1, mpich-4.2, mpich-4.3, mpich-5.0");
    }
  }
}

// The header of version 2 came with 4.1.8 and 5.0.7.
TEST(Library, KnowsVersion2) {
  EXPECT_FALSE(knows_version_2({Library::Family::kOpenMpi, 4, 1, 7}));
  EXPECT_TRUE(knows_version_2({Library::Family::kOpenMpi, 4, 1, 8}));
  EXPECT_FALSE(knows_version_2({Library::Family::kOpenMpi, 5, 0, 6}));
  EXPECT_TRUE(knows_version_2({Library::Family::kOpenMpi, 5, 0, 7}));
  EXPECT_TRUE(knows_version_2(kOpenMpi60));
}

TEST(Operation, HasOpenMpisIds) {
  EXPECT_EQ(openmpi_id(Operation::kAllgather), 0);
  EXPECT_EQ(openmpi_id(Operation::kAllreduce), 2);
  EXPECT_EQ(openmpi_id(Operation::kAlltoallv), 4);
  EXPECT_EQ(openmpi_id(Operation::kBarrier), 6);
  EXPECT_EQ(openmpi_id(Operation::kBcast), 7);
  EXPECT_EQ(openmpi_id(Operation::kReduceScatterBlock), 13);
  EXPECT_EQ(openmpi_id(Operation::kScatter), 15);
  EXPECT_EQ(openmpi_id("neighbor_alltoallw"), 21);
  EXPECT_EQ(openmpi_id("gather_v"), -1);
  EXPECT_FALSE(find_operation("gatherv").has_value());
  for (const auto& [operation, name] : kOperations) EXPECT_EQ(find_operation(name), operation);
}

TEST(Algorithms, DependOnTheVersion) {
  EXPECT_STREQ(tuned_algorithms(Operation::kBcast, kOpenMpi41)[6], "binomial");
  EXPECT_EQ(tuned_algorithms(Operation::kAllgather, kOpenMpi41).size(), 7U);
  EXPECT_STREQ(tuned_algorithms(Operation::kAllgather, kOpenMpi50)[7], "sparbit");
  EXPECT_STREQ(tuned_algorithms(Operation::kAllgather, kOpenMpi50)[2], "bruck");
  EXPECT_STREQ(tuned_algorithms(Operation::kAllgather, kOpenMpi60)[2], "bruck-k-fanout");
  EXPECT_EQ(tuned_algorithms(Operation::kReduce, kOpenMpi50).size(), 8U);
  EXPECT_EQ(number_of(tuned_algorithms(Operation::kReduce, kOpenMpi60), "knomial"), 8);
  EXPECT_EQ(number_of(tuned_algorithms(Operation::kReduce, kOpenMpi50), "knomial"), std::nullopt);
  for (const auto& [operation, name] : kOperations)
    EXPECT_FALSE(tuned_algorithms(operation, kOpenMpi41).empty()) << name;
  EXPECT_TRUE(han_algorithms(Operation::kBcast, kOpenMpi41).empty());
  EXPECT_STREQ(han_algorithms(Operation::kBcast, kOpenMpi50)[2], "simple");
  EXPECT_TRUE(han_algorithms(Operation::kScan, kOpenMpi50).empty());
}

}  // namespace
}  // namespace strata::collectives
