// SPDX-License-Identifier: LGPL-2.1-only
#include "calibration/readers/kerncraft.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/line_text.h"
#include "base/yaml_reader.h"
#include "calibration/readers/measured_file.h"

namespace strata::calibration {
namespace {

struct Kernel {
  const char* name;
  Operation operation;
  double arrays;
};

constexpr std::array kKernels = {
    Kernel{"copy", Operation::kCopy, 2},
    Kernel{"triad", Operation::kTriad, 4},
    Kernel{"daxpy", Operation::kDaxpy, 2},
};

constexpr long kMostCores = std::numeric_limits<int>::max();
constexpr const char* kMissing = "give a machine file of kerncraft 0.8 with its benchmarks";

double factor_of(std::string_view prefix) {
  if (prefix.empty()) return 1;
  if (prefix == "k") return 1e3;
  if (prefix == "M") return 1e6;
  if (prefix == "G") return 1e9;
  if (prefix == "T") return 1e12;
  return 0;
}

// Parses "12.00 GB/s" with the unit "B/s" as 1.2e10.
double quantity(const YamlReader& at, std::string_view unit) {
  const std::string text = at.text();
  const std::vector<std::string_view> words = words_of(text);
  if (words.size() == 2 && words[1].ends_with(unit)) {
    const double factor = factor_of(words[1].substr(0, words[1].size() - unit.size()));
    const std::optional<double> value = number_of(words[0]);
    if (value && factor > 0 && std::isfinite(*value * factor)) return *value * factor;
  }
  at.fail(shown(text) + " is not a quantity in " + std::string(unit),
          fmt::format("write for example '12.00 G{}', with a decimal point", unit));
}

// A list with one value for each number of cores.
std::vector<YamlReader> list(const YamlReader& parent, const std::string& key, std::size_t size) {
  std::vector<YamlReader> values = parent.at(key, kMissing).items();
  if (values.size() != size) {
    parent.at(key).fail(fmt::format("has {} values for {} numbers of cores", values.size(), size),
                        "write one for each");
  }
  return values;
}

// As in line-based files, an invalid value only gives a note, and the others are used.
void add(Measurement measured, const YamlReader& at, const std::string& name, Reading& reading) {
  if (!(measured.value > 0) || !(measured.bytes > 0)) {
    reading.notes.push_back(at.where() + ": a bandwidth or size is not positive; it is left out");
    return;
  }
  measured.source = fmt::format("{}:{}", name, at.line());
  reading.measurements.push_back(std::move(measured));
}

// `most_cores`: of a `domain`, beyond which measurements are not used.
void read_threads(const YamlReader& at, std::span<const Kernel> kernels, long most_cores, const std::string& domain,
                  const std::string& name, Reading& reading) {
  const std::vector<YamlReader> cores = at.at("cores", kMissing).items();
  const std::vector<YamlReader> sizes = list(at, "total size", cores.size());
  const YamlReader results = at.at("results", kMissing);
  bool is_beyond = false;
  for (const Kernel& kernel : kernels) {
    if (!results.has(kernel.name)) continue;
    const std::vector<YamlReader> rates = list(results, kernel.name, cores.size());
    for (std::size_t i = 0; i < cores.size(); ++i) {
      const long count = cores[i].integer(1, kMostCores);
      if (count > most_cores) {
        is_beyond = true;
        continue;
      }
      const double bytes = std::floor(quantity(sizes[i], "B") / kernel.arrays);
      add({kernel.operation, "", bytes, static_cast<int>(count), quantity(rates[i], "B/s"), ""}, rates[i], name,
          reading);
    }
  }
  if (is_beyond) {
    reading.notes.push_back(fmt::format("{}: more than {} cores are of several {}; they are not used",
                                        at.at("cores").where(), most_cores, domain));
  }
}

// Copies in the outermost cache, if they were measured.
void read_cache(const YamlReader& top, const std::string& name, Reading& reading) {
  if (!top.has("memory hierarchy")) return;
  std::optional<YamlReader> outermost;
  for (const YamlReader& level : top.at("memory hierarchy").items()) {
    if (level.at("level", kMissing).text() == "MEM") break;
    outermost = level;
  }
  const YamlReader measured = top.at("benchmarks").at("measurements");
  if (!outermost || !measured.has(outermost->at("level").text())) return;
  const long sharing = outermost->at("cores per group", kMissing).integer(1, kMostCores);
  const YamlReader cache = measured.at(outermost->at("level").text());
  for (const std::string& threads : cache.keys()) {
    const YamlReader at = cache.at(threads);
    if (at.at("threads per core", kMissing).integer(1, kMostCores) != 1) continue;
    read_threads(at, std::span(kKernels).first(1), sharing, "caches", name, reading);
  }
}

}  // namespace

Reading read_kerncraft(const std::filesystem::path& file) {
  const YamlReader top(file.string(), load_yaml(file, "give a machine file of kerncraft"));
  const YamlReader memory = top.at("benchmarks", kMissing).at("measurements", kMissing).at("MEM", kMissing);
  const long most_cores = top.at("cores per NUMA domain", kMissing).integer(1, kMostCores);
  Reading reading;
  if (top.has("kerncraft version")) reading.program = "kerncraft " + printable(top.at("kerncraft version").text());
  for (const std::string& threads : memory.keys()) {
    const YamlReader at = memory.at(threads);
    if (at.at("threads per core", kMissing).integer(1, kMostCores) == 1) {
      read_threads(at, kKernels, most_cores, "NUMA domains", file.filename().string(), reading);
    } else {
      reading.notes.push_back(at.where() + ": several threads per core are not used");
    }
  }
  if (reading.measurements.empty()) {
    memory.fail("has no bandwidth of copy, triad or daxpy with one thread per core", kMissing);
  }
  read_cache(top, file.filename().string(), reading);
  return reading;
}

}  // namespace strata::calibration
