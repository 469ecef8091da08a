// SPDX-License-Identifier: LGPL-2.1-only
#include "records/timeline/chrome_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "records/timeline/step_means.h"

namespace strata {
namespace {

using State = RankState::Kind;

constexpr const char* kSchema = "strata.timeline/1";
// Perfetto identifies a thread by its number alone, and gives each process a thread with the process's number. So
// numbers of ranks must differ from those of the nodes (kMaxNodes) and of the machine.
constexpr int kFirstThread = 2 * kMaxNodes;
constexpr size_t kMostLinks = 16;  // maximum number of links whose samples are shown
// Times of samples have twelve digits, so the distance of two neighbours may differ from the period by this share.
constexpr double kSamePeriods = 1e-3;
constexpr int kSteps = 1000;  // of a counter: about as many as a screen has columns

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

class ChromeWriter : public TimelineSink {
 public:
  ChromeWriter(EventTimeline& timeline, const RankPlaces& places, OutputFile& out)
      : timeline_(timeline), places_(places), out_(out), program_(quoted(timeline.header().program)) {
    for (const std::string& f : timeline.header().functions) functions_.push_back(quoted(f));
    for (const std::string& level : places.levels()) {
      const std::string name = quoted("under way: " + level);
      under_way_.emplace_back(timeline.from(), timeline.to(), kSteps,
                              [this, name](double begin, double mean) { count(begin, name, "bytes", mean); });
    }
  }

  void write(const LinkRates& rates) {
    begin();
    timeline_.replay(timeline_.ranks(), true, *this);
    for (StepMeans& level : under_way_) level.finish(timeline_.to());
    count_links(rates);
    out_.put("\n]}\n");
  }

  void enter(double time, int rank, const RankState& state) override {
    switch (state.kind) {
      case State::kProgram:
        return slice(time, rank, "program", program_);
      case State::kPhase:
        return slice(time, rank, "phase", quoted(state.phase));
      case State::kCall:
        return slice(time, rank, "MPI", functions_[state.function]);
      case State::kWait:
        return slice(time, rank, "waiting",
                     state.other < 0 ? "\"waits\"" : fmt::format("\"waits for rank {}\"", state.other));
    }
  }

  void leave(double time, int rank, const RankState& /*state*/) override { end_slice(time, rank); }

  void send(double time, const RankMessage& m) override {
    under_way_[places_.level(m.sender, m.receiver)].add(time, m.bytes);
    if (timeline_.messages()) arrow('s', time, m.sender, fmt::format("\"to rank {}\"", m.receiver), m);
  }
  void receive(double time, const RankMessage& m) override {
    under_way_[places_.level(m.sender, m.receiver)].add(time, -m.bytes);
    if (timeline_.messages()) arrow('f', time, m.receiver, fmt::format("\"from rank {}\"", m.sender), m);
  }

 private:
  template <class... Values>
  void put(fmt::format_string<Values...> format, Values&&... values) {
    line_.clear();
    line_.append(std::string_view(first_ ? "\n" : ",\n"));
    first_ = false;
    fmt::format_to(std::back_inserter(line_), format, std::forward<Values>(values)...);
    out_.put({line_.data(), line_.size()});
  }

  int process(int rank) const { return 1 + places_[rank].node; }
  int machine_process() const { return 1 + places_.machine().topology->num_nodes(); }

  void begin() {
    const EventsHeader& header = timeline_.header();
    out_.put(
        fmt::format("{{\"schema\":\"{}\",\"displayTimeUnit\":\"ns\",\"otherData\":{{\"program\":{},\"machine\":{},"
                    "\"ranks\":{},\"from_s\":{:.12f},\"to_s\":{:.12f}}},\"traceEvents\":[",
                    kSchema, program_, quoted(header.machine), header.cores.size(), timeline_.from(), timeline_.to()));
    name_process(machine_process(), header.machine, 0);
    std::vector<bool> named(machine_process());
    for (const int r : timeline_.ranks()) {
      const int node = places_[r].node;
      if (!named[node]) name_process(1 + node, fmt::format("node{}", node), 1 + node);
      named[node] = true;
      const auto name = [&](const char* what, const std::string& value) {
        put(R"({{"ph":"M","pid":{},"tid":{},"name":"thread_{}","args":{{"{}":{}}}}})", process(r), kFirstThread + r,
            what, what, value);
      };
      name("name", quoted(places_.name(r)));
      name("sort_index", std::to_string(r));
    }
  }

  void name_process(int pid, const std::string& name, int order) {
    put(R"({{"ph":"M","pid":{},"name":"process_name","args":{{"name":{}}}}})", pid, quoted(name));
    put(R"({{"ph":"M","pid":{},"name":"process_sort_index","args":{{"sort_index":{}}}}})", pid, order);
  }

  void slice(double time, int rank, const char* category, const std::string& name) {
    put(R"({{"ph":"B","pid":{},"tid":{},"ts":{:.6f},"cat":"{}","name":{}}})", process(rank), kFirstThread + rank,
        time * 1e6, category, name);
  }

  // Draws one end of an arrow. Viewers attach its ends to slices. A call or a wait begins long before its message
  // arrives, so each end gets its own slice without duration.
  void arrow(char kind, double time, int rank, const std::string& name, const RankMessage& m) {
    const int pid = process(rank), tid = kFirstThread + rank;
    put(R"({{"ph":"B","pid":{},"tid":{},"ts":{:.6f},"cat":"message","name":{},"args":{{"bytes":{},"tag":{}}}}})", pid,
        tid, time * 1e6, name, m.bytes, m.tag);
    put(R"({{"ph":"{}","pid":{},"tid":{},"ts":{:.6f},"cat":"message","name":"message","id":{}{}}})", kind, pid, tid,
        time * 1e6, m.number, kind == 'f' ? R"(,"bp":"e")" : "");
    end_slice(time, rank);
  }

  void end_slice(double time, int rank) {
    put(R"({{"ph":"E","pid":{},"tid":{},"ts":{:.6f}}})", process(rank), kFirstThread + rank, time * 1e6);
  }

  void count(double time, const std::string& name, const char* unit, double value) {
    put(R"({{"ph":"C","pid":{},"ts":{:.6f},"name":{},"args":{{"{}":{:.3f}}}}})", machine_process(), time * 1e6, name,
        unit, value);
  }

  // Writes the samples of the busiest links.
  void count_links(const LinkRates& rates) {
    std::map<std::pair<std::string, std::string>, double> bytes;
    for (const LinkSample& s : rates.samples) bytes[{s.link, s.direction}] += s.bytes;
    std::vector<std::pair<std::string, std::string>> links;
    for (const auto& [link, carried] : bytes) links.push_back(link);
    std::stable_sort(links.begin(), links.end(), [&](const auto& a, const auto& b) { return bytes[a] > bytes[b]; });
    if (links.size() > kMostLinks) links.resize(kMostLinks);
    for (const auto& [link, direction] : links) {
      const std::string name = quoted(fmt::format("{} {}", link, direction));
      double until = -1;  // s: the end of the previous period
      for (const LinkSample& s : rates.samples) {
        const double from = s.until_s - rates.period_s;
        if (s.link != link || s.direction != direction || s.until_s <= timeline_.from() || from >= timeline_.to())
          continue;
        if (until >= 0 && from > until + kSamePeriods * rates.period_s) count(until, name, "bytes/s", 0);
        count(std::max(from, timeline_.from()), name, "bytes/s", s.bytes / rates.period_s);
        until = s.until_s;
      }
      if (until >= 0) count(std::min(until, timeline_.to()), name, "bytes/s", 0);
    }
  }

  EventTimeline& timeline_;
  const RankPlaces& places_;
  OutputFile& out_;
  std::string program_;  // in quotes, for JSON
  std::vector<std::string> functions_;
  std::vector<StepMeans> under_way_;  // by level
  fmt::memory_buffer line_;
  bool first_ = true;  // the next event is the first
};

}  // namespace

void write_chrome_timeline(EventTimeline& timeline, const RankPlaces& places, const LinkRates& rates, OutputFile& out) {
  ChromeWriter(timeline, places, out).write(rates);
}

}  // namespace strata
