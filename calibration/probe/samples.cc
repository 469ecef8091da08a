// SPDX-License-Identifier: LGPL-2.1-only
#include "calibration/probe/samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <string_view>
#include <utility>

#include "platforms/error.h"

namespace strata::calibration {
namespace {

constexpr std::pair<std::string_view, Operation> kOperations[] = {
    {"ping_pong", Operation::kPingPong},
    {"one_way", Operation::kOneWay},
    {"both_ways", Operation::kBothWays},
    {"rate", Operation::kRate},
    {"send_overhead", Operation::kSendOverhead},
    {"receive_overhead", Operation::kReceiveOverhead},
    {"copy", Operation::kCopy},
    {"triad", Operation::kTriad},
    {"broadcast", Operation::kBroadcast},
    {"allgather", Operation::kAllgather},
    {"ring", Operation::kRing},
};

constexpr std::string_view kFirst = "# strata probe 1", kHeading = "operation,level,bytes,at_once,sample,value";
constexpr const char* kRemedy = "give the samples.csv that the probe wrote";

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  for (;;) {
    const size_t comma = line.find(',');
    fields.push_back(line.substr(0, comma));
    if (comma == std::string_view::npos) return fields;
    line.remove_prefix(comma + 1);
  }
}

template <class Number>
bool parse(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

Reading read_probe(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw InputError(file.string(), "cannot be read", kRemedy);
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
      in_table = line == kHeading;
      if (!in_table && !line.starts_with('#')) fail("the heading is missing");
      continue;
    }
    const std::vector<std::string_view> fields = fields_of(line);
    Measurement m;
    long bytes = 0, sample = 0;
    const auto* operation = fields.empty() ? std::end(kOperations)
                                           : std::find_if(std::begin(kOperations), std::end(kOperations),
                                                          [&](const auto& o) { return o.first == fields[0]; });
    if (fields.size() != 6) fail(fmt::format("{} fields instead of 6", fields.size()));
    if (operation == std::end(kOperations)) fail(fmt::format("'{}' is not an operation of the probe", fields[0]));
    if (!parse(fields[2], bytes) || bytes < 0 || !parse(fields[3], m.at_once) || m.at_once < 1 ||
        !parse(fields[4], sample) || sample < 0)
      fail("bytes, at_once and sample are whole numbers");
    if (!parse(fields[5], m.value) || !std::isfinite(m.value) || m.value <= 0)
      fail(fmt::format("'{}' is not a time or rate above 0", fields[5]));
    m.operation = operation->second;
    m.level = fields[1];
    m.bytes = static_cast<double>(bytes);
    m.source = fmt::format("{}:{}", file.filename().string(), number);
    reading.measurements.push_back(std::move(m));
  }
  if (reading.measurements.empty()) throw InputError(file.string(), "holds no sample", kRemedy);
  return reading;
}

}  // namespace strata::calibration
