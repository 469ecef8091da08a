// SPDX-License-Identifier: LGPL-2.1-only
// The flow core alone, compared with SimGrid that uses it as its network model: the same messages and copies end at the
// same times, to the last bit.
#include "sim/plugin/flow_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <random>
#include <simgrid/s4u.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "flow/machine_flows.h"
#include "platforms/core_name.h"
#include "platforms/machine.h"
#include "platforms/payload.h"
#include "records/exchange/address.h"
#include "records/exchange/exchanged_words.h"
#include "records/exchange/memory_work.h"
#include "sim/plugin/machine_zone.h"
#include "sim/simgrid/version.h"
#include "tests/command/strata_process.h"
#include "tests/platforms/fabric_machines.h"

namespace strata::sim {
namespace {

constexpr double kPrecision_s = 1e-12;

// A message between two cores, or a copy on one core.
struct Operation {
  int from, to;  // -1: a copy
  double bytes;  // of payload
  double start_s;
  double end_s = -1;
};

// 400 operations of up to 256 KiB within 50 us: most share links with others.
std::vector<Operation> random_operations(const Machine& machine) {
  constexpr unsigned kSeed = 11;
  constexpr int kOperations = 400;
  std::mt19937 random(kSeed);
  std::vector<Operation> all;
  const auto cores = static_cast<unsigned>(machine.topology->cores().size());
  for (int i = 0; i < kOperations; ++i) {
    const bool copies = machine.memory && i % 4 == 0;
    all.push_back({.from = static_cast<int>(random() % cores),
                   .to = copies ? -1 : static_cast<int>(random() % cores),
                   .bytes = static_cast<double>(1 + random() % (1u << (4 + random() % 15))),
                   .start_s = static_cast<double>(random()) * (5e-5 / 4294967296.0)});
  }
  return all;
}

// Without SimGrid; start_s is the time at which SimGrid started each operation.
void drive(const Machine& machine, std::vector<Operation>& all) {
  flow::MachineFlows machine_flows(machine, kPrecision_s);
  std::vector<Operation*> waiting;
  for (Operation& o : all) waiting.push_back(&o);
  std::sort(waiting.begin(), waiting.end(), [](auto* a, auto* b) { return a->start_s < b->start_s; });
  std::vector<Operation*> by_number(all.size());
  double now = 0;
  for (auto next = waiting.begin();;) {
    const double start_s = next == waiting.end() ? std::numeric_limits<double>::infinity() : (*next)->start_s;
    const double s = machine_flows.flows().until_next(now);
    if (s < 0 && next == waiting.end()) return;
    now = s < 0 ? start_s : std::min(now + s, start_s);
    machine_flows.advance(now, [&](int number) { by_number[number]->end_s = now; });
    if (now < start_s) continue;
    const Operation& o = **next;
    const int number = o.to >= 0 ? machine_flows.start_message(o.from, o.to, o.bytes, now)
                                 : machine_flows.start_work(machine_flows.paths().memory()->copy(o.from, o.bytes), now);
    by_number[number] = *next++;
  }
}

// Records messages as SimGrid starts and ends them.
class Recorder : public flow::Watcher {
 public:
  void time_passed(double) override {}
  void arrived(int source, int destination, double bytes, double sent_s, double now) override {
    messages.push_back({source, destination, bytes - kEnvelopeBytes, sent_s, now});
  }
  std::vector<Operation> messages;
};

std::vector<Operation> simulate(const Machine& machine, const std::vector<Operation>& all) {
  namespace s4u = simgrid::s4u;
  static int argc = 3;
  static std::string quiet = "--log=root.thres:error", precision = std::string("--cfg=") + kPrecision + ":1e-12";
  static char name[] = "flows";
  static char* argv[] = {name, quiet.data(), precision.data(), nullptr};
  s4u::Engine engine(&argc, argv);
  auto* zone = new MachineZone(machine);  // the engine ends with the process
  Recorder recorder;
  zone->flows().watch(recorder);
  auto* memory = address_in<MemoryWork>(engine.get_netzone_root()->get_property(words::kMemoryProperty));
  const auto make_actor = [&](const std::string& actor, int core, const std::function<void()>& code) {
    s4u::Host* host = engine.host_by_name(core_name(*machine.topology, core));
#ifdef STRATA_SIMGRID_3_32
    s4u::Actor::create(actor, host, code);
#else
    engine.add_actor(actor, host, code);
#endif
  };
  std::vector<Operation> copies;
  for (size_t i = 0; i < all.size(); ++i) {
    const Operation o = all[i];
    const std::string id = std::to_string(i);
    if (o.to < 0) {
      make_actor("copy" + id, o.from, [o, memory, &copies] {
        s4u::this_actor::sleep_until(o.start_s);
        const double start_s = s4u::Engine::get_clock();
        memory->copy(o.bytes, 0);
        copies.push_back({o.from, o.to, o.bytes, start_s, s4u::Engine::get_clock()});
      });
      continue;
    }
    make_actor("send" + id, o.from, [o, id] {
      s4u::this_actor::sleep_until(o.start_s);
      static int payload;
      s4u::Mailbox::by_name(id)->put(&payload, static_cast<std::uint64_t>(o.bytes + kEnvelopeBytes));
    });
    make_actor("receive" + id, o.to, [id] { s4u::Mailbox::by_name(id)->get<int>(); });
  }
  engine.run();
  std::vector<Operation> done = recorder.messages;
  done.insert(done.end(), copies.begin(), copies.end());
  return done;
}

// Runs in its own process, because a process can have only one SimGrid engine. Exits with 0 if all times are the same.
[[noreturn]] void compare(const Machine& machine) {
  const std::vector<Operation> planned = random_operations(machine);
  const std::vector<Operation> simulated = simulate(machine, planned);
  std::vector<Operation> driven = simulated;
  for (Operation& o : driven) o.end_s = -1;
  drive(machine, driven);
  int same = 0, alone = 0;
  for (size_t i = 0; i < simulated.size(); ++i) {
    const Operation &o = simulated[i], &d = driven[i];
    if (o.end_s == d.end_s) ++same;
    if (o.end_s != d.end_s) {
      std::fprintf(stderr, "%d to %d, %.0f B from %.17g: SimGrid %.17g, by hand %.17g\n", o.from, o.to, o.bytes,
                   o.start_s, o.end_s, d.end_s);
    }
    flow::MachineFlows one(machine, kPrecision_s);
    std::vector<Operation> it = {o};
    drive(machine, it);
    if (it[0].end_s >= o.end_s * (1 - 1e-12)) ++alone;
  }
  std::fprintf(stderr, "%zu of %zu ended, %d at the same time, %d as if alone\n", simulated.size(), planned.size(),
               same, alone);
  const bool enough = 4 * alone < 3 * same;  // many were slowed down by others
  std::_Exit(simulated.size() == planned.size() && same == static_cast<int>(planned.size()) && enough ? 0 : 1);
}

Machine with_everything(Machine m) {
  m.memory.emplace().bandwidth = {.value = 12, .unit = "GB/s", .source = "measured", .si = 12e9};
  for (LevelCosts& c : m.levels) {
    c.duplex_bandwidth = c.link_bandwidth;
    c.duplex_bandwidth->value *= 1.5;
    c.duplex_bandwidth->si *= 1.5;
  }
  m.levels.front().gap = Figure{.value = 2, .unit = "us", .source = "measured", .si = 2e-6};
  return m;
}

TEST(FlowModelDeathTest, SaysWhatTheCoreSays) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  const TemporaryFolder folder;
  const auto machine = [&](const std::string& yaml) { return load_machine(folder.write("machine.yaml", yaml)); };
  const Machine tree = machine_from_tree("switch:2 node:3 pack:2 [numa] core:2");
  EXPECT_EXIT(compare(tree), testing::ExitedWithCode(0), "") << "a tree";
  EXPECT_EXIT(compare(with_everything(tree)), testing::ExitedWithCode(0), "") << "with memory, duplex links and gaps";
  EXPECT_EXIT(compare(machine(kTorusYaml)), testing::ExitedWithCode(0), "") << "a torus";
  EXPECT_EXIT(compare(machine(routed(kDragonflyYaml, "spread"))), testing::ExitedWithCode(0), "") << "spread";
  EXPECT_EXIT(compare(machine(routed(kTorusYaml, "adaptive"))), testing::ExitedWithCode(0), "") << "adaptive";
}

}  // namespace
}  // namespace strata::sim
