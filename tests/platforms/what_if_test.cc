// SPDX-License-Identifier: LGPL-2.1-only
// What-ifs of a machine: only the named figure changes, the changed machine names the earlier value and reads back as
// it was saved, and impossible changes are refused.
#include "platforms/what_if.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "platforms/fabric.h"
#include "platforms/fabric_form.h"
#include "platforms/memory.h"

namespace strata {
namespace {

using ::testing::HasSubstr;

// Name and SI value of all figures, in a fixed order.
std::vector<std::pair<std::string, double>> values_of(const Machine& m) {
  std::vector<std::pair<std::string, double>> all = {{"core.speed", m.core_speed.si},
                                                     {"core.copy_bandwidth", m.copy_bandwidth.si},
                                                     {"core.combine_bandwidth", m.combine_bandwidth().si},
                                                     {"eager_limit", m.eager_limit.si},
                                                     {"copies", m.copies().si}};
  if (m.memory) {
    all.push_back({"memory.bandwidth", m.memory->bandwidth.si});
    const std::optional<Figure>&combining = m.memory->stated_combine_bandwidth, &cache = m.memory->cache_bandwidth;
    if (combining) all.push_back({"memory.combine_bandwidth", combining->si});
    if (cache) all.push_back({"memory.cache_bandwidth", cache->si});
    if (const std::optional<Figure>& shared = m.memory->shared_cache_bandwidth)
      all.push_back({"memory.shared_cache_bandwidth", shared->si});
  }
  if (m.fabric) {
    const std::string key = m.fabric->form().key;
    all.push_back({key + ".hop_latency", m.fabric->hop_latency.si});
    all.push_back({key + ".injection", m.fabric->injection.si});
    for (size_t k = 0; k < m.fabric->links.size(); ++k) {
      all.push_back({m.fabric->figure_name(static_cast<int>(k)), m.fabric->links[k].si});
    }
  }
  for (const LevelCosts& c : m.levels) {
    all.push_back({c.level + ".latency", c.latency.si});
    all.push_back({c.level + ".overhead", c.overhead.si});
    all.push_back({c.level + ".bandwidth", c.bandwidth.si});
    if (!m.shares_injection(c.level)) all.push_back({c.level + ".link_bandwidth", c.link_bandwidth.si});
    for (size_t i = 0; i < c.segments.size(); ++i) {
      const std::string name = c.level + ".segments[" + std::to_string(i) + "]";
      all.push_back({name + ".from", c.segments[i].from.si});
      all.push_back({name + ".latency", c.segments[i].latency.si});
      all.push_back({name + ".overhead", c.segments[i].overhead.si});
      all.push_back({name + ".bandwidth", c.segments[i].bandwidth.si});
    }
    if (c.duplex_bandwidth) all.push_back({c.level + ".duplex_bandwidth", c.duplex_bandwidth->si});
    if (c.gap) all.push_back({c.level + ".gap", c.gap->si});
  }
  return all;
}

std::string error(const Machine& m, const std::vector<WhatIf>& changes) {
  try {
    what_if(m, changes);
    return "";
  } catch (const InputError& e) {
    return e.what();
  }
}

WhatIf times(const std::string& figure, double factor) {
  return {.where = "here", .figure = figure, .value = factor, .unit = "", .source = "assumed: a test"};
}

WhatIf value(const std::string& figure, double number, const std::string& unit) {
  return {.where = "here", .figure = figure, .value = number, .unit = unit, .source = "published: a paper"};
}

TEST(WhatIf, NothingChangedIsTheMachineAsItWas) {
  const Machine m = find_machine("ntw10e5", "platforms/data");
  EXPECT_EQ(machine_hash(what_if(m, {})), machine_hash(m));
  EXPECT_EQ(what_if(m, {}).name, "ntw10e5");
}

// Changes every figure of every machine of the catalog, so that the machine remains valid: overheads and bandwidths of
// messages are halved, duplex bandwidths get a factor of 0.99, and other figures are doubled.
TEST(WhatIf, ChangesTheNamedFigureAndNoOther) {
  for (const std::string& name : catalog_names("platforms/data")) {
    const Machine m = find_machine(name, "platforms/data");
    const auto before = values_of(m);
    for (const auto& [figure, was] : before) {
      const bool down = figure.ends_with(".overhead") || (figure.ends_with(".bandwidth"));
      const double factor = figure.ends_with(".duplex_bandwidth") ? 0.99 : down ? 0.5 : 2;
      const auto after = values_of(what_if(m, {times(figure, factor)}));
      ASSERT_EQ(after.size(), before.size());
      for (size_t i = 0; i < after.size(); ++i) {
        EXPECT_EQ(after[i].first, before[i].first);
        // A combine bandwidth that is not stated follows the copy bandwidth.
        const bool follows = !m.stated_combine_bandwidth && figure == "core.copy_bandwidth" &&
                             after[i].first == "core.combine_bandwidth";
        EXPECT_DOUBLE_EQ(after[i].second, before[i].second * (after[i].first == figure || follows ? factor : 1))
            << name << ": " << figure << " changed " << after[i].first;
      }
    }
  }
}

TEST(WhatIf, SaysWhatItStoodAtBeforeAndReadsBack) {
  const Machine base = find_machine("ntw10e5", "platforms/data");
  const Machine m = what_if(base, {times("System - Cluster.latency", 0.25), value("eager_limit", 8, "KiB")});
  EXPECT_EQ(m.name, "ntw10e5 (what if)");
  EXPECT_EQ(m.description, base.description + "; what if: System - Cluster.latency x 0.25, eager_limit 8 KiB");
  EXPECT_EQ(m.source, "assumed: what if of ntw10e5 (" + base.source + ")");
  EXPECT_DOUBLE_EQ(m.levels.front().latency.value, 0.405);
  EXPECT_EQ(m.levels.front().latency.unit, "us");
  EXPECT_EQ(m.levels.front().latency.source,
            "assumed: a test; what if 0.25 times ntw10e5's 1.62 us (" + base.levels.front().latency.source + ")");
  EXPECT_DOUBLE_EQ(m.eager_limit.si, 8192);
  EXPECT_EQ(m.eager_limit.source,
            "published: a paper; what if instead of ntw10e5's 12288 B (" + base.eager_limit.source + ")");

  const auto folder = std::filesystem::path(std::getenv("TEST_TMPDIR")) / "what_if";
  std::filesystem::create_directories(folder);
  save_machine(m, folder);
  const Machine back = load_machine(folder / "machine.yaml");
  EXPECT_EQ(values_of(back), values_of(m));
  EXPECT_EQ(back.levels.front().latency.source, m.levels.front().latency.source);
  EXPECT_EQ(machine_hash(back), machine_hash(m));
  EXPECT_NE(machine_hash(m), machine_hash(base));
}

// No source is known for this figure. A what-if may state it and reads back as saved, but a machine with another source
// for it is refused.
TEST(WhatIf, StatesWhatPollingTakes) {
  const Machine base = find_machine("ntw10e5", "platforms/data");
  EXPECT_FALSE(base.polling.has_value());
  Machine m = what_if(base, {value("polling", 0.1, "us")});
  EXPECT_DOUBLE_EQ(m.polling->si, 1e-7);
  const auto folder = std::filesystem::path(std::getenv("TEST_TMPDIR")) / "polling";
  std::filesystem::create_directories(folder);
  save_machine(m, folder);
  EXPECT_DOUBLE_EQ(load_machine(folder / "machine.yaml").polling->si, 1e-7);
  m.polling->source = "measured";
  save_machine(m, folder);
  try {
    load_machine(folder / "machine.yaml");
    FAIL() << "is refused";
  } catch (const InputError& e) {
    EXPECT_THAT(e.what(), HasSubstr("costs.polling: no machine may state it, because no measurement of it is known; "
                                    "leave it out, or try a value: --set what_if.polling=0.1us"));
  }
}

// Both bandwidths change at once: a factor applies to the value before, not to one derived from the changed copy
// bandwidth. A machine that states neither figure, nor its memory, has the same hash as in version 0.6.0.
TEST(WhatIf, StatesWhatTheMachineDoesNot) {
  const Machine base = find_machine("ntw10e5", "platforms/data");
  const Machine m =
      what_if(base, {times("core.copy_bandwidth", 4), times("core.combine_bandwidth", 0.5), times("copies", 2)});
  Machine plain = base;
  plain.memory.reset();
  EXPECT_EQ(machine_hash(plain), "4e304857c699edf2c0bcc7c22ae819d6");
  EXPECT_DOUBLE_EQ(m.copy_bandwidth.si, 20.8e9);
  EXPECT_DOUBLE_EQ(m.combine_bandwidth().si, 2.6e9);
  EXPECT_EQ(m.combine_bandwidth().source,
            "assumed: a test; what if 0.5 times ntw10e5's 5.2 GB/s (" + base.combine_bandwidth().source + ")");
  EXPECT_EQ(m.copies().si, 2);
  EXPECT_EQ(what_if(base, {value("copies", 2, "copies")}).copies().source,
            "published: a paper; what if instead of ntw10e5's 1 copies (" + base.copies().source + ")");
  EXPECT_EQ(error(base, {times("copies", 3)}), "here: 3 is not a number of copies; write 1 or 2");
  EXPECT_EQ(error(base, {value("copies", 0, "copies")}), "here: 0 is not a number of copies; write 1 or 2");
  EXPECT_EQ(error(base, {value("copies", 2, "B")}),
            "here: 'B' is not a valid unit of copies; give copies; or x for a factor");
}

// Figures that are left out follow those from which they are derived, until a change states them.
TEST(WhatIf, ChangesMemory) {
  Machine m = find_machine("ntw10e5", "platforms/data");
  m.memory.reset();
  EXPECT_THAT(error(m, {times("memory.bandwidth", 2)}), HasSubstr("has no figure 'memory.bandwidth'"));
  m.memory.emplace().bandwidth = {.value = 20, .unit = "GB/s", .source = "assumed: a test", .si = 20e9};

  const Machine twice = what_if(m, {times("memory.bandwidth", 2)});
  EXPECT_EQ(twice.memory->bandwidth.si, 40e9);
  EXPECT_EQ(memory_combine_bandwidth(*twice.memory).si, 60e9);
  EXPECT_EQ(twice.description, m.description + "; what if: memory.bandwidth x 2");

  const Machine stated = what_if(m, {value("memory.bandwidth", 10, "GB/s"), times("memory.combine_bandwidth", 2),
                                     times("memory.cache_bandwidth", 2)});
  EXPECT_EQ(stated.memory->bandwidth.si, 10e9);
  EXPECT_EQ(memory_combine_bandwidth(*stated.memory).si, 60e9);  // twice the value before
  EXPECT_DOUBLE_EQ(cache_bandwidth(stated).si, 2 * 3 * 5.2e9);
  EXPECT_THAT(error(m, {times("memory.shared_cache_bandwidth", 2)}),
              HasSubstr("states no 'memory.shared_cache_bandwidth' to multiply"));
  m.memory->shared_cache_bandwidth = m.memory->bandwidth;
  EXPECT_EQ(what_if(m, {times("memory.shared_cache_bandwidth", 2)}).memory->shared_cache_bandwidth->si, 40e9);
  EXPECT_EQ(error(m, {times("memory.bandwidth", 0)}), "here: 0 is too small; write a number above 0");
}

TEST(WhatIf, ChangesPorts) {
  Machine m = find_machine("ntw10e5", "platforms/data");
  EXPECT_THAT(error(m, {times("ports.bandwidth", 2)}), HasSubstr("has no figure 'ports.bandwidth'"));
  m.ports = NetworkPorts{.at = {"Package 0", "Package 1"},
                         .bandwidth = {.value = 4, .unit = "GB/s", .source = "assumed: a test", .si = 4e9}};
  EXPECT_EQ(what_if(m, {times("ports.bandwidth", 2)}).ports->bandwidth.si, 8e9);
  EXPECT_EQ(what_if(m, {value("ports.far_latency", 0.1, "us")}).ports->far_latency->si, 0.1e-6);
  EXPECT_THAT(error(m, {times("ports.bandwidth", 0.5)}),
              HasSubstr("ports of 2 GB/s each carry less of one message than the 3.2918 GB/s that it gets; change "
                        "ports.bandwidth too"));
  const Machine striped = what_if(m, {times("ports.bandwidth", 0.9), value("ports.stripe_from", 8, "KiB")});
  EXPECT_EQ(striped.ports->stripe_from->si, 8192);
}

// Half of a latency of 2 +- 0.1 us is 1 +- 0.05 us.
TEST(WhatIf, AFactorKeepsTheInterval) {
  Machine m = find_machine("ntw10e5", "platforms/data");
  m.levels.front().latency = {.value = 2, .unit = "us", .source = "measured", .si = 2e-6, .plus_minus = 0.1};
  EXPECT_DOUBLE_EQ(what_if(m, {times("System - Cluster.latency", 0.5)}).levels.front().latency.plus_minus, 0.05);
  EXPECT_EQ(what_if(m, {value("System - Cluster.latency", 1, "us")}).levels.front().latency.plus_minus, 0);
}

// Between nodes of ntw10e5 a message gets 3.29 GB/s, as much as a link carries.
TEST(WhatIf, GapsBothWaysAndSegments) {
  const Machine base = find_machine("ntw10e5", "platforms/data");
  const Machine m =
      what_if(base, {value("System - Cluster.gap", 0.2, "us"), times("System - Cluster.duplex_bandwidth", 0.75)});
  const LevelCosts &was = base.levels.front(), &now = m.levels.front();
  EXPECT_DOUBLE_EQ(now.gap->si, 0.2e-6);
  EXPECT_EQ(now.gap->source,
            "published: a paper; what if instead of ntw10e5's 0 us (assumed: none, since the machine states none)");
  EXPECT_DOUBLE_EQ(now.duplex_bandwidth->si, 1.5 * was.link_bandwidth.si);
  EXPECT_FALSE(m.levels[1].gap);
  EXPECT_EQ(what_if(m, {value("System - Cluster.gap", 0, "us")}).levels.front().gap->si, 0);
  EXPECT_EQ(what_if(m, {times("System - Cluster.gap", 0)}).levels.front().gap->si, 0);
  EXPECT_THAT(error(base, {value("Package.gap", 1, "us")}), HasSubstr("ntw10e5 has no figure 'Package.gap'; it has "));
  EXPECT_THAT(error(base, {times("System - Cluster.duplex_bandwidth", 0.4)}), HasSubstr("both ways together carry"));
  EXPECT_THAT(error(base, {times("System - Cluster.duplex_bandwidth", 1.1)}), HasSubstr("more than twice the link's"));

  const Machine busy = what_if(base, {value("System - Cluster.receive_overhead", 0.3, "us")});
  EXPECT_DOUBLE_EQ(busy.levels.front().receive_overhead->si, 0.3e-6);
  EXPECT_THAT(error(base, {value("System - Cluster.receive_overhead", 1, "s")}),
              HasSubstr("are together longer than the latency of"));
  EXPECT_THAT(error(busy, {value("System - Cluster.overhead", was.latency.si * 1e6 - 0.2, "us")}),
              HasSubstr("change System - Cluster.latency too"));

  const Machine copying = what_if(base, {value("System - Cluster.send_copy", 1000, "GB/s")});
  EXPECT_DOUBLE_EQ(copying.levels.front().send_copy->si, 1e12);
  EXPECT_FALSE(copying.levels.front().receive_copy);
  EXPECT_THAT(error(base, {value("System - Cluster.receive_copy", 1, "B/s")}), HasSubstr("that one message gets"));
  EXPECT_THAT(error(base, {times("System - Cluster.send_copy", 2)}),
              HasSubstr("states no 'System - Cluster.send_copy' to multiply; give a value with its unit"));

  Machine long_messages = base;
  LevelCosts& c = long_messages.levels.front();
  const auto bytes = [](double value) { return Figure{value, "B", "measured", value}; };
  c.segments = {{bytes(500), c.latency, c.overhead, c.bandwidth}, {bytes(8192), c.latency, c.overhead, c.bandwidth}};
  const Machine slower = what_if(long_messages, {times("System - Cluster.segments[1].latency", 2)});
  EXPECT_DOUBLE_EQ(slower.levels.front().segments[1].latency.si, 2 * c.latency.si);
  EXPECT_DOUBLE_EQ(slower.levels.front().segments[0].latency.si, c.latency.si);
  EXPECT_EQ(
      error(long_messages, {times("System - Cluster.segments[0].from", 20)}),
      "here: System - Cluster.segments[1]: begins at 8192 B, and the segment before at 10000 B; let them increase");
  EXPECT_THAT(error(long_messages, {times("System - Cluster.segments[0].overhead", 20)}),
              HasSubstr("System - Cluster.segments[0]: an overhead of"));
  EXPECT_THAT(error(long_messages, {times("System - Cluster.segments[0].bandwidth", 20)}),
              HasSubstr("System - Cluster.segments[0]: a link of"));
}

TEST(WhatIf, RefusesWhatCannotBe) {
  const Machine m = find_machine("smp20e7", "platforms/data");
  EXPECT_THAT(error(m, {times("Switch.latency", 2)}),
              HasSubstr("here: smp20e7 has no figure 'Switch.latency'; it has core.speed, core.copy_bandwidth, "
                        "core.combine_bandwidth, eager_limit, copies, queue_search, polling, Machine.latency, "));
  EXPECT_EQ(error(m, {times("eager_limit", 2), times("eager_limit", 3)}),
            "here: figure 'eager_limit' is changed twice; keep one");
  EXPECT_EQ(error(m, {times("core.speed", 0)}), "here: 0 is too small; write a number above 0");
  EXPECT_EQ(error(m, {times("L3.latency", -1)}), "here: -1 is too small; write 0 or more");
  EXPECT_EQ(error(m, {value("L3.latency", 1, "GB/s")}),
            "here: 'GB/s' is not a valid unit of time; give ns, us, ms or s; or x for a factor");
  EXPECT_EQ(error(m, {times("L3.latency", 0.25)}),
            "here: L3: an overhead of 0.25 us is longer than the latency of 0.125 us, which includes it; change "
            "L3.overhead too");
  EXPECT_EQ(error(m, {times("Machine.bandwidth", 10)}),
            "here: Machine: a link of 7.5 GB/s is less than the 13.8 GB/s that one message gets; change "
            "Machine.link_bandwidth too");
  EXPECT_EQ(error(m, {times("Machine.bandwidth", 10), times("Machine.link_bandwidth", 10)}), "");
}

}  // namespace
}  // namespace strata
