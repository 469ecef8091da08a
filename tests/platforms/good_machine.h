// SPDX-License-Identifier: LGPL-2.1-only
// A complete machine.yaml, and the errors of load_machine if a part of it is replaced:
//
//   error("nodes: 1", "nodes: 0")  -> ":10: network.groups[1].nodes: ..."
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "base/error.h"
#include "platforms/machine.h"

namespace strata {

// A complete machine: two switches, nodes of two packages; cores meet at all levels.
inline const std::string kGood = R"(schema: strata.machine/1
name: small
description: two switches
source: "assumed: a test"
node: {synthetic: "[numa] pack:2 core:2"}
network:
  groups:
    - {level: Switch, nodes: 2}
    - level: Switch
      nodes: 1
costs:
  core:
    speed: {value: 2.5, unit: Gflop/s, source: "published: a paper"}
    copy_bandwidth: {value: 10, unit: GB/s, source: measured}
  eager_limit: {value: 4, unit: KiB, source: "measured: by hand"}
  levels:
    - level: System - Cluster
      latency: {value: 2, unit: us, source: "assumed: a"}
      overhead: {value: 500, unit: ns, source: "assumed: b"}
      bandwidth: {value: 10, unit: Gb/s, source: "assumed: c"}
      link_bandwidth: {value: 2, unit: GiB/s, source: "assumed: d"}
    - level: Switch
      latency: {value: 1.5, unit: us, source: "assumed: a"}
      overhead: {value: 0, unit: us, source: "assumed: b"}
      bandwidth: {value: 1250, unit: MB/s, source: "assumed: c"}
      link_bandwidth: {value: 1250000000, unit: B/s, source: "assumed: d"}
    - level: NUMANode
      latency: {value: 0.7, unit: us, source: "assumed: a"}
      overhead: {value: 0.1, unit: us, source: "assumed: b"}
      bandwidth: {value: 5, unit: GB/s, source: "assumed: c"}
      link_bandwidth: {value: 20, unit: GB/s, source: "assumed: d"}
    - level: Package
      latency: {value: 0.3, unit: us, source: "assumed: a"}
      overhead: {value: 0.1, unit: us, source: "assumed: b"}
      bandwidth: {value: 8, unit: GB/s, source: "assumed: c"}
      link_bandwidth: {value: 8, unit: GB/s, source: "assumed: d"}
)";

// Adds keys to the level of the switches, which has 1.5 us, 1.25 GB/s, and links of 1.25 GB/s.
inline std::string with_protocols(const std::string& more) {
  const std::string link = "link_bandwidth: {value: 1250000000, unit: B/s, source: \"assumed: d\"}\n";
  std::string text = kGood;
  return text.insert(text.find(link) + link.size(), more);
}

inline constexpr const char* kSegments =
    "      segments:\n"
    "        - from: {value: 500, unit: B, source: measured}\n"
    "          latency: {value: 3, unit: us, source: measured}\n"
    "          overhead: {value: 2, unit: us, source: measured}\n"
    "          bandwidth: {value: 1, unit: GB/s, source: measured}\n"
    "        - from: {value: 8, unit: KiB, source: measured}\n"
    "          latency: {value: 5, unit: us, source: measured}\n"
    "          overhead: {value: 1, unit: us, source: measured}\n"
    "          bandwidth: {value: 1.2, unit: GB/s, source: measured}\n";
inline constexpr const char* kDuplex = "      duplex_bandwidth: {value: 2, unit: GB/s, source: measured}\n";
inline constexpr const char* kGap = "      gap: {value: 40, unit: ns, source: measured}\n";

class MachineYaml : public testing::Test {
 protected:
  std::filesystem::path write(const std::string& text) {
    std::ofstream(file_, std::ios::binary) << text;
    return file_;
  }
  // The error of load_machine for kGood with `from` replaced by `to`, without the file name.
  std::string error(const std::string& from, const std::string& to) {
    std::string text = kGood;
    const size_t at = text.find(from);
    if (at == std::string::npos) return "the test's own fault: no '" + from + "'";
    text.replace(at, from.size(), to);
    return error_of(text);
  }
  std::string error_of(const std::string& text) {
    try {
      load_machine(write(text));
    } catch (const InputError& e) {
      const std::string what = e.what();
      EXPECT_EQ(what.rfind(file_.string(), 0), 0u) << what;
      return what.substr(file_.string().size());
    }
    return "no error";
  }
  const std::filesystem::path file_ = std::filesystem::path(testing::TempDir()) / "machine.yaml";
};

}  // namespace strata
