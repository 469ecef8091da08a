// SPDX-License-Identifier: LGPL-2.1-only
#include "records/timeline/paje_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "records/paje.h"

namespace strata {
namespace {

using State = RankState::Kind;

constexpr const char* kHeader =
    "%EventDef PajePushState 6\n%  Time date\n%  Type string\n%  Container string\n%  Value string\n%EndEventDef\n"
    "%EventDef PajePopState 7\n%  Time date\n%  Type string\n%  Container string\n%EndEventDef\n"
    "%EventDef PajeDefineLinkType 8\n%  Alias string\n%  Type string\n%  StartContainerType string\n"
    "%  EndContainerType string\n%  Name string\n%EndEventDef\n"
    "%EventDef PajeStartLink 9\n%  Time date\n%  Type string\n%  Container string\n%  StartContainer string\n"
    "%  Value string\n%  Key string\n%  Bytes int\n%  Tag int\n%EndEventDef\n"
    "%EventDef PajeEndLink 10\n%  Time date\n%  Type string\n%  Container string\n%  EndContainer string\n"
    "%  Value string\n%  Key string\n%EndEventDef\n"
    "0 M 0 Machine\n0 N M Node\n0 c N Core\n0 t c Rank\n"
    "1 ts t \"MPI function\"\n1 tp t Phase\n8 Mm M t t Message\n";

// Colours of functions, so that adjacent calls differ: blue and lighter shades from Okabe and Ito's colours.
constexpr const char* kShades[] = {"0 0.45 0.70", "0.34 0.71 0.91", "0.20 0.33 0.56", "0.55 0.63 0.80"};
constexpr const char* kGreen = "0 0.62 0.45";
constexpr const char* kRed = "0.84 0.37 0";
constexpr const char* kPurple = "0.80 0.47 0.65";

class PajeWriter : public TimelineSink {
 public:
  PajeWriter(EventTimeline& timeline, const RankPlaces& places, OutputFile& out)
      : timeline_(timeline), places_(places), out_(out) {}

  void write() {
    begin();
    timeline_.replay(timeline_.ranks(), timeline_.messages(), *this);
    for (auto c = containers_.rbegin(); c != containers_.rend(); ++c)
      put("4 {:.12f} {} {}{}\n", timeline_.to(), c->first, c->first, c->second);
  }

  void enter(double time, int rank, const RankState& state) override {
    switch (state.kind) {
      case State::kProgram:
        put("6 {:.12f} ts t{} tv0\n", time, rank);
        break;
      case State::kPhase:
        put("6 {:.12f} tp t{} tp{}\n", time, rank, phase(state.phase));
        break;
      case State::kCall:
        put("6 {:.12f} ts t{} tf{}\n", time, rank, state.function);
        break;
      case State::kWait:
        if (state.other < 0) {
          put("6 {:.12f} ts t{} tv1\n", time, rank);
        } else {
          put("6 {:.12f} ts t{} tr{}\n", time, rank, state.other);
        }
        break;
    }
  }

  void leave(double time, int rank, const RankState& state) override {
    put("7 {:.12f} {} t{}\n", time, state.kind == State::kPhase ? "tp" : "ts", rank);
  }

  void send(double time, const RankMessage& m) override {
    put("9 {:.12f} Mm M0 t{} message {} {} {}\n", time, m.sender, m.number, m.bytes, m.tag);
  }
  void receive(double time, const RankMessage& m) override {
    put("10 {:.12f} Mm M0 t{} message {}\n", time, m.receiver, m.number);
  }

 private:
  template <class... Values>
  void put(fmt::format_string<Values...> format, Values&&... values) {
    line_.clear();
    fmt::format_to(std::back_inserter(line_), format, std::forward<Values>(values)...);
    out_.put({line_.data(), line_.size()});
  }

  void create(char type, int number, const std::string& parent, const std::string& name) {
    put("3 {:.12f} {}{} {} {} {}\n", timeline_.from(), type, number, type, parent, paje_quoted(name));
    containers_.emplace_back(type, number);
  }

  void begin() {
    out_.put(kPajeEvents);
    out_.put(kHeader);
    put("2 tv0 ts \"Computation\" \"{}\"\n2 tv1 ts \"waits\" \"{}\"\n", kGreen, kRed);
    const EventsHeader& header = timeline_.header();
    for (size_t f = 0; f < header.functions.size(); ++f) {
      if (timeline_.called()[f])
        put("2 tf{} ts {} \"{}\"\n", f, paje_quoted(header.functions[f]), kShades[f % std::size(kShades)]);
    }
    for (size_t r = 0; r < header.cores.size(); ++r) {
      if (timeline_.waited_for()[r]) put("2 tr{} ts \"waits for rank {}\" \"{}\"\n", r, r, kRed);
    }
    std::vector<int> ranks = timeline_.ranks();  // in the order of the machine's cores
    std::stable_sort(ranks.begin(), ranks.end(), [&](int a, int b) { return places_[a].core < places_[b].core; });
    create('M', 0, "0", header.machine);
    int node = -1, core = -1;
    for (const int r : ranks) {
      const RankPlace& p = places_[r];
      if (p.node != node) create('N', p.node, "M0", fmt::format("node{}", p.node));
      if (p.core != core) create('c', p.core, fmt::format("N{}", p.node), p.host);
      create('t', r, fmt::format("c{}", p.core), fmt::format("rank {}", r));
      node = p.node;
      core = p.core;
    }
  }

  // Returns the number of a phase's name; defines it if it is new.
  size_t phase(const std::string& name) {
    const auto [at, added] = phases_.try_emplace(name, phases_.size());
    if (added) put("2 tp{} tp {} \"{}\"\n", at->second, paje_quoted(name), kPurple);
    return at->second;
  }

  EventTimeline& timeline_;
  const RankPlaces& places_;
  OutputFile& out_;
  fmt::memory_buffer line_;
  std::vector<std::pair<char, int>> containers_;  // type and number
  std::map<std::string, size_t> phases_;
};

}  // namespace

void write_paje_timeline(EventTimeline& timeline, const RankPlaces& places, OutputFile& out) {
  PajeWriter(timeline, places, out).write();
}

}  // namespace strata
