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

#include "base/line_text.h"
#include "calibration/readers/measured_file.h"

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
  int latency_stride = 1, bandwidth_stride = 1;
};

// A number, and the line in which it stands.
struct Printed {
  double value = 0;
  std::string source;
};

// The times of ping-pongs with messages of one size, in seconds, over all pairs.
struct PingPongs {
  double bytes;
  std::optional<Printed> best = {}, average = {}, worst = {};
};

// The same for both sizes, and the times of rounds of the naturally ordered ring, in seconds.
struct Messages {
  PingPongs latency{.bytes = kLatencyBytes}, bandwidth{.bytes = kBandwidthBytes};
  std::optional<Printed> short_ring = {}, long_ring = {};
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

// Reads the stride of the pairs, which is printed below the size of the messages.
void read_stride(std::string_view text, bool& is_of_long, Counts& counts) {
  const std::size_t equals = text.find('='), colon = text.find(':');
  if (text.starts_with("message size:"))
    is_of_long = number_of(trimmed(text.substr(colon + 1))).value_or(0) > kLatencyBytes;
  if (!text.starts_with("stride for latency") || equals == std::string_view::npos) return;
  if (const std::optional<int> stride = count_of(trimmed(text.substr(equals + 1))))
    (is_of_long ? counts.bandwidth_stride : counts.latency_stride) = *stride;
}

bool is_of_messages(std::string_view key) {
  return key.find("PingPong") != std::string_view::npos || key.starts_with("NaturallyOrderedRing");
}

void read_messages(std::string_view key, double value, Messages& messages, MeasuredFile& in) {
  if (!(value > 0)) {
    return in.leave_out(fmt::format("{} is measured, which is not positive", value),
                        "measure again with more repetitions");
  }
  const bool is_latency = key.ends_with("Latency_usec");
  const double seconds = is_latency ? value * kMicrosecond : kBandwidthBytes / (value * kGigabyte);
  if (key.starts_with("Naturally")) {
    (is_latency ? messages.short_ring : messages.long_ring) = Printed{2 * seconds, in.here()};
    return;
  }
  PingPongs& pairs = is_latency ? messages.latency : messages.bandwidth;
  if (key.starts_with("Avg")) pairs.average = {seconds, in.here()};
  if (key.starts_with(is_latency ? "Min" : "Max")) pairs.best = {seconds, in.here()};
  if (key.starts_with(is_latency ? "Max" : "Min")) pairs.worst = {seconds, in.here()};
}

void add_pairs(const PingPongs& pairs, const PairLevels& levels, MeasuredFile& in) {
  const auto add = [&](const std::string& level, const std::optional<Printed>& time) {
    if (time) in.add_earlier({Operation::kPingPong, level, pairs.bytes, 1, time->value, time->source});
  };
  if (levels.innermost == levels.outermost) return add(levels.outermost, pairs.average ? pairs.average : pairs.worst);
  add(levels.outermost, pairs.worst);
  add(levels.innermost, pairs.best);
}

// Adds what the pairs and the rings measured, once all of it is known.
void add_messages(const Messages& messages, const Counts& counts, const LevelsOfPairs& levels_of, MeasuredFile& in) {
  const auto has = [](const PingPongs& p) { return p.best || p.average || p.worst; };
  const bool has_rings = messages.short_ring || messages.long_ring;
  if (!has(messages.latency) && !has(messages.bandwidth) && !has_rings) return;
  if (!counts.processes || !is_count(*counts.processes))
    return in.leave_out("ping-pongs and rings come without CommWorldProcs", "keep the whole summary");
  const int processes = static_cast<int>(*counts.processes);
  const PairLevels levels = levels_of(processes, counts.latency_stride),
                   of_long = levels_of(processes, counts.bandwidth_stride);
  if (!levels.problem.empty()) return in.pass_over(levels.problem + ": ping-pongs and rings are not used");
  if (!of_long.problem.empty()) return in.pass_over(of_long.problem + ": ping-pongs and rings are not used");
  if (!levels.assumption.empty()) in.pass_over(levels.assumption);
  add_pairs(messages.latency, levels, in);
  add_pairs(messages.bandwidth, of_long, in);
  if (levels.innermost != levels.outermost) {
    in.pass_over(
        fmt::format("the pairs of {} processes meet at several levels: the best are used for {}, the worst for "
                    "{}, and the averages are not used",
                    processes, levels.innermost, levels.outermost));
  }
  const std::string& level = levels.outermost;
  const auto add_ring = [&](const std::optional<Printed>& round, double bytes) {
    if (round) in.add_earlier({Operation::kExchange, level, bytes, processes, round->value, round->source});
  };
  add_ring(messages.short_ring, kLatencyBytes);
  if (processes == 2 && messages.long_ring) {
    constexpr double kMessagesOfARound = 4;  // each process sends two
    in.add_earlier({Operation::kBothWays, level, kBandwidthBytes, 1,
                    kMessagesOfARound * kBandwidthBytes / messages.long_ring->value, messages.long_ring->source});
  } else {
    add_ring(messages.long_ring, kBandwidthBytes);
  }
}

}  // namespace

Reading read_hpcc(const std::filesystem::path& file, const LevelsOfPairs& levels) {
  MeasuredFile in(file, "hpccoutf.txt of HPCC, with its line 'Begin of Summary section.'");
  Counts counts;
  Messages messages;
  bool is_inside = false, is_of_long = false;
  std::string version;
  while (in.next()) {
    const std::string_view text = in.text();
    if (text.starts_with("Begin of Summary section")) is_inside = true;
    if (text.starts_with("End of Summary section")) is_inside = false;
    if (!is_inside) read_stride(text, is_of_long, counts);
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
    } else if (is_of_messages(key)) {
      if (const std::optional<double> value = in.uncut_number(figure)) read_messages(key, *value, messages, in);
    } else if (key.starts_with("RandomlyOrderedRing")) {
      in.pass_over("randomly ordered rings, whose neighbours meet at any level, are not used");
    }
  }
  if (is_inside) in.pass_over("the summary does not end; the file may be cut");
  add_messages(messages, counts, levels, in);
  in.program = version;
  return in.finish();
}

}  // namespace strata::calibration
