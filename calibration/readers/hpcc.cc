// SPDX-License-Identifier: LGPL-2.1-only
#include "calibration/readers/hpcc.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "calibration/readers/measured_file.h"
#include "platforms/line_text.h"

namespace strata::calibration {
namespace {

constexpr double kGigabyte = 1e9;            // B
constexpr double kLatencyBytes = 8;          // of a message; printed as "Message Length: 8"
constexpr double kBandwidthBytes = 2000000;  // printed as "Message Length: 2000000"
constexpr double kElementBytes = 8;          // of an array: a double

// Figures that the benchmark prints before the others, which depend on them.
struct Counts {
  std::optional<double> processes, elements;
  double threads = 1;  // HPCC 1.0 has no threads, and does not print their number
};

bool is_count(double value) { return value >= 1 && value <= std::numeric_limits<int>::max(); }

void read_stream(std::string_view key, double value, const Counts& counts, MeasuredFile& in) {
  const bool star = key.starts_with("Star");
  const Operation operation = key.ends_with("_Copy") ? Operation::kCopy : Operation::kTriad;
  if (!counts.elements || (star && !counts.processes)) {
    return in.leave_out(
        std::string(key) + " comes without " + (counts.elements ? "CommWorldProcs" : "STREAM_VectorSize"),
        "keep the whole summary");
  }
  const double processes = star ? *counts.processes : 1;
  const double takers = processes * counts.threads;
  if (!is_count(takers)) return in.leave_out(fmt::format("{} threads", takers), "keep the summary as HPCC prints it");
  in.add({operation, "", kElementBytes * *counts.elements * processes, static_cast<int>(takers),
          value * kGigabyte * processes, ""});
}

// Figures of the pairs: the average, or the worst if the version has no average.
struct PingPongs {
  bool has_averages = false;
  std::vector<Measurement> worst;
};

void read_ping_pong(std::string_view key, double value, const std::string& level, PingPongs& found, MeasuredFile& in) {
  const bool is_latency = key.find("Latency") != std::string_view::npos;
  const double seconds = is_latency ? value * kMicrosecond : kBandwidthBytes / (value * kGigabyte);
  const Measurement measured{
      Operation::kPingPong, level, is_latency ? kLatencyBytes : kBandwidthBytes, 1, seconds, in.here()};
  if (!key.starts_with("Avg")) return found.worst.push_back(measured);
  found.has_averages = true;
  in.add(measured);
}

}  // namespace

Reading read_hpcc(const std::filesystem::path& file, const std::string& level) {
  MeasuredFile in(file, "hpccoutf.txt of HPCC, with its line 'Begin of Summary section.'");
  Counts counts;
  PingPongs ping_pongs;
  bool is_inside = false;
  std::string version;
  while (in.next()) {
    const std::string_view text = in.text();
    if (text.starts_with("Begin of Summary section")) is_inside = true;
    if (text.starts_with("End of Summary section")) is_inside = false;
    const std::size_t equals = text.find('=');
    if (!is_inside || equals == std::string_view::npos) continue;
    const std::string_view key = text.substr(0, equals), figure = text.substr(equals + 1);
    const auto is_any_of = [&](std::initializer_list<std::string_view> keys) {
      return std::find(keys.begin(), keys.end(), key) != keys.end();
    };
    if (is_any_of({"VersionMajor", "VersionMinor", "VersionMicro"})) {
      version += (version.empty() ? "HPCC " : ".") + printable(figure);
    } else if (key == "Success" && figure != "1") {
      in.pass_over("HPCC says that a test of it failed");
    } else if (is_any_of({"CommWorldProcs", "STREAM_VectorSize", "STREAM_Threads"})) {
      const std::optional<double> count = in.number(figure);
      if (!count) continue;
      if (key == "CommWorldProcs") counts.processes = count;
      if (key == "STREAM_VectorSize") counts.elements = count;
      if (key == "STREAM_Threads") counts.threads = *count;
    } else if (is_any_of({"SingleSTREAM_Copy", "SingleSTREAM_Triad", "StarSTREAM_Copy", "StarSTREAM_Triad"})) {
      if (const std::optional<double> value = in.number(figure)) read_stream(key, *value, counts, in);
    } else if (is_any_of({"AvgPingPongLatency_usec", "AvgPingPongBandwidth_GBytes", "MaxPingPongLatency_usec",
                          "MinPingPongBandwidth_GBytes"})) {
      if (const std::optional<double> value = in.number(figure)) read_ping_pong(key, *value, level, ping_pongs, in);
    } else if (key.find("OrderedRing") != std::string_view::npos) {
      in.pass_over("rings of both directions are not used");
    }
  }
  if (is_inside) in.pass_over("the summary does not end; the file may be cut");
  if (!ping_pongs.has_averages) {
    for (const Measurement& measured : ping_pongs.worst) in.add(measured);
  }
  in.program = version;
  return in.finish();
}

}  // namespace strata::calibration
