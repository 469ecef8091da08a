// SPDX-License-Identifier: LGPL-2.1-only
#include "native/run/demand.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "base/error.h"

namespace strata::native {
namespace {

namespace fs = std::filesystem;

// The figures of one rank of a library. Measured on Debian 12 (Open MPI 4.1.4, MPICH 4.0.2), on theta, 16 to 512 ranks,
// each after an MPI_Allreduce and an MPI_Alltoall of 4 B: the difference of MemAvailable in /proc/meminfo from before
// the run, which includes page tables, kernel stacks and the board, divided by the ranks. The figures are in
// docs/performance.md.
struct PerRank {
  double bytes;       // of a rank
  double peer_bytes;  // of a rank for each other rank: the description of the job, and connections
  long tasks;         // the process and its threads
  long files;         // of ours: its process, its connection
};
constexpr PerRank kOpenMpi = {.bytes = 3.9e6, .peer_bytes = 2.4e3, .tasks = 3, .files = 3};
constexpr PerRank kMpich = {.bytes = 2.7e6, .peer_bytes = 0.2e3, .tasks = 1, .files = 3};

// A script, or an interpreter, may load either.
const PerRank& figures_of(Library::Kind library) { return library == Library::Kind::kMpich ? kMpich : kOpenMpi; }

// Ourselves, with both servers.
constexpr Demand kLauncher = {.bytes = 50e6, .tasks = 8, .files = 64};

constexpr double kUnlimited = std::numeric_limits<double>::infinity();
constexpr long kNoLimit = std::numeric_limits<long>::max();

// The number after a word: "MemAvailable:" in /proc/meminfo, "inactive_file" in memory.stat; 0 if the word is missing.
double number_after(const fs::path& file, const std::string& word) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::istringstream fields(line);
    std::string name;
    double number = 0;
    if (fields >> name >> number && name == word) return number;
  }
  return 0;
}

// The only number of a file; `otherwise` if it does not begin with one, as "max".
double number_in(const fs::path& file, double otherwise) {
  double number = otherwise;
  std::ifstream in(file);
  return in >> number ? number : otherwise;
}

// The folders of this process's control groups that have this controller, from its own one to the root. A line of
// /proc/self/cgroup is "4:memory:/a/b" in version 1, "0::/a/b" in version 2.
std::vector<fs::path> control_groups(const fs::path& root, const std::string& controller) {
  std::vector<fs::path> folders;
  std::ifstream in(root / "proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const bool unified = controllers == ",,";
    if (!unified && controllers.find("," + controller + ",") == std::string::npos) continue;
    const fs::path top = unified ? root / "sys/fs/cgroup" : root / "sys/fs/cgroup" / controller;
    fs::path below = fs::path(line.substr(second + 1)).relative_path();
    for (;; below = below.parent_path()) {
      folders.push_back(top / below);
      if (below.empty()) break;
    }
  }
  return folders;
}

double available_bytes(const fs::path& root) {
  constexpr double kKib = 1024;
  double available = number_after(root / "proc/meminfo", "MemAvailable:") * kKib;
  if (available == 0) available = kUnlimited;
  for (const fs::path& group : control_groups(root, "memory")) {
    const double most =
        std::min(number_in(group / "memory.max", kUnlimited), number_in(group / "memory.limit_in_bytes", kUnlimited));
    const double used = std::max(number_in(group / "memory.current", 0), number_in(group / "memory.usage_in_bytes", 0));
    // Pages of files, which the kernel gives up first.
    const double cached = std::max(number_after(group / "memory.stat", "inactive_file"),
                                   number_after(group / "memory.stat", "total_inactive_file"));
    available = std::min(available, std::max(0.0, most - used + cached));
  }
  return available;
}

long available_tasks(const fs::path& root) {
  double available = std::min(number_in(root / "proc/sys/kernel/pid_max", kUnlimited),
                              number_in(root / "proc/sys/kernel/threads-max", kUnlimited));
  // "0.50 0.40 0.30 2/345 6789": 345 tasks.
  std::ifstream in(root / "proc/loadavg");
  std::string load;
  double running = 0, all = 0;
  char slash = 0;
  if (in >> load >> load >> load >> running >> slash >> all) available -= all;
  for (const fs::path& group : control_groups(root, "pids"))
    available = std::min(available, number_in(group / "pids.max", kUnlimited) - number_in(group / "pids.current", 0));
  rlimit limit{};
  // Root has no limit of processes.
  if (::geteuid() != 0 && ::getrlimit(RLIMIT_NPROC, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    available = std::min(available, static_cast<double>(limit.rlim_cur));
  return available < static_cast<double>(kNoLimit) ? static_cast<long>(std::max(0.0, available)) : kNoLimit;
}

// We raise the limit to the hard one (launched_ranks.cc).
long available_files() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_max == RLIM_INFINITY) return kNoLimit;
  return static_cast<long>(limit.rlim_max);
}

bool fits(const Demand& demand, const Capacity& capacity) {
  return demand.bytes <= capacity.bytes && demand.tasks <= capacity.tasks && demand.files <= capacity.files;
}

// "the ranks of Open MPI".
std::string ranks_of(Library::Kind library) {
  return library == Library::Kind::kUnknown ? "the ranks" : "the ranks of " + name_of(library);
}

}  // namespace

Demand demand_of(Library::Kind library, int ranks) {
  const PerRank& each = figures_of(library);
  const double number = ranks;
  return {.bytes = kLauncher.bytes + number * (each.bytes + number * each.peer_bytes),
          .tasks = kLauncher.tasks + ranks * each.tasks,
          .files = kLauncher.files + ranks * each.files};
}

Capacity capacity_here(const fs::path& root) {
  return {.bytes = available_bytes(root), .tasks = available_tasks(root), .files = available_files()};
}

int most_ranks(Library::Kind library, const Capacity& capacity) {
  constexpr int kMost = 1 << 20;
  int least = 0, most = kMost;  // the first fits, if any does; bisection
  while (least < most) {
    const int middle = least + (most - least + 1) / 2;
    if (fits(demand_of(library, middle), capacity)) {
      least = middle;
    } else {
      most = middle - 1;
    }
  }
  return least;
}

void require_room(Library::Kind library, int ranks, const Capacity& capacity) {
  const Demand demand = demand_of(library, ranks);
  if (fits(demand, capacity)) return;
  const std::string where = fmt::format("-n {}", ranks), who = ranks_of(library);
  const int most = most_ranks(library, capacity);
  const std::string fewer = most > 0 ? fmt::format("give at most -n {}, or ", most) : "";
  if (demand.bytes > capacity.bytes) {
    throw InputError(where,
                     fmt::format("{} need about {} of memory, and {} are available here", who, gigabytes(demand.bytes),
                                 gigabytes(capacity.bytes)),
                     fewer + "use a computer with more memory");
  }
  if (demand.tasks > capacity.tasks) {
    throw InputError(where,
                     fmt::format("{} need {} processes and threads, and this computer allows {} more", who,
                                 demand.tasks, capacity.tasks),
                     fewer + "raise the limit: ulimit -u, kernel.pid_max, or pids.max of the control group");
  }
  throw InputError(
      where, fmt::format("{} open files are needed, and a process may have {} here", demand.files, capacity.files),
      fewer + fmt::format("raise the limit: ulimit -Hn {}", demand.files));
}

std::string gigabytes(double bytes) {
  return bytes < 10e9 ? fmt::format("{:.1f} GB", bytes / 1e9) : fmt::format("{:.0f} GB", bytes / 1e9);
}

}  // namespace strata::native
