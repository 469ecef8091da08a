// SPDX-License-Identifier: LGPL-2.1-only
// In the steady state flows allocate no memory: messages and works use the space of earlier ones. This program counts
// the calls of operator new.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <random>
#include <string>
#include <vector>

#include "flow/machine_flows.h"
#include "platforms/machine.h"
#include "tests/command/strata_process.h"
#include "tests/platforms/fabric_machines.h"

namespace {

std::atomic<long> allocations{0};

}  // namespace

void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size == 0 ? 1 : size)) return p;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  ++allocations;
  const auto line = static_cast<std::size_t>(alignment);
  if (void* p = std::aligned_alloc(line, (size + line - 1) / line * line)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

namespace strata::flow {
namespace {

// Whenever a message or a copy ends, another one begins. All rounds are the same, except that their times are rounded
// differently. Returns the allocations of the last round.
long allocations_of_a_round(const Machine& machine) {
  constexpr int kAtATime = 64, kMessages = 2000, kRounds = 20;
  constexpr double kPrecision = 1e-12, kBetween = 1e-2;  // s; each round ends within kBetween
  MachineFlows flows(machine, kPrecision);
  const auto cores = static_cast<unsigned>(machine.topology->cores().size());
  long counted = 0;
  for (int round = 0; round < kRounds; ++round) {
    std::minstd_rand random(1);
    double now = round * kBetween;
    counted = allocations;
    int left = kMessages;
    const auto start = [&] {
      --left;
      const int from = static_cast<int>(random() % cores), to = static_cast<int>(random() % cores);
      const double bytes = static_cast<double>(random() % 100'000);
      if (machine.memory && random() % 4 == 0) {
        flows.start_work(flows.paths().memory()->copy(from, bytes), now);
      } else {
        flows.start_message(from, to, bytes, now);
      }
    };
    for (int i = 0; i < kAtATime; ++i) start();
    for (double s; (s = flows.flows().until_next(now)) >= 0;) {
      now += s;
      flows.advance(now, [&](int) {
        if (left > 0) start();
      });
    }
    EXPECT_LT(now, (round + 1) * kBetween);
    EXPECT_EQ(left, 0);
    counted = allocations - counted;
  }
  return counted;
}

TEST(Flows, AllocateNothingInSteadyState) {
  const TemporaryFolder folder;
  Machine tree = machine_from_tree("switch:2 node:3 pack:2 [numa] core:2");
  EXPECT_EQ(allocations_of_a_round(tree), 0);
  tree.memory.emplace().bandwidth = {.value = 12, .unit = "GB/s", .source = "measured", .si = 12e9};
  EXPECT_EQ(allocations_of_a_round(tree), 0) << "with memory";
  const Machine torus = load_machine(folder.write("machine.yaml", kTorusYaml));
  EXPECT_EQ(allocations_of_a_round(torus), 0) << "a torus";
  EXPECT_GT(allocations, 0);
}

}  // namespace
}  // namespace strata::flow
