// SPDX-License-Identifier: LGPL-2.1-only
// The room that a computer has for ranks, read from files as the kernel writes them, and the ranks that fit in it.
#include "native/run/demand.h"

#include <gtest/gtest.h>

#include "tests/error_of.h"
#include "tests/process/process.h"

namespace strata::native {
namespace {

using Kind = Library::Kind;

constexpr long kMany = 1'000'000;

// A folder in which a test puts files of /proc and /sys.
class Root {
 public:
  const std::filesystem::path& path() const { return folder_.path(); }
  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((path() / name).parent_path());
    folder_.write(name, text);
  }

 private:
  TemporaryFolder folder_;
};

TEST(Demand, GrowsWithTheRanks) {
  for (const Kind kind : {Kind::kOpenMpi, Kind::kMpich, Kind::kUnknown}) {
    const Demand one = demand_of(kind, 1), many = demand_of(kind, 100);
    EXPECT_GT(many.bytes, one.bytes + 99 * 1e6);
    EXPECT_GE(many.tasks, one.tasks + 99);
    EXPECT_GE(many.files, one.files + 99);
  }
  EXPECT_EQ(demand_of(Kind::kUnknown, 7).bytes, demand_of(Kind::kOpenMpi, 7).bytes);
}

TEST(Demand, MostRanksAreTheLastThatFit) {
  for (const Kind kind : {Kind::kOpenMpi, Kind::kMpich}) {
    for (const double bytes : {1e8, 1e9, 64e9}) {
      const Capacity capacity = {.bytes = bytes, .tasks = kMany, .files = kMany};
      const int most = most_ranks(kind, capacity);
      EXPECT_LE(demand_of(kind, most).bytes, bytes);
      EXPECT_GT(demand_of(kind, most + 1).bytes, bytes);
      EXPECT_EQ(error_of([&] { require_room(kind, most, capacity); }), "no error");
      EXPECT_NE(error_of([&] { require_room(kind, most + 1, capacity); }), "no error");
    }
  }
  EXPECT_EQ(most_ranks(Kind::kMpich, {.bytes = 1e6, .tasks = kMany, .files = kMany}), 0);
}

TEST(Demand, TheLineNamesWhatIsMissing) {
  const Capacity small = {.bytes = 2e9, .tasks = kMany, .files = kMany};
  const std::string most = std::to_string(most_ranks(Kind::kMpich, small));
  EXPECT_EQ(error_of([&] { require_room(Kind::kMpich, 100'000, small); }),
            "-n 100000: the ranks of MPICH need about " + gigabytes(demand_of(Kind::kMpich, 100'000).bytes) +
                " of memory, and 2.0 GB are available here; give at most -n " + most +
                ", or use a computer with more memory");
  EXPECT_EQ(error_of([&] { require_room(Kind::kMpich, 100, {.bytes = 1e12, .tasks = 58, .files = kMany}); }),
            "-n 100: the ranks of MPICH need 108 processes and threads, and this computer allows 58 more; give at most "
            "-n 50, or raise the limit: ulimit -u, kernel.pid_max, or pids.max of the control group");
  EXPECT_EQ(
      error_of([&] { require_room(Kind::kUnknown, 100, {.bytes = 1e12, .tasks = kMany, .files = 94}); }),
      "-n 100: 364 open files are needed, and a process may have 94 here; give at most -n 10, or raise the limit: "
      "ulimit -Hn 364");
}

TEST(Capacity, IsTheLeastOfComputerAndControlGroups) {
  const Root root;
  root.write("proc/meminfo", "MemTotal:       8000000 kB\nMemFree: 1 kB\nMemAvailable:   4000000 kB\n");
  root.write("proc/loadavg", "0.50 0.40 0.30 2/345 6789\n");
  root.write("proc/sys/kernel/pid_max", "32768\n");
  root.write("proc/sys/kernel/threads-max", "63000\n");
  root.write("proc/self/cgroup", "0::/user/job\n");
  EXPECT_EQ(capacity_here(root.path()).bytes, 4e6 * 1024);
  // Version 2: the limit is in a group above ours.
  root.write("sys/fs/cgroup/user/job/memory.max", "max\n");
  root.write("sys/fs/cgroup/user/memory.max", "3000000000\n");
  root.write("sys/fs/cgroup/user/memory.current", "1000000000\n");
  root.write("sys/fs/cgroup/user/memory.stat", "anon 5\ninactive_file 400000000\n");
  root.write("sys/fs/cgroup/user/job/pids.max", "500\n");
  root.write("sys/fs/cgroup/user/job/pids.current", "20\n");
  EXPECT_EQ(capacity_here(root.path()).bytes, 2.4e9);
  EXPECT_EQ(capacity_here(root.path()).tasks, 480);
  // Version 1, of a container whose folders are not those that it sees.
  root.write("proc/self/cgroup", "8:pids:/\n4:cpu,memory:/docker/1\n0::/\n");
  root.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "1000000000\n");
  root.write("sys/fs/cgroup/memory/memory.usage_in_bytes", "1200000000\n");
  EXPECT_EQ(capacity_here(root.path()).bytes, 0);
  root.write("sys/fs/cgroup/memory/memory.usage_in_bytes", "300000000\n");
  EXPECT_EQ(capacity_here(root.path()).bytes, 7e8);
}

TEST(Capacity, OfThisComputer) {
  const Capacity here = capacity_here();
  EXPECT_GT(here.bytes, 1e6);
  EXPECT_GT(here.tasks, 0);
  EXPECT_GT(here.files, 0);
}

}  // namespace
}  // namespace strata::native
