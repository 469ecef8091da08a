// SPDX-License-Identifier: LGPL-2.1-only
// What MPI's own functions do besides sending: collectives combine operands and copy blocks, and a synchronous send
// waits for its acknowledgement. Times follow by hand on the unit machine (unit_machine.h): an eager message occupies
// its sender for 1 us, its whole latency, and takes 1 ns per byte.
#include <gtest/gtest.h>

#include <string>

#include "tests/sim/unit_machine.h"

namespace strata {
namespace {

constexpr double kUs = 1e-6;
constexpr double kBytes = 8000, kEager = 800;  // B
constexpr double kEnvelope = 16;               // B
constexpr double kTime = 1e-12;                // s: SimGrid's precision

class OwnWork : public UnitMachine {
 protected:
  // The time at which a rank is done.
  double time_of(const std::string& call, int rank, int ranks = 2, double bytes = kBytes,
                 const std::string& more = "") {
    const auto values = run(built("tests/sim/own_work.so"), ranks, "call: [" + call + "]",
                            "arguments: [--bytes, " + std::to_string(static_cast<int>(bytes)) + more + "]\n");
    EXPECT_EQ(ran_.code, 0) << ran_.err;
    double time_s = 0;
    for (const auto& [point, value] : values.at("time")) {
      if (point.back() == static_cast<char>('0' + rank)) time_s = value;
    }
    return time_s;
  }

  // How much longer the call takes on a machine whose cores combine, or copy, at half the rate: its combinations and
  // copies on the way to the end of rank 0, in times of one of kBytes.
  double work(const std::string& rate, const std::string& call, int ranks = 2) {
    folder_.write("machine.yaml", with("combine_bandwidth", 1, with("copy_bandwidth", 1, unit_machine())));
    const double fast = time_of(call, 0, ranks);
    folder_.write("machine.yaml", with(rate, 0.5, read_text(folder_.path() / "machine.yaml")));
    return (time_of(call, 0, ranks) - fast) / (kBytes * kNs);
  }

 private:
  static std::string with(const std::string& rate, double value, std::string machine) {
    const std::string figure = rate + ": {value: ", text = std::to_string(value).substr(0, 3);
    const size_t at = machine.find(figure);
    if (at == std::string::npos) {
      const std::string core = "core: {";
      machine.insert(machine.find(core) + core.size(), figure + text + ", unit: GB/s, source: measured}, ");
    } else {
      const size_t from = at + figure.size();
      machine.replace(from, machine.find(',', from) - from, text);
    }
    return machine;
  }
};

TEST_F(OwnWork, CollectivesCombine) {
  EXPECT_NEAR(work("combine_bandwidth", "reduce"), 1, 1e-6);
  EXPECT_NEAR(work("combine_bandwidth", "allreduce"), 0.5, 1e-6);  // each of the two ranks combines half of the vector
  EXPECT_NEAR(work("combine_bandwidth", "iallreduce"), 1, 1e-6);
  EXPECT_NEAR(work("combine_bandwidth", "bcast"), 0, 1e-6);
  EXPECT_NEAR(work("combine_bandwidth", "allgather"), 0, 1e-6);
}

TEST_F(OwnWork, CollectivesCopyARanksOwnBlock) {
  EXPECT_NEAR(work("copy_bandwidth", "allgather"), 1, 1e-6);
  EXPECT_NEAR(work("copy_bandwidth", "alltoall"), 1, 1e-6);
  EXPECT_NEAR(work("copy_bandwidth", "alltoall", 4), 1, 1e-6);
  EXPECT_NEAR(work("copy_bandwidth", "bcast"), 0, 1e-6);
}

// Outside collectives they are the program's computation.
TEST_F(OwnWork, LocalFunctionsAreNotCharged) {
  EXPECT_EQ(time_of("reduce_local", 0), 0);
  EXPECT_EQ(time_of("pack", 0), 0);
}

TEST_F(OwnWork, ASynchronousSendEndsWhenTheAcknowledgementIsBack) {
  const double arrives = 1 * kUs + (kEager + kEnvelope) * kNs, back = 1 * kUs;
  EXPECT_NEAR(time_of("send", 0, 2, kEager), 1 * kUs, kTime);
  EXPECT_NEAR(time_of("ssend", 0, 2, kEager), arrives + back, kTime);
  EXPECT_NEAR(time_of("ssend", 1, 2, kEager), arrives, kTime) << "its receiver does not wait for that";
  EXPECT_NEAR(time_of("issend", 0, 2, kEager), arrives + back, kTime);
  // While the sender computes, the acknowledgement arrives.
  EXPECT_NEAR(time_of("issend", 0, 2, kEager, ", --busy, 1.5"), arrives + back, kTime);
  EXPECT_NEAR(time_of("issend", 0, 2, kEager, ", --busy, 5"), 6 * kUs, kTime);
}

// In the time for which the receive is late, the message could have travelled; only the acknowledgement, or in
// simulations the message, is still to come.
TEST_F(OwnWork, TheAcknowledgementOfALateReceiveReturnsWithItsMessage) {
  const auto late = [&](double us) { return time_of("ssend", 0, 2, kEager, ", --late, " + std::to_string(us)); };
  const double transfer = (kEager + kEnvelope) * kNs;
  EXPECT_NEAR(late(1.4), 1.4 * kUs + transfer + 0.6 * kUs, kTime);
  EXPECT_NEAR(late(2), 2 * kUs + transfer, kTime);
  EXPECT_NEAR(late(10), 10 * kUs + transfer, kTime);
}

// A long message waits for its receiver anyway, so its sender knows.
TEST_F(OwnWork, ALongSynchronousSendIsAnOrdinaryOne) {
  const double overhead = 1 * kUs;  // SMPI charges it to synchronous sends
  EXPECT_NEAR(time_of("ssend", 0), overhead + (kBytes + kEnvelope) * kNs, kTime);
}

}  // namespace
}  // namespace strata
