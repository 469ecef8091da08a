// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/launcher/resources.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <limits>

#include "base/error.h"
#include "console/number.h"

namespace strata::sim {
namespace {

// Measured with `ulimit -n`: exec and run of programs that open no files need 12. The others are for the program's
// files and libraries, of which a few are open at a time.
constexpr long kOpenFiles = 32;
constexpr long kOpenFilesPerJob = 2;  // its scratch folder, and a file that is written

// Measured: the peak of smpimain on 240,000 to 480,000 cores of four kinds of nodes, 5.4 to 5.9 kB per core without and
// 6.6 kB with a profile. SimGrid makes a host for each core, and its links.
constexpr double kCore_bytes = 6e3;

// Memory that the kernel can give without swapping, or that processes here may have.
double available_bytes() {
  double available = std::numeric_limits<double>::infinity();
  std::ifstream in("/proc/meminfo");
  for (std::string name, unit; in >> name;) {
    double kib = 0;
    if (name == "MemAvailable:" && in >> kib) available = kib * 1024;
    in.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    available = std::min(available, static_cast<double>(limit.rlim_cur));
  return available;
}

}  // namespace

void require_open_files(int jobs) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
  const long needed = kOpenFiles + kOpenFilesPerJob * std::max(jobs, 1);
  if (static_cast<long>(limit.rlim_cur) >= needed) return;
  throw InputError(
      "open files",
      fmt::format("a process may have {} here, and simulations need {}", static_cast<long>(limit.rlim_cur), needed),
      fmt::format("raise the limit: ulimit -n {}", needed));
}

double simulation_memory_bytes(const Machine& machine) {
  return kCore_bytes * static_cast<double>(machine.topology->cores().size());
}

void require_memory(const Machine& machine) {
  const double needed = simulation_memory_bytes(machine), available = available_bytes();
  if (needed <= available) return;
  throw InputError("machine " + machine.name,
                   fmt::format("a simulation of its {} cores needs about {} of memory, and {} are available here",
                               machine.topology->cores().size(), console::with_unit(needed, "B", 2),
                               console::with_unit(available, "B", 2)),
                   "give fewer nodes, or use a computer with more memory");
}

}  // namespace strata::sim
