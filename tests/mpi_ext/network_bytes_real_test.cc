// SPDX-License-Identifier: LGPL-2.1-only
// The kernel's counters of network cards, as files in a folder like /sys/class/infiniband.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "mpi_ext/adapter/network_bytes.h"

namespace strata::mpix {
namespace {

namespace fs = std::filesystem;

class Cards : public ::testing::Test {
 protected:
  Cards() : folder_(fs::path(std::getenv("TEST_TMPDIR")) / "infiniband") {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void port(const std::string& card, int number, const std::string& sent, const std::string& received) const {
    const fs::path counters = folder_ / card / "ports" / std::to_string(number) / "counters";
    fs::create_directories(counters);
    std::ofstream(counters / "port_xmit_data") << sent << "\n";
    std::ofstream(counters / "port_rcv_data") << received << "\n";
  }

  fs::path folder_;
};

TEST_F(Cards, CountWordsOfFourBytesOfAllPorts) {
  port("mlx5_0", 1, "1000", "1");
  port("mlx5_0", 2, "0", "20");
  port("hfi1_0", 1, "4611686018427387", "300");
  const auto sum = read_card_counters(folder_);
  ASSERT_TRUE(sum);
  EXPECT_EQ(sum->sent, 4 * 4611686018428387.0);
  EXPECT_EQ(sum->received, 4 * 321);
}

TEST_F(Cards, APortThatDoesNotCountIsLeftOut) {
  EXPECT_FALSE(read_card_counters(folder_)) << "no card";
  EXPECT_FALSE(read_card_counters(folder_ / "none"));
  fs::create_directories(folder_ / "mlx4_0");
  EXPECT_FALSE(read_card_counters(folder_)) << "a card without ports";
  port("mlx4_0", 1, "N/A (no PMA)", "N/A (no PMA)");
  EXPECT_FALSE(read_card_counters(folder_));
  port("mlx4_0", 2, "5", "6");
  ASSERT_TRUE(read_card_counters(folder_));
  EXPECT_EQ(read_card_counters(folder_)->sent, 20);
  EXPECT_EQ(read_card_counters(folder_)->received, 24);
}

}  // namespace
}  // namespace strata::mpix
