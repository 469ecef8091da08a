// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/launcher/host_speed.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/error.h"
#include "base/output_error.h"
#include "base/units.h"
#include "base/whole_file.h"
#include "sim/launcher/installation.h"

namespace strata::sim {
namespace {

namespace fs = std::filesystem;

// Independent sums. They fill the pipelines of two units for eight doubles each, with a latency of four cycles.
constexpr int kSums = 64;
constexpr long kRounds = 400'000;
constexpr int kRepetitions = 20;

// Not with ThreadSanitizer: the function that selects a version runs before the sanitizer is initialized, and crashes.
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
#define STRATA_WIDEST __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define STRATA_WIDEST
#endif

STRATA_WIDEST __attribute__((optimize("O3", "fast-math"))) double multiply_and_add(double factor, double summand) {
  std::array<double, kSums> sums{};
  for (long i = 0; i < kRounds; ++i) {
    for (int s = 0; s < kSums; ++s) sums[s] = sums[s] * factor + summand;
  }
  double total = 0;
  for (const double sum : sums) total += sum;
  return total;
}

double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// The processor's model name, from the system.
std::string processor() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("model name")) continue;
    const size_t colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return "this processor";
}

}  // namespace

double measure_host_speed() {
  volatile double factor = 0.999, summand = 0.001, result = 0;
  double best = 0;
  for (int i = 0; i < kRepetitions; ++i) {
    const double begun = processor_seconds();
    result = result + multiply_and_add(factor, summand);
    const double taken = processor_seconds() - begun;
    if (taken > 0) best = std::max(best, 2.0 * kSums * kRounds / taken);
  }
  return best;
}

HostSpeed host_speed() {
  const std::string model = processor();
  fs::path folder;
  try {
    folder = cache_folder();
  } catch (const InputError&) {  // without a cache folder, the speed is measured each time
  }
  const fs::path file = folder / "host-speed.txt";
  const auto answer = [&](double speed) {
    return HostSpeed{speed, fmt::format("a core of {} does {:.3g} Gflop/s (measured: multiplications and additions of "
                                        "doubles; --host-speed gives another)",
                                        model, speed / 1e9)};
  };
  if (!folder.empty()) {
    // "speed in flop/s, space, processor".
    std::ifstream in(file);
    double kept = 0;
    std::string of;
    if (in >> kept && std::getline(in >> std::ws, of) && of == model && kept > 0) return answer(kept);
  }
  const double speed = measure_host_speed();
  if (!folder.empty()) {
    std::error_code ignored;
    fs::create_directories(folder, ignored);
    try {
      write_whole(file, fmt::format("{:.6e} {}\n", speed, model));
    } catch (const OutputError&) {
      return answer(speed);  // not stored, so it will be measured again next time
    }
  }
  return answer(speed);
}

HostSpeed parse_host_speed(const std::string& text) {
  std::istringstream in(text);
  double number = 0;
  std::string unit, rest;
  const bool read = static_cast<bool>(in >> number >> unit) && !(in >> rest);
  const double factor = read ? unit_factor("speed", unit) : 0;
  if (!(number > 0) || factor == 0) {
    throw InputError("--host-speed", "'" + text + "' is not a speed",
                     fmt::format("write for example \"20 Gflop/s\"; units: {}", fmt::join(unit_names("speed"), ", ")));
  }
  return {number * factor,
          fmt::format("a core of this computer does {:.3g} Gflop/s (--host-speed)", number * factor / 1e9)};
}

}  // namespace strata::sim
