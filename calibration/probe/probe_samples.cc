// SPDX-License-Identifier: LGPL-2.1-only
#include "calibration/probe/probe_samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/input_file.h"
#include "base/line_text.h"
#include "calibration/readers/measured_file.h"

namespace strata::calibration {
namespace {

constexpr std::pair<std::string_view, Operation> kOperations[] = {
    {"ping_pong", Operation::kPingPong},
    {"one_way", Operation::kOneWay},
    {"both_ways", Operation::kBothWays},
    {"rate", Operation::kRate},
    {"send_overhead", Operation::kSendOverhead},
    {"receive_overhead", Operation::kReceiveOverhead},
    {"queue", Operation::kQueue},
    {"eager_limit", Operation::kEagerLimit},
    {"copy", Operation::kCopy},
    {"triad", Operation::kTriad},
    {"broadcast", Operation::kBroadcast},
    {"allgather", Operation::kAllgather},
    {"ring", Operation::kRing},
};

constexpr std::string_view kFirst = "# strata probe 1", kHeading = "operation,level,bytes,at_once,sample,value";
constexpr std::string_view kPlace = "# place ";
constexpr const char* kRemedy = "give the samples.csv that the probe wrote";

}  // namespace

Reading read_probe(const std::filesystem::path& file) {
  std::ifstream in = open_input(file, kRemedy);
  Reading reading;
  std::string line;
  bool in_table = false;
  for (long number = 1; std::getline(in, line); ++number) {
    const auto fail = [&](const std::string& what) {
      throw InputError(fmt::format("{}:{}", file.string(), number), what, kRemedy);
    };
    if (in.eof()) fail("the last line is cut off");
    if (number == 1 && line != kFirst) fail("is not a file of the probe's samples");
    if (!in_table) {
      constexpr std::string_view kMpi = "# mpi: ";
      if (line.starts_with(kMpi)) reading.program = "strata probe under " + line.substr(kMpi.size());
      if (line.starts_with(kPlace)) {
        const std::vector<std::string_view> words = words_of(std::string_view(line).substr(kPlace.size()));
        std::array<std::optional<double>, 3> numbers;
        for (size_t i = 0; i < std::min(words.size(), numbers.size()); ++i) numbers[i] = whole_number_of(words[i]);
        const bool good = words.size() == 3 && std::all_of(numbers.begin(), numbers.end(), [](const auto& n) {
                            return n && *n <= std::numeric_limits<int>::max();
                          });
        if (!good || *numbers[0] != static_cast<double>(reading.places.size()))
          fail("a place is a rank, its node and its processor, by rank");
        reading.places.push_back({static_cast<int>(*numbers[1]), static_cast<int>(*numbers[2])});
      }
      in_table = line == kHeading;
      if (!in_table && !line.starts_with('#')) fail("the heading is missing");
      continue;
    }
    if (line.starts_with('#')) continue;
    const std::vector<std::string_view> fields = fields_of(line);
    const auto* operation = fields.empty() ? std::end(kOperations)
                                           : std::find_if(std::begin(kOperations), std::end(kOperations),
                                                          [&](const auto& o) { return o.first == fields[0]; });
    if (fields.size() != 6) fail(fmt::format("{} fields instead of 6", fields.size()));
    if (operation == std::end(kOperations)) fail(fmt::format("'{}' is not an operation of the probe", fields[0]));
    const std::optional<double> bytes = whole_number_of(fields[2]), value = number_of(fields[5]);
    const std::optional<int> at_once = count_of(fields[3]);
    if (!bytes || !at_once || !whole_number_of(fields[4])) fail("bytes, at_once and sample are whole numbers");
    if (!value || *value <= 0) fail(fmt::format("'{}' is not a time, rate or size above 0", fields[5]));
    reading.measurements.push_back({operation->second, std::string(fields[1]), *bytes, *at_once, *value,
                                    fmt::format("{}:{}", file.filename().string(), number)});
  }
  if (reading.measurements.empty()) throw InputError(file.string(), "holds no sample", kRemedy);
  return reading;
}

}  // namespace strata::calibration
