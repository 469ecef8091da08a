// SPDX-License-Identifier: LGPL-2.1-only
// The traffic of links in a report: sums that are known by hand, and damaged files.
#include "analysis/point_traffic.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/error.h"

namespace strata::analysis {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

const std::string kHeading = "link,level,direction,capacity_bytes_per_s,bytes,messages,utilisation\n";
const std::string kLinks = kHeading +
                           "node0.core0,Package,up,1000000000,500,2,0.25\n"
                           "node0.core0,Package,down,1000000000,0,0,0\n"
                           "node0,System - Cluster,up,2000000000,3000,3,0.75\n"
                           "\"x+ link of router (0,1)\",x,across,4e9,1000000,10,0.5\n";

class PointTrafficTest : public ::testing::Test {
 protected:
  PointTrafficTest() : folder_(fs::path(std::getenv("TEST_TMPDIR")) / "results") {
    results_.folder = folder_;
    results_.manifest.study.title = "T";
  }
  void write(int point, const std::string& text) const {
    const fs::path folder = folder_ / "traffic" / ("point-" + std::to_string(point));
    fs::create_directories(folder);
    std::ofstream(folder / "links.csv") << text;
  }
  std::string error(const std::string& text) {
    write(0, text);
    try {
      summarize_traffic(results_);
      return "";
    } catch (const InputError& e) {
      const std::string what = e.what();
      return what.substr(what.find("links.csv"));
    }
  }

  fs::path folder_;
  Results results_;
};

TEST_F(PointTrafficTest, SumsByLevelAndTheBusiest) {
  write(0, kLinks);
  const std::vector<PointTraffic> all = summarize_traffic(results_);
  ASSERT_EQ(all.size(), 1u);
  const PointTraffic& p = all.front();
  ASSERT_EQ(p.levels.size(), 3u);
  EXPECT_EQ(p.levels[0].level, "Package");
  EXPECT_EQ(p.levels[0].links, 2);
  EXPECT_EQ(p.levels[0].used, 1);
  EXPECT_EQ(p.levels[0].bytes, 500);
  EXPECT_EQ(p.levels[0].mean, 0.125);
  EXPECT_EQ(p.levels[0].most, 0.25);
  EXPECT_EQ(p.levels[2].bytes, 1e6);
  ASSERT_EQ(p.busiest.size(), 3u) << "not what carried nothing";
  EXPECT_EQ(p.busiest[0].link, "node0");
  EXPECT_EQ(p.busiest[1].link, "x+ link of router (0,1)");
  EXPECT_EQ(p.busiest[2].link, "node0.core0");
  const std::string text = traffic_markdown(all);
  EXPECT_THAT(text, HasSubstr("| System - Cluster | 1 | 1 | 3.000 kB | 75 % | 75 % |"));
  EXPECT_THAT(text, HasSubstr("| node0 | System - Cluster | up | 2.00 GB/s | 3.000 kB | 3 | 75 % |"));
}

TEST_F(PointTrafficTest, SeveralPointsFoldAway) {
  results_.manifest.study.sweep = {{"n", {1, 2}}};
  write(1, kLinks);
  EXPECT_THAT(traffic_markdown(summarize_traffic(results_)),
              HasSubstr("<details><summary>n = 2: <code>traffic/point-1</code></summary>"));
  fs::remove_all(folder_);
  EXPECT_EQ(traffic_markdown(summarize_traffic(results_)), "");
}

TEST_F(PointTrafficTest, DamagedFiles) {
  const std::string remedy = "; the file may be damaged; make it again with `traffic: on`";
  EXPECT_EQ(error(""), "links.csv:1: is not '" + kHeading.substr(0, kHeading.size() - 1) + "'" + remedy);
  EXPECT_EQ(error(kHeading + "a,b,up,1,2\n"), "links.csv:2: has 5 fields where 7 were expected" + remedy);
  EXPECT_EQ(error(kLinks + "a,b,up,1,-2,3,4\n"), "links.csv:6: '-2' is not a number of 0 or more" + remedy);
  EXPECT_EQ(error(kLinks + "a,b,up,1,2,x,4\n"),
            "links.csv:6: 'x' is not a whole number from 0 to 9223372036854775807" + remedy);
}

}  // namespace
}  // namespace strata::analysis
