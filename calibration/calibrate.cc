// SPDX-License-Identifier: LGPL-2.1-only
#include "calibration/calibrate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <utility>

#include "base/error.h"
#include "calibration/contradictions.h"
#include "calibration/evidence.h"
#include "calibration/fit/exchange.h"
#include "calibration/fit/sample.h"
#include "calibration/latency_order.h"
#include "calibration/level_costs.h"
#include "calibration/level_names.h"
#include "calibration/memory_costs.h"
#include "calibration/queue_search.h"
#include "platforms/payload.h"
#include "platforms/segments.h"

namespace strata::calibration {
namespace {

// B: a ping-pong of a single size determines the latency only if its bytes take little of its time.
constexpr double kShort = 1024;

constexpr const char* kTime = "time";
constexpr const char* kBandwidth = "bandwidth";
constexpr const char* kAsWithoutFigures = "as in a machine without figures of its own";

bool is_of_memory(Operation o) { return o == Operation::kCopy || o == Operation::kTriad || o == Operation::kDaxpy; }

// Collectives and rings are kept for validation, except for rings that show overheads.
bool is_fitted(const Measurement& m) {
  constexpr std::array kFitted = {Operation::kPingPong,   Operation::kOneWay,       Operation::kBothWays,
                                  Operation::kRate,       Operation::kSendOverhead, Operation::kReceiveOverhead,
                                  Operation::kCopy,       Operation::kTriad,        Operation::kDaxpy,
                                  Operation::kEagerLimit, Operation::kQueue};
  return shows_overheads(m) || std::find(kFitted.begin(), kFitted.end(), m.operation) != kFitted.end();
}

// Whether MPI_Isend was measured at this level.
bool measures_sends(const LevelEstimate& e) { return e.overhead || (!e.pieces.empty() && e.pieces[0].overhead); }

// That of its short messages; null: not measured.
const Estimate* exchange_of(const LevelEstimate& e) {
  return !e.pieces.empty() && e.pieces[0].eager.exchange ? &*e.pieces[0].eager.exchange : nullptr;
}

// "latency from 8192 B" for a segment.
std::string name_in(const Segment& s, const std::string& figure) {
  return figure == "from" ? fmt::format("from {} B", s.from.si) : fmt::format("{} from {} B", figure, s.from.si);
}

class Assembly {
 public:
  Assembly(Machine defaults, const std::vector<Measurement>& measurements) : machine_(std::move(defaults)) {
    use(measurements);
    machine_.source = fmt::format("measured: {}; what was not measured is assumed", fmt::join(files(), ", "));
  }

  Calibration make() {
    set_eager_limit();
    for (const LevelCosts& c : machine_.levels)
      estimates_.push_back(estimate_level(*machine_.topology, c.level, measurements_, machine_.eager_limit.si, notes_));
    const std::vector<LevelCosts> defaults = machine_.levels;
    for (size_t i = 0; i < estimates_.size(); ++i) set_messages(i);
    order_latencies(
        machine_.levels,
        [&](size_t i) {
          const auto found = intervals_.find({machine_.levels[i].level, "latency"});
          return found == intervals_.end() ? nullptr : &found->second;
        },
        notes_);
    for (size_t i = 0; i < estimates_.size(); ++i) set_overheads(i, defaults[i]);
    for (size_t i = 0; i < estimates_.size(); ++i) set_receive_overheads(i);
    for (size_t i = 0; i < estimates_.size(); ++i) set_copies(i);
    for (size_t i = 0; i < estimates_.size(); ++i) set_links(i, defaults[i]);
    set_ports();
    set_queue();
    set_memory();
    tell_unused();
    return {.machine = machine_, .figures = figures(), .curves = curves(), .notes = notes_};
  }

 private:
  // Keeps the measurements with valid values.
  void use(const std::vector<Measurement>& measurements) {
    if (measurements.empty()) throw InputError("calibration", "has no measurements", "give files that have some");
    for (const Measurement& m : measurements) {
      if (!(m.value > 0) || !(m.bytes >= 0) || m.at_once < 1 || !std::isfinite(m.value) || !std::isfinite(m.bytes)) {
        notes_.push_back(m.source + ": not a positive value; left out");
        continue;
      }
      const bool is_of_ports = machine_.ports && m.level == kPorts;
      if (is_fitted(m) && !is_of_memory(m.operation) && !is_of_ports) require_level(machine_, m.level, m.source);
      measurements_.push_back(m);
    }
    for (std::string& line : contradictions(measurements_)) notes_.push_back(std::move(line));
  }

  std::vector<std::string> files() const {
    std::vector<std::string> all;
    for (const Measurement& m : measurements_) {
      const std::string file = file_of(m);
      if (std::find(all.begin(), all.end(), file) == all.end()) all.push_back(file);
    }
    return all;
  }

  Figure measured(const std::string& level, const std::string& name, const Estimate& e, const char* dimension) {
    if (e.interval) intervals_[{level, name}] = *e.interval;
    return measured_figure(e.si, dimension, e.evidence, e.interval);
  }

  // A machine has one limit: that of the outermost level at which one was measured.
  void set_eager_limit() {
    std::optional<double> limit;
    for (const LevelCosts& c : machine_.levels) {
      const Evidence limits = select(measurements_, Operation::kEagerLimit, c.level);
      if (limits.empty()) continue;
      const std::vector<double> samples = values_of(limits);
      const double of_level = median(samples);
      if (!limit) {
        limit = of_level;
        const auto [low, high] = std::minmax_element(samples.begin(), samples.end());
        machine_.eager_limit = measured("messages", "eager_limit", {of_level, Interval{*low, *high}, limits}, "size");
      } else if (of_level != *limit) {
        notes_.push_back(
            fmt::format("{}: messages of {} B and more wait for their receiver; a machine has one limit, "
                        "that of its outermost level, {} B",
                        c.level, of_level, *limit));
      }
    }
  }

  // The nearest level to `i` of the same kind for which `has` is true; the outer one of two equally near ones. -1:
  // none.
  template <class Has>
  int nearest(size_t i, const Has& has) const {
    const auto count = static_cast<int>(estimates_.size());
    const auto at = static_cast<int>(i);
    for (int distance = 1; distance < count; ++distance) {
      for (const int j : {at - distance, at + distance}) {
        if (j < 0 || j >= count || estimates_[j].is_network != estimates_[i].is_network) continue;
        if (has(estimates_[j])) return j;
      }
    }
    return -1;
  }

  // --- latency, bandwidth, segments

  void set_messages(size_t i) {
    const LevelEstimate& e = estimates_[i];
    LevelCosts& c = machine_.levels[i];
    if (!e.pieces.empty()) {
      c.latency = measured(c.level, "latency", e.pieces[0].latency, kTime);
      c.bandwidth = measured(c.level, "bandwidth", e.pieces[0].bandwidth, kBandwidth);
      for (size_t p = 1; p < e.pieces.size(); ++p) {
        Segment s;
        s.from.si = e.pieces[p].from.si;
        s.from = measured(c.level, name_in(s, "from"), e.pieces[p].from, "size");
        s.latency = measured(c.level, name_in(s, "latency"), e.pieces[p].latency, kTime);
        s.bandwidth = measured(c.level, name_in(s, "bandwidth"), e.pieces[p].bandwidth, kBandwidth);
        c.segments.push_back(std::move(s));
      }
      return;
    }
    const int from = nearest(i, [](const LevelEstimate& other) { return !other.pieces.empty(); });
    if (from >= 0) {
      copy_messages(c, estimates_[from]);
      notes_.push_back(fmt::format("{}: no ping-pongs; assumed as level {}", c.level, estimates_[from].level));
    } else {
      notes_.push_back(fmt::format("{}: no ping-pongs; defaults are assumed", c.level));
    }
    set_without_line(c, e);
  }

  static void copy_messages(LevelCosts& c, const LevelEstimate& from) {
    const std::string source = "assumed: as level " + from.level + ", the nearest that was measured";
    c.latency = make_figure(from.pieces[0].latency.si, kTime, source);
    c.bandwidth = make_figure(from.pieces[0].bandwidth.si, kBandwidth, source);
    for (size_t p = 1; p < from.pieces.size(); ++p) {
      c.segments.push_back({.from = make_figure(from.pieces[p].from.si, "size", source),
                            .latency = make_figure(from.pieces[p].latency.si, kTime, source),
                            .overhead = {},
                            .bandwidth = make_figure(from.pieces[p].bandwidth.si, kBandwidth, source)});
    }
  }

  // Sets latency and bandwidth of a level without pieces from its other measurements.
  void set_without_line(LevelCosts& c, const LevelEstimate& e) {
    if (e.pair_bandwidth) {
      c.segments.clear();
      c.bandwidth = measured(c.level, "bandwidth", *e.pair_bandwidth, kBandwidth);
      c.bandwidth.source += ", of messages that follow each other";
    }
    if (!e.one_size) return;
    const double bytes = e.one_size->evidence.front().bytes;
    const MessageFigures so_far = figures_of(c, bytes);
    const double of_bytes = (bytes + kEnvelopeBytes) / so_far.bandwidth;
    if (bytes > kShort || e.one_size->si <= of_bytes) {
      notes_.push_back(fmt::format("{}: {} has ping-pongs of {} B alone, which tell no latency", c.level,
                                   files_of(e.one_size->evidence), bytes));
      return;
    }
    Estimate latency = *e.one_size;
    latency.si -= of_bytes;
    if (latency.interval) latency.interval = {latency.interval->low - of_bytes, latency.interval->high - of_bytes};
    // Shift the latencies of the other segments by the same difference.
    const double longer = latency.si - so_far.latency_s;
    Figure* of_size = &c.latency;
    std::string name = "latency";
    std::vector<Figure*> others;
    for (Segment& s : c.segments) {
      others.push_back(s.from.si <= bytes ? of_size : &s.latency);
      if (s.from.si > bytes) continue;
      of_size = &s.latency;
      name = name_in(s, "latency");
    }
    for (Figure* other : others) {
      *other = make_figure(std::max(other->si + longer, 0.0), kTime,
                           fmt::format("{}, and {} us as at {} B", other->source, digits(longer * 1e6, 3), bytes));
    }
    *of_size = measured(c.level, name, latency, kTime);
    notes_.push_back(fmt::format("{}: {} has ping-pongs of {} B alone; the bandwidth is not theirs", c.level,
                                 files_of(e.one_size->evidence), bytes));
  }

  // --- overheads

  // An overhead is part of the latency, so it is at most the latency, less the other overhead.
  static Figure within(const Figure& overhead, const Figure& latency, const Figure* other = nullptr) {
    const double room_s = std::max(0.0, latency.si - (other == nullptr ? 0 : other->si));
    if (overhead.si <= room_s) return overhead;
    Figure f = other == nullptr ? latency : make_figure(rounded_down(room_s), kTime, "");
    f.source = overhead.source + fmt::format(" (of {} {}), at most the latency{}", overhead.value, overhead.unit,
                                             other == nullptr ? "" : " less the overhead");
    return f;
  }

  // So that figures of four digits do not exceed it together with another.
  static double rounded_down(double seconds) {
    if (seconds <= 0) return 0;
    const double digit = std::pow(10, std::floor(std::log10(seconds)) - 3);
    return std::floor(seconds / digit) * digit;
  }

  void set_overheads(size_t i, const LevelCosts& defaults) {
    const LevelEstimate& e = estimates_[i];
    LevelCosts& c = machine_.levels[i];
    const bool is_measured = !e.pieces.empty() && e.pieces[0].overhead;
    const Figure overhead = is_measured  ? measured(c.level, "overhead", *e.pieces[0].overhead, kTime)
                            : e.overhead ? measured(c.level, "overhead", *e.overhead, kTime)
                                         : assumed_overhead(i, defaults);
    c.overhead = within(overhead, c.latency);
    const Figure* shorter = &overhead;
    std::vector<Figure> of_pieces;
    of_pieces.reserve(c.segments.size());
    for (size_t p = 1; p <= c.segments.size(); ++p) {
      Segment& s = c.segments[p - 1];
      const bool has_piece = p < e.pieces.size();
      if (has_piece && is_measured) {
        of_pieces.push_back(measured(c.level, name_in(s, "overhead"), *e.pieces[p].overhead, kTime));
      } else if (has_piece && !e.overhead && e.pieces[p].eager.one_way) {
        of_pieces.push_back(bound(*e.pieces[p].eager.one_way, "these sizes"));
      } else {
        of_pieces.push_back(*shorter);
      }
      shorter = &of_pieces.back();
      s.overhead = within(*shorter, s.latency);
    }
  }

  // `of`: messages of one pair.
  static Figure bound(const Estimate& of, const std::string& sizes) {
    return make_figure(of.si, kTime,
                       fmt::format("assumed: 1 / message rate of one pair{} ({}), which bounds it from above",
                                   sizes.empty() ? "" : ", of " + sizes, files_of(of.evidence)));
  }

  Figure assumed_overhead(size_t i, const LevelCosts& defaults) const {
    const LevelEstimate& e = estimates_[i];
    const LevelCosts& c = machine_.levels[i];
    if (e.seconds_per_message) return bound(*e.seconds_per_message, "");
    if (const Estimate* const exchange = exchange_of(e)) {
      return make_figure(overhead_of_exchange(exchange->si, e.pieces[0].latency.si), kTime,
                         fmt::format("assumed: two ranks exchange two messages ({}), and both overheads are equal",
                                     files_of(exchange->evidence)));
    }
    const int from = nearest(i, measures_sends);
    if (from >= 0) {
      const LevelEstimate& other = estimates_[from];
      return make_figure(other.overhead ? other.overhead->si : other.pieces[0].overhead->si, kTime,
                         "assumed: as level " + other.level + ", the nearest where it was measured");
    }
    if (c.latency.source == defaults.latency.source) return defaults.overhead;
    const double part = defaults.overhead.si / defaults.latency.si;
    return make_figure(part * c.latency.si, kTime,
                       fmt::format("assumed: {} of the latency, {}", digits(part, 2), kAsWithoutFigures));
  }

  // --- receive overheads, after all overheads

  void set_receive_overheads(size_t i) {
    const LevelEstimate& e = estimates_[i];
    LevelCosts& c = machine_.levels[i];
    std::optional<Figure> shorter = receive_overhead(i, 0, "receive_overhead", c.overhead);
    const bool is_free = !shorter && is_receiving_free(i);
    if (!is_free) c.receive_overhead = within(shorter ? *shorter : as_sent(c.overhead), c.latency, &c.overhead);
    for (size_t p = 1; p <= c.segments.size(); ++p) {
      Segment& s = c.segments[p - 1];
      if (p < e.pieces.size()) {
        // A longer message does not take less.
        const auto own = receive_overhead(i, p, name_in(s, "receive_overhead"), s.overhead);
        if (own && (!shorter || own->si > shorter->si)) shorter = own;
      }
      if (shorter || !is_free)
        s.receive_overhead = within(shorter ? *shorter : as_sent(s.overhead), s.latency, &s.overhead);
    }
  }

  // Benchmarks of sends measure receives too. If these are missing, they took less than the clock's resolution.
  bool is_receiving_free(size_t i) const {
    const LevelEstimate& e = estimates_[i];
    if (measures_sends(e)) return true;
    if (e.seconds_per_message || exchange_of(e) != nullptr) return false;
    return nearest(i, measures_sends) >= 0;
  }

  // Nothing shows what a receive costs.
  static Figure as_sent(const Figure& overhead) {
    return make_figure(overhead.si, kTime,
                       "assumed: as the overhead; LogP (Culler et al. 1993) has one for both sides");
  }

  // From streams or exchanges of messages. Empty: they do not show it.
  static std::optional<Figure> of_streams(const PieceEstimate& p, const Figure& overhead) {
    if (p.eager.both_ways) {
      const double left_s = p.eager.both_ways->si - overhead.si;
      return make_figure(std::max(left_s, 0.0), kTime,
                         fmt::format("assumed: time of a message out and one in ({}) less the overhead",
                                     files_of(p.eager.both_ways->evidence)));
    }
    if (p.eager.one_way) {
      // A measured overhead that alone explains the rate leaves the receiver's unknown.
      if (p.overhead && !receiver_limits_rate(p)) return std::nullopt;
      return bound(*p.eager.one_way, "these sizes");
    }
    const auto of_exchange = receive_overhead_of_exchange(p.eager.exchange->si, p.latency.si, overhead.si);
    if (!of_exchange) return std::nullopt;
    return make_figure(*of_exchange, kTime,
                       fmt::format("assumed: what two ranks that exchange two messages ({}) take longer than a "
                                   "ping-pong",
                                   files_of(p.eager.exchange->evidence)));
  }

  // Whether a stream of messages is clearly slower than its sender, which waits for an answer after each window.
  static bool receiver_limits_rate(const PieceEstimate& p) {
    constexpr double kWindow = 64;  // messages: the default of osu_bw (OSU 5.3), and the probe's
    return p.overhead && p.eager.one_way &&
           p.eager.one_way->si > kClearly * (p.overhead->si + 2 * p.latency.si / kWindow);
  }

  // That of a piece. Empty: it is not known.
  std::optional<Figure> receive_overhead(size_t i, size_t piece, const std::string& name, const Figure& overhead) {
    const LevelEstimate& e = estimates_[i];
    const std::string& level = machine_.levels[i].level;
    if (piece == 0 && e.receive_overhead) return measured(level, name, *e.receive_overhead, kTime);
    if (piece < e.pieces.size()) {
      const PieceEstimate& p = e.pieces[piece];
      // A call that receives a message from the library's own queue does not show what it took to get it there.
      if (p.receive_overhead && receiver_limits_rate(p) && p.eager.one_way->si > kClearly * p.receive_overhead->si) {
        return make_figure(p.eager.one_way->si, kTime,
                           fmt::format("assumed: 1 / message rate of one pair ({}), whose sender is faster; the calls "
                                       "that receive take {} us ({})",
                                       files_of(p.eager.one_way->evidence), digits(p.receive_overhead->si * 1e6, 3),
                                       files_of(p.receive_overhead->evidence)));
      }
      if (p.receive_overhead) return measured(level, name, *p.receive_overhead, kTime);
      if (p.eager.both_ways || p.eager.one_way || p.eager.exchange) return of_streams(p, overhead);
    }
    if (piece > 0) return std::nullopt;
    const int from = nearest(i, [](const LevelEstimate& other) {
      return other.receive_overhead || (!other.pieces.empty() && other.pieces[0].receive_overhead);
    });
    if (from < 0) return std::nullopt;
    const LevelEstimate& other = estimates_[from];
    return make_figure(other.receive_overhead ? other.receive_overhead->si : other.pieces[0].receive_overhead->si,
                       kTime, "assumed: as level " + other.level + ", the nearest where it was measured");
  }

  // --- who copies messages within a node

  void set_copies(size_t i) {
    const LevelEstimate& e = estimates_[i];
    LevelCosts& c = machine_.levels[i];
    if (e.is_network) return;
    set_copies_of(c, e, 0, 0);
    for (size_t p = 1; p <= c.segments.size(); ++p) set_copies_of(c.segments[p - 1], e, p, c.segments[p - 1].from.si);
  }

  template <class Costs>
  void set_copies_of(Costs& c, const LevelEstimate& e, size_t piece, double from_bytes) const {
    const auto at_least_bandwidth = [&c](double bytes_per_s, const std::string& source) {
      if (bytes_per_s > c.bandwidth.si) return make_figure(bytes_per_s, kBandwidth, source);
      Figure f = c.bandwidth;
      f.source = source + fmt::format(" ({} GB/s), at least what one message gets", digits(bytes_per_s * 1e-9, 3));
      return f;
    };
    if (from_bytes >= machine_.eager_limit.si) {
      const std::string source = "assumed: its core copies it alone, straight from the sender's memory";
      c.receive_copy = e.pair_bandwidth
                           ? at_least_bandwidth(e.pair_bandwidth->si,
                                                source + ", as fast as " + files_of(e.pair_bandwidth->evidence))
                           : at_least_bandwidth(c.bandwidth.si, source);
      if (machine_.copies().si == 2) c.send_copy = c.receive_copy;
      return;
    }
    const MessageSeconds eager = piece < e.pieces.size() ? e.pieces[piece].eager : MessageSeconds{};
    if (!eager.one_way_copy) {
      constexpr double kCopies = 2;
      c.send_copy = c.receive_copy =
          make_figure(kCopies * c.bandwidth.si, kBandwidth,
                      "assumed: both cores copy it, one after the other, so each takes half of its time");
      return;
    }
    c.send_copy = c.receive_copy =
        at_least_bandwidth(eager.one_way_copy->si, fmt::format("assumed: as messages of one pair that follow each "
                                                               "other ({}), whose slower core it is",
                                                               files_of(eager.one_way_copy->evidence)));
    if (!eager.both_ways_copy) return;
    const double left = 1 / eager.both_ways_copy->si - 1 / eager.one_way_copy->si;  // s/B
    if (left <= 0) {
      c.receive_copy.reset();
      return;
    }
    c.receive_copy = at_least_bandwidth(
        1 / left, fmt::format("assumed: the time of a message out and one in ({}) less that of the sender's copy",
                              files_of(eager.both_ways_copy->evidence)));
  }

  // --- links

  // A message also uses the links of the levels inside the one where its path turns, so each link must carry at least
  // the bandwidth of one message of any outer level.
  void set_links(size_t i, const LevelCosts& defaults) {
    const LevelEstimate& e = estimates_[i];
    LevelCosts& c = machine_.levels[i];
    const LevelCosts* of_fastest = &c;
    for (size_t outer = 0; outer < i; ++outer) {
      const LevelCosts& other = machine_.levels[outer];
      if (widest_bandwidth(other) > widest_bandwidth(*of_fastest)) of_fastest = &other;
    }
    const LevelCosts& fastest = *of_fastest;
    const double least = widest_bandwidth(fastest);
    c.link_bandwidth = e.one_way ? measured_link(c.level, "link_bandwidth", *e.one_way) : assumed_link(e, c, defaults);
    if (c.link_bandwidth.si < least) {
      std::string source = "assumed: what one message of level " + fastest.level + " gets";
      if (e.one_way) {
        const std::string together = fmt::format("{} {}", c.link_bandwidth.value, c.link_bandwidth.unit);
        source += ", more than pairs together (" + files_of(e.one_way->evidence) + ": " + together + ")";
        notes_.push_back(fmt::format("{}: pairs together get {}, less than one message of level {}, {} GB/s", c.level,
                                     together, fastest.level, digits(least * 1e-9, 4)));
      }
      c.link_bandwidth = make_figure(least, kBandwidth, source);
    }
    set_duplex(e, c);
    if (e.rate) set_gap(*e.rate, c);
  }

  Figure measured_link(const std::string& level, const std::string& name, const SaturationOf& s) {
    Figure f = measured(level, name, {s.fit.all, s.all, s.evidence}, kBandwidth);
    if (!s.fit.saturated) f.source += fmt::format("; at least this, for {} at once did not fill it", s.fit.most);
    return f;
  }

  static Figure assumed_link(const LevelEstimate& e, const LevelCosts& c, const LevelCosts& defaults) {
    const double widest = widest_bandwidth(c);
    if (c.bandwidth.source == defaults.bandwidth.source) return defaults.link_bandwidth;
    const double times =
        std::min(defaults.link_bandwidth.si / defaults.bandwidth.si, static_cast<double>(e.cores_of_part));
    if (e.pair_bandwidth && e.pair_bandwidth->si > times * widest) {
      return make_figure(
          e.pair_bandwidth->si, kBandwidth,
          "assumed: what one pair gets (" + files_of(e.pair_bandwidth->evidence) + "), the least that it can be");
    }
    return make_figure(times * widest, kBandwidth,
                       fmt::format("assumed: {} times what one message gets, {}", digits(times, 2), kAsWithoutFigures));
  }

  void set_duplex(const LevelEstimate& e, LevelCosts& c) {
    // A part with one core has a link that carries what one message gets, if only ping-pongs were measured.
    if (!e.both_ways || !(e.one_way || (e.cores_of_part == 1 && !e.pieces.empty()))) return;
    const SaturationOf& s = *e.both_ways;
    if (!s.fit.saturated && s.fit.most < e.cores_of_part) return;  // more pairs might reach more
    const double most = s.all ? s.all->high : s.fit.all;
    constexpr double kRounding = 1e-6;
    if (most >= (2 - kRounding) * c.link_bandwidth.si) return;
    const double widest = widest_bandwidth(c);
    if (s.fit.all < widest) {
      notes_.push_back(fmt::format(
          "{}: one message gets more, {} GB/s, than pairs both ways together, {} GB/s; the latter is not used", c.level,
          digits(widest * 1e-9, 4), digits(s.fit.all * 1e-9, 4)));
      return;
    }
    c.duplex_bandwidth = measured(c.level, "duplex_bandwidth", {s.fit.all, s.all, s.evidence}, kBandwidth);
  }

  void set_gap(const SaturationOf& s, LevelCosts& c) {
    if (!s.fit.saturated) {
      notes_.push_back(
          fmt::format("{}: the message rate still grows with {} pairs at once; no gap", c.level, s.fit.most));
      return;
    }
    std::optional<Interval> interval;
    if (s.all) interval = {1 / s.all->high, 1 / s.all->low};
    c.gap = measured(c.level, "gap", {1 / s.fit.all, interval, s.evidence}, kTime);
  }

  // --- ports

  // A port carries at least what one message between nodes gets, because ping-pongs took one.
  void set_ports() {
    if (!machine_.ports) return;
    const auto number = static_cast<double>(machine_.ports->at.size());
    double widest = 0;
    size_t networks = 0;  // levels of the network; the last is the one above the nodes
    for (; networks < estimates_.size() && estimates_[networks].is_network; ++networks)
      widest = std::max(widest, widest_bandwidth(machine_.levels[networks]));
    if (networks == 0) return;  // one node
    Figure& link = machine_.levels[networks - 1].link_bandwidth;
    Figure& port = machine_.ports->bandwidth;
    const Evidence rates = select(measurements_, Operation::kOneWay, kPorts);
    if (!rates.empty()) {
      port = measured_link(kPorts, "bandwidth", saturation_of(of_best_size(rates)));
    } else {
      port = make_figure(link.si / number, kBandwidth,
                         fmt::format("assumed: the link of a node, in {} equal parts", number));
    }
    if (port.si < widest) {
      if (!rates.empty()) {
        notes_.push_back(fmt::format("ports: pairs at one port together get {} {} ({}), less than one message alone",
                                     port.value, port.unit, files_of(rates)));
        intervals_.erase({kPorts, "bandwidth"});
      }
      port = make_figure(widest, kBandwidth, "assumed: what one message between nodes gets");
    }
    if (!estimates_[networks - 1].one_way && link.si < number * port.si)
      link = make_figure(number * port.si, kBandwidth, fmt::format("assumed: the node's {} ports together", number));
  }

  // --- lists of messages

  // That of the outermost level where it was measured, because many messages come to a rank over the network.
  void set_queue() {
    Evidence searches;
    for (const LevelCosts& c : machine_.levels) {
      searches = select(measurements_, Operation::kQueue, c.level);
      if (!searches.empty()) break;
    }
    const std::optional<Estimate> entry = estimate_queue_search(searches);
    if (!entry) return;
    if (entry->si < kShortestSearch) {
      notes_.push_back(fmt::format("queue_search: each of many messages in front takes {} ns ({}), less than in a list",
                                   digits(std::max(0.0, entry->si) * 1e9, 2), files_of(searches)));
      return;
    }
    machine_.queue_search = measured("messages", "queue_search", *entry, kTime);
  }

  // --- the core and the memory

  void set_memory() {
    const MemoryEstimate e = estimate_memory(*machine_.topology, measurements_, notes_);
    if (e.core_copy) {
      machine_.copy_bandwidth = measured("core", "copy_bandwidth", *e.core_copy, kBandwidth);
      if (e.from_triads) as_of_triads("core", "copy_bandwidth", machine_.copy_bandwidth);
    }
    if (e.core_combine)
      machine_.stated_combine_bandwidth = measured("core", "combine_bandwidth", *e.core_combine, kBandwidth);
    if (!e.copy) return;
    if (e.copy->fit.most < 2 && e.cores > 1) {
      notes_.push_back("memory: rates of one core alone (" + files_of(e.copy->evidence) +
                       ") do not tell where it saturates; this machine's memory is never a bottleneck");
      return;
    }
    MemoryCosts memory;
    memory.cached = CachedBy::kBuffers;  // what real caches do; by messages is only cheaper to simulate
    memory.bandwidth = measured_link("memory", "bandwidth", *e.copy);
    if (e.from_triads) as_of_triads("memory", "bandwidth", memory.bandwidth);
    if (e.combine) memory.stated_combine_bandwidth = measured_link("memory", "combine_bandwidth", *e.combine);
    if (e.cache) memory.cache_bandwidth = measured("memory", "cache_bandwidth", *e.cache, kBandwidth);
    if (e.shared_cache) set_shared_cache(e, memory);
    machine_.memory = memory;
  }

  void set_shared_cache(const MemoryEstimate& e, MemoryCosts& memory) {
    const SaturationOf& s = *e.shared_cache;
    if (!s.fit.saturated && s.fit.most < e.sharing_cache) {
      notes_.push_back(
          fmt::format("memory: {} of the {} cores of a cache ({}) do not show where it saturates; this "
                      "machine's caches are never a bottleneck",
                      s.fit.most, e.sharing_cache, files_of(s.evidence)));
      return;
    }
    memory.shared_cache_bandwidth = measured_link("memory", "shared_cache_bandwidth", s);
  }

  void as_of_triads(const std::string& level, const std::string& name, Figure& figure) {
    intervals_.erase({level, name});
    figure.source = "assumed: 8/9 of the rate of triads, which move 4 bytes where 3 count, as copies 3 where 2 count" +
                    figure.source.substr(figure.source.find(':'));
  }

  // --- notes and figures

  void tell_unused() {
    const auto tell = [&](const Evidence& unused, const char* what) {
      if (!unused.empty())
        notes_.push_back(
            fmt::format("{}: {} time{} {}", files_of(unused), unused.size(), unused.size() == 1 ? "" : "s", what));
    };
    tell(select(measurements_, [](const Measurement& m) { return !is_fitted(m); }),
         "of collectives and rings, which no figure is fitted to");
  }

  std::vector<CalibratedFigure> figures() const {
    std::vector<CalibratedFigure> all;
    const auto add = [&](const std::string& level, const std::string& key, const Figure& figure,
                         const Segment* segment = nullptr) {
      const std::string name = segment == nullptr ? key : name_in(*segment, key);
      const auto interval = intervals_.find({level, name});
      const bool has = interval != intervals_.end() && figure.source.starts_with("measured");
      all.push_back({level, key, segment == nullptr ? 0 : segment->from.si, name, figure,
                     has ? std::optional(interval->second) : std::nullopt});
    };
    const auto add_stated = [&](const std::string& level, const std::string& name, const std::optional<Figure>& figure,
                                const Segment* segment = nullptr) {
      if (figure) add(level, name, *figure, segment);
    };
    add("core", "speed", machine_.core_speed);
    add("core", "copy_bandwidth", machine_.copy_bandwidth);
    add_stated("core", "combine_bandwidth", machine_.stated_combine_bandwidth);
    add("messages", "eager_limit", machine_.eager_limit);
    add_stated("messages", "queue_search", machine_.queue_search);
    if (machine_.memory) {
      add("memory", "bandwidth", machine_.memory->bandwidth);
      add_stated("memory", "combine_bandwidth", machine_.memory->stated_combine_bandwidth);
      add_stated("memory", "cache_bandwidth", machine_.memory->cache_bandwidth);
      add_stated("memory", "shared_cache_bandwidth", machine_.memory->shared_cache_bandwidth);
    }
    if (machine_.ports) add(kPorts, "bandwidth", machine_.ports->bandwidth);
    for (const LevelCosts& c : machine_.levels) {
      add(c.level, "latency", c.latency);
      add(c.level, "overhead", c.overhead);
      add_stated(c.level, "receive_overhead", c.receive_overhead);
      add(c.level, "bandwidth", c.bandwidth);
      add(c.level, "link_bandwidth", c.link_bandwidth);
      for (const Segment& s : c.segments) {
        add(c.level, "from", s.from, &s);
        add(c.level, "latency", s.latency, &s);
        add(c.level, "overhead", s.overhead, &s);
        add_stated(c.level, "receive_overhead", s.receive_overhead, &s);
        add(c.level, "bandwidth", s.bandwidth, &s);
      }
      add_stated(c.level, "duplex_bandwidth", c.duplex_bandwidth);
      add_stated(c.level, "gap", c.gap);
    }
    return all;
  }

  std::vector<LevelCurve> curves() const {
    std::vector<LevelCurve> all;
    for (const LevelEstimate& e : estimates_) {
      if (e.pieces.empty()) continue;
      LevelCurve curve{e.level, by_bytes(e.ping_pongs), {}};
      for (const PieceEstimate& p : e.pieces) {
        curve.pieces.push_back({p.from.si, p.latency.si + kEnvelopeBytes / p.bandwidth.si, p.bandwidth.si});
      }
      all.push_back(std::move(curve));
    }
    return all;
  }

  Machine machine_;
  Evidence measurements_;
  std::vector<LevelEstimate> estimates_;                               // by level of machine_
  std::map<std::pair<std::string, std::string>, Interval> intervals_;  // by level and figure
  std::vector<std::string> notes_;
};

}  // namespace

Calibration calibrate(Machine defaults, const std::vector<Measurement>& measurements) {
  return Assembly(std::move(defaults), measurements).make();
}

}  // namespace strata::calibration
