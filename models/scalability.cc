// SPDX-License-Identifier: LGPL-2.1-only
#include "models/scalability.h"

#include <charconv>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <string_view>
#include <system_error>

#include "base/error.h"
#include "base/input_file.h"

namespace strata::models {
namespace {

// Reads all of `text` as a number; false if it is not one.
template <class Number>
bool parse(std::string_view text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

Scalability amdahl(const std::string& spec, const std::string& option) {
  double serial = -1;
  if (!parse(std::string_view(spec).substr(spec.find(':') + 1), serial) || !(serial >= 0 && serial <= 1)) {
    throw InputError(option, "'" + spec + "' has no serial part from 0 to 1", "write for example amdahl:0.01");
  }
  return {.time = [serial](int cores) { return serial + (1 - serial) / cores; }};
}

// Reads the speed by number of cores.
std::map<int, double> read_speeds(const std::string& file) {
  std::ifstream in = open_input(file, "give linear, amdahl:F or a file with lines `cores time`");
  std::map<int, double> speeds;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string cores_text, time_text, more;
    if (!(words >> cores_text)) continue;
    const std::string at = file + ":" + std::to_string(number);
    int cores = 0;
    double time = 0;
    if (!(words >> time_text) || words >> more || !parse(cores_text, cores) || !parse(time_text, time) || cores < 1 ||
        !(time > 0 && std::isfinite(time))) {
      throw InputError(at, "is not `cores time`, both above 0", "write for example `64 1.5`");
    }
    if (!speeds.emplace(cores, 1 / time).second) {
      throw InputError(at, "duplicate time for " + cores_text + " cores", "keep one");
    }
  }
  if (in.bad()) throw InputError(file, "cannot be read", "give a file with lines `cores time`");
  if (speeds.empty()) throw InputError(file, "has no times", "give lines `cores time`");
  return speeds;
}

double interpolated_time(const std::map<int, double>& speeds, int cores) {
  const auto above = speeds.lower_bound(cores);
  if (above->first == cores) return 1 / above->second;
  const auto below = std::prev(above);
  const double part = static_cast<double>(cores - below->first) / (above->first - below->first);
  return 1 / (below->second + part * (above->second - below->second));
}

}  // namespace

Scalability read_scalability(const std::string& spec, const std::string& option) {
  if (spec == "linear") return {.time = [](int cores) { return 1.0 / cores; }};
  if (spec.starts_with("amdahl:")) return amdahl(spec, option);
  const std::map<int, double> speeds = read_speeds(spec);
  return {.time = [speeds](int cores) { return interpolated_time(speeds, cores); },
          .least_cores = speeds.begin()->first,
          .most_cores = speeds.rbegin()->first};
}

}  // namespace strata::models
