// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/page/timeline_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/page/base64.h"
#include "analysis/page/call_walk.h"
#include "analysis/page/traffic_json.h"

namespace strata::analysis {
namespace {

// The limits of the number of ticks in `calls`, and the length of a tick within these limits. It keeps the precision of
// short calls in a long run. JavaScript integers are exact up to 2^53.
constexpr double kFewestTicks = 4294967296, kMostTicks = 4503599627370496, kTick_s = 1e-11;
constexpr int kBytesOfCell = 4;
constexpr int kFewestColumns = 64, kMostColumns = 2048;
constexpr int kOtherFunctions = 255;  // a byte can name 254 functions; a program calls about 30
constexpr double kFullShare = 255;

struct Sums {
  long count = 0;
  double seconds = 0, waiting = 0, longest = 0;
};

struct RankTime {
  double calls = 0, waiting = 0, end = 0;
};

// Results of the first pass over the events.
struct Overview {
  Walked walked;
  std::vector<Sums> functions;
  std::vector<RankTime> ranks;
};

Overview overview(const EventStore& events) {
  Overview o;
  CallVisitor visitor;
  const auto rank = [&](int number) -> RankTime& {
    if (o.ranks.size() <= static_cast<size_t>(number)) o.ranks.resize(number + 1);
    return o.ranks[number];
  };
  visitor.call = [&](const Call& call) {
    if (o.functions.size() <= static_cast<size_t>(call.function)) o.functions.resize(call.function + 1);
    Sums& sums = o.functions[call.function];
    double waiting = 0;
    for (const Waiting& w : call.waits) waiting += w.to - w.from;
    ++sums.count;
    sums.seconds += call.to - call.from;
    sums.waiting += waiting;
    sums.longest = std::max(sums.longest, call.to - call.from);
    rank(call.rank).calls += call.to - call.from;
    rank(call.rank).waiting += waiting;
  };
  visitor.ended = [&](int number, double end) { rank(number).end = end; };
  o.walked = walk_calls(events, visitor);
  o.ranks.resize(o.walked.cores.size());
  o.functions.resize(o.walked.functions.size());
  return o;
}

void append_number(std::string& bytes, std::uint64_t number) {
  for (; number >= 0x80; number >>= 7) bytes += static_cast<char>((number & 0x7f) | 0x80);
  bytes += static_cast<char>(number);
}

// The calls of each rank in an interval of time, encoded as in `calls.rows`.
class Calls {
 public:
  Calls(size_t ranks, double from, double to, size_t room)
      : from_(from),
        to_(to),
        ticks_(std::clamp(std::ceil((to - from) / kTick_s), kFewestTicks, kMostTicks)),
        room_(room),
        rows_(ranks) {}

  bool full() const { return used_ > room_; }
  /// B per call, the mean so far.
  double size_of_call() const { return static_cast<double>(used_) / static_cast<double>(std::max(1L, count_)); }

  void add(const Call& call) {
    if (full() || call.to < from_ || call.from > to_) return;
    Row& row = rows_[call.rank];
    const size_t before = row.bytes.size();
    const std::uint64_t begin = tick(call.from), end = tick(call.to);
    append_number(row.bytes, begin - row.end);
    append_number(row.bytes, call.function);
    append_number(row.bytes, end - begin);
    append_number(row.bytes, call.waits.size());
    std::uint64_t at = begin;
    for (const Waiting& w : call.waits) {
      append_number(row.bytes, tick(w.from) - at);
      append_number(row.bytes, tick(w.to) - tick(w.from));
      append_number(row.bytes, w.other + 1);
      at = tick(w.to);
    }
    row.end = end;
    ++row.count;
    used_ += row.bytes.size() - before;
    ++count_;
  }

  Json json(bool left_out) const {
    std::string bytes;
    for (const Row& row : rows_) {
      append_number(bytes, row.count);
      bytes += row.bytes;
    }
    return {{"from_s", from_}, {"to_s", to_}, {"ticks", ticks_}, {"rows", base64(bytes)}, {"left_out", left_out}};
  }

 private:
  struct Row {
    std::uint64_t end = 0;  // of the last call
    std::uint64_t count = 0;
    std::string bytes;
  };

  std::uint64_t tick(double time) const {
    if (to_ <= from_) return 0;
    return static_cast<std::uint64_t>(std::llround(std::clamp((time - from_) / (to_ - from_), 0.0, 1.0) * ticks_));
  }

  double from_, to_, ticks_;
  long count_ = 0;
  size_t room_, used_ = 0;
  std::vector<Row> rows_;
};

// The shares of the states in columns of time.
class Shares {
 public:
  Shares(size_t ranks, size_t functions, double end, int columns)
      : end_(end),
        columns_(columns),
        rows_(ranks),
        functions_(functions),
        cells_(ranks * columns * kBytesOfCell, '\0') {}

  void add(const Call& call) {
    Row& row = rows_[call.rank];
    spread(call.rank, row.at, call.from, kComputes, -1);
    double at = call.from;
    for (const Waiting& w : call.waits) {
      spread(call.rank, at, w.from, kCommunicates, call.function);
      spread(call.rank, w.from, w.to, kWaits, call.function);
      at = w.to;
    }
    spread(call.rank, at, call.to, kCommunicates, call.function);
    row.at = call.to;
  }
  void end(int rank, double time) {
    spread(rank, rows_[rank].at, time, kComputes, -1);
    flush(rank);
  }
  Json json() const { return {{"columns", columns_}, {"cells", base64(cells_)}}; }

 private:
  enum State { kComputes, kCommunicates, kWaits };
  // A rank's current column.
  struct Row {
    double at = 0;  // s: where the last call ended
    int column = 0;
    std::array<double, 3> states = {};  // s
    std::vector<double> functions;      // s
  };

  void spread(int rank, double from, double to, State state, int function) {
    Row& row = rows_[rank];
    row.functions.resize(functions_);
    const double width = end_ / columns_;
    while (from < to) {
      const int column = std::clamp(static_cast<int>(from / width), row.column, columns_ - 1);
      if (column != row.column) flush(rank);
      row.column = column;
      const double until = column == columns_ - 1 ? to : std::min(to, (column + 1) * width);
      const double part = std::max(until - from, 0.0);
      row.states[state] += part;
      if (function >= 0) row.functions[function] += part;
      if (until <= from) {  // at a border because of rounding: continue in the next column
        flush(rank);
        row.column = column + 1;
      }
      from = std::max(until, from);
    }
  }

  void flush(int rank) {
    Row& row = rows_[rank];
    const auto most = std::max_element(row.functions.begin(), row.functions.end());
    const bool any = most != row.functions.end() && *most > 0;
    const size_t cell = (static_cast<size_t>(rank) * columns_ + row.column) * kBytesOfCell;
    const int function = any ? static_cast<int>(most - row.functions.begin()) + 1 : 0;
    cells_[cell] = static_cast<char>(std::min(function, kOtherFunctions));
    for (size_t s = 0; s < row.states.size(); ++s) {
      const double share = std::min(1.0, row.states[s] / (end_ / columns_));
      cells_[cell + 1 + s] = static_cast<char>(std::lround(share * kFullShare));
    }
    row.states = {};
    std::fill(row.functions.begin(), row.functions.end(), 0);
  }

  double end_;
  int columns_;
  std::vector<Row> rows_;
  size_t functions_;
  std::string cells_;
};

Json sums_json(const Overview& o) {
  Json json = Json::array();
  for (size_t f = 0; f < o.functions.size(); ++f) {
    const Sums& s = o.functions[f];
    if (s.count == 0) continue;
    json.push_back({{"call", o.walked.functions[f]},
                    {"count", s.count},
                    {"seconds", s.seconds},
                    {"waiting", s.waiting},
                    {"longest", s.longest}});
  }
  return json;
}

Json times_json(const Overview& o) {
  std::vector<double> computing, communicating, waiting, end;
  for (const RankTime& r : o.ranks) {
    computing.push_back(std::max(0.0, r.end - r.calls));
    communicating.push_back(std::max(0.0, r.calls - r.waiting));
    waiting.push_back(r.waiting);
    end.push_back(r.end);
  }
  return {{"computing", computing}, {"communicating", communicating}, {"waiting", waiting}, {"end", end}};
}

// The calls in an interval of time, as far as they fit.
Calls calls_between(const EventStore& events, const Overview& o, double from, double to, size_t room) {
  Calls calls(o.ranks.size(), from, to, room);
  CallVisitor visitor;
  visitor.call = [&](const Call& call) { calls.add(call); };
  walk_calls(events, visitor);
  return calls;
}

// The time interval of the middle `wanted` calls, in the order in which calls end. The middle of the run's time would
// not do: a program may pause there and make no calls.
std::pair<double, double> middle_calls(const EventStore& events, const Overview& o, long wanted) {
  long all = 0;
  for (const Sums& s : o.functions) all += s.count;
  const long first = (all - std::min(all, wanted)) / 2;
  const long last = all - 1 - first;
  double from = 0, to = o.walked.end;
  long number = 0;
  CallVisitor visitor;
  visitor.call = [&](const Call& call) {
    if (number == first) from = call.from;
    if (number == last) to = call.to;
    ++number;
  };
  walk_calls(events, visitor);
  return {from, std::max(from, to)};
}

}  // namespace

Json timeline_json(const EventStore& events, const TimelineRoom& room) {
  const Overview o = overview(events);
  const double end = o.walked.end;
  const size_t ranks = o.ranks.size();
  Json json = {{"functions", o.walked.functions},
               {"end_s", end},
               {"ranks", ranks},
               {"order", RankOrder(o.walked.cores).rank_at},
               {"calls", nullptr},
               {"shares", nullptr},
               {"sums", sums_json(o)},
               {"times", times_json(o)}};
  double from = room.from_s, to = std::min(room.to_s, end);
  if (to <= from) {
    const Calls all = calls_between(events, o, 0, end, room.bytes);
    if (!all.full()) {
      json["calls"] = all.json(false);
      return json;
    }
    std::tie(from, to) =
        middle_calls(events, o, std::lround(static_cast<double>(room.window_bytes) / all.size_of_call()));
  }
  const size_t for_shares = room.bytes - std::min(room.bytes, room.window_bytes);
  const int columns = static_cast<int>(
      std::clamp<size_t>(for_shares / std::max<size_t>(1, ranks * kBytesOfCell), kFewestColumns, kMostColumns));
  Shares shares(ranks, o.functions.size(), end, columns);
  CallVisitor visitor;
  visitor.call = [&](const Call& call) { shares.add(call); };
  visitor.ended = [&](int rank, double time) { shares.end(rank, time); };
  walk_calls(events, visitor);
  json["shares"] = shares.json();
  // Halve the interval until its calls fit, because calls are not evenly distributed over time.
  for (;;) {
    const Calls calls = calls_between(events, o, from, to, room.window_bytes);
    if (!calls.full()) {
      json["calls"] = calls.json(true);
      return json;
    }
    to = (from + to) / 2;
  }
}

}  // namespace strata::analysis
