// SPDX-License-Identifier: LGPL-2.1-only
#include "records/paje.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "base/input_file.h"

namespace strata {
namespace {

using State = PajeTrace::State;

// Okabe and Ito's colours ("Color Universal Design", 2008), one for each group of the captions of IJHPCA'19, Figures 4
// to 6: green for MPI tasks, blue for progress threads, red for waiting, pale orange for idle cores. States that are
// both a task's and communication have colours in between.
constexpr const char* kGreen = "#009E73";
constexpr const char* kBlue = "#0073B3";
constexpr const char* kSkyBlue = "#57B5E8";
constexpr const char* kPurple = "#CC78A6";
constexpr const char* kRed = "#D65E00";
constexpr const char* kPaleOrange = "#F7E3BA";

constexpr const char* kNoPhase = "No phase";
constexpr const char* kRank = "rank ";
constexpr const char* kProgressThread = "progress thread of ";

// Types of containers, which are the letters of their aliases. Changes at the same time are in this order.
constexpr char kMachine = 'M', kNode = 'N', kCore = 'c', kThread = 't';

// ------------------------------------------------------------------------------------------------------ writing

constexpr const char* kHeader =
    "%EventDef PajeSetState 5\n%  Time date\n%  Type string\n%  Container string\n%  Value string\n%EndEventDef\n"
    "0 M 0 Machine\n0 N M Node\n0 c N Core\n0 t c Thread\n"
    "1 Ms M Phase\n1 cs c \"Core state\"\n1 ts t \"Thread state\"\n";

std::string time_text(double time) { return fmt::format("{:.12f}", time); }

// "#0073B3" as "0 0.45 0.70".
std::string shares_of(const std::string& colour) {
  std::string text;
  for (size_t i = 1; i + 1 < colour.size(); i += 2) {
    int part = 0;
    std::from_chars(&colour[i], &colour[i] + 2, part, 16);
    text += text.empty() ? "" : " ";
    text += part == 0 ? "0" : part == 255 ? "1" : fmt::format("{:.2f}", part / 255.0);
  }
  return text;
}

// Defines the values of a type's state: aliases "tv0", "tv1", ...
void write_values(std::ostream& out, char type, const std::vector<State>& states) {
  for (size_t i = 0; i < states.size(); ++i) {
    out << fmt::format("2 {0}v{1} {0}s {2} \"{3}\"\n", type, i, paje_quoted(states[i].name),
                       shares_of(states[i].colour));
  }
}

// A container has a new state from `time` on.
struct Change {
  double time = 0;
  char type = 0;
  int number = 0;
  int state = 0;
  auto key() const { return std::tie(time, type, number); }
};

void add_changes(std::vector<Change>& changes, char type, int number, const std::vector<PajeTrace::Interval>& all) {
  if (all.empty()) changes.push_back({0, type, number, 0});
  for (const PajeTrace::Interval& i : all) changes.push_back({i.from, type, number, i.state});
}

// State 0 of the machine means no phase. `states` gets the others, in the order of their first phases.
void add_phases(std::vector<Change>& changes, const PajeTrace& trace, std::vector<State>& states) {
  states = {{kNoPhase, kPaleOrange}};
  double free_from = 0;  // the end of the previous phase
  for (const PajeTrace::Phase& p : trace.phases) {
    const auto same = std::find_if(states.begin() + 1, states.end(), [&](const State& s) { return s.name == p.name; });
    const auto state = static_cast<int>(same - states.begin());
    if (same == states.end()) states.push_back({p.name, kGreen});
    if (p.from > free_from) changes.push_back({free_from, kMachine, 0, 0});
    changes.push_back({p.from, kMachine, 0, state});
    free_from = p.to;
  }
  if (free_from < trace.end || trace.phases.empty()) changes.push_back({free_from, kMachine, 0, 0});
}

std::string thread_name(const PajeTrace::Thread& t) {
  return (t.progress ? kProgressThread : kRank) + std::to_string(t.rank);
}

// ------------------------------------------------------------------------------------------------------ reading

constexpr const char* kRemedy = "the file may be damaged; make it again with `traces: true`";

class Reader {
 public:
  explicit Reader(std::filesystem::path file) : file_(std::move(file)) {}

  PajeTrace read() {
    std::ifstream in = open_input(file_, "name a Paje trace of a simulation", kAnySize_bytes);
    for (std::string line; std::getline(in, line);) {
      ++line_;
      if (line.empty()) continue;
      if (line[0] == '%') {
        define_event(line);
      } else {
        event(words_of(line));
      }
    }
    if (line_ == 0) fail("is empty");
    if (containers_.empty()) fail("no container is created");
    for (const auto& [alias, c] : containers_) {
      if (c.open) fail("ends before " + alias + " is destroyed");
    }
    return std::move(trace_);
  }

 private:
  // A container, and the indexes of the core or thread that gets its states: `core` is set for cores and threads,
  // `thread`, in that core, only for threads. The states of the machine are phases; nodes have no states.
  struct Container {
    std::string type;  // "Core"
    int core = -1, thread = -1;
    double since = 0;
    int state = -1;  // -1: no state yet
    bool open = true;
  };
  struct Value {
    std::string type;  // alias of the type of states
    int index = 0;
    std::string name;
  };

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(fmt::format("{}:{}", file_.string(), line_), what, kRemedy);
  }

  // Words are separated by blanks; text in quotes is one word.
  std::vector<std::string> words_of(const std::string& line) const {
    std::vector<std::string> words;
    for (size_t at = line.find_first_not_of(' '); at != std::string::npos; at = line.find_first_not_of(' ', at)) {
      const bool quoted = line[at] == '"';
      at += quoted ? 1 : 0;
      const size_t end = line.find(quoted ? '"' : ' ', at);
      if (quoted && end == std::string::npos) fail("a quote that does not end");
      words.push_back(line.substr(at, end == std::string::npos ? end : end - at));
      at = end == std::string::npos ? line.size() : end + (quoted ? 1 : 0);
    }
    return words;
  }

  // Fields of events must be in the order of the writer.
  void define_event(const std::string& line) {
    const std::vector<std::string> words = words_of(line);
    if (words.front() != "%EventDef") return;
    if (words.size() != 3) fail("an event is defined by a name and a number");
    events_[words[2]] = words[1];
  }

  void event(const std::vector<std::string>& words) {
    const auto known = events_.find(words.empty() ? "" : words.front());
    if (known == events_.end()) fail("begins with no event that is defined above");
    using Handler = void (Reader::*)(const std::vector<std::string>&);
    struct Event {
      const char* name;
      size_t words;
      Handler handler;
    };
    static constexpr std::array<Event, 6> kEvents = {{
        {"PajeDefineContainerType", 4, &Reader::define_type},
        {"PajeDefineStateType", 4, &Reader::define_type},
        {"PajeDefineEntityValue", 5, &Reader::define_value},
        {"PajeCreateContainer", 6, &Reader::create},
        {"PajeDestroyContainer", 4, &Reader::destroy},
        {"PajeSetState", 5, &Reader::set_state},
    }};
    const auto* e =
        std::find_if(kEvents.begin(), kEvents.end(), [&](const Event& x) { return known->second == x.name; });
    if (e == kEvents.end()) fail("no timeline of a simulation has an event '" + known->second + "'");
    if (words.size() != e->words) fail(fmt::format("{} has {} words, not {}", e->name, e->words, words.size()));
    (this->*e->handler)(words);
  }

  void define_type(const std::vector<std::string>& w) { types_[w[1]] = w[3]; }

  const std::string& type(const std::string& alias) const {
    const auto found = types_.find(alias);
    if (found == types_.end()) fail("no type '" + alias + "' is defined above");
    return found->second;
  }

  void define_value(const std::vector<std::string>& w) {
    const std::string& of = type(w[2]);
    std::vector<PajeTrace::State>* states = of == "Core state"     ? &trace_.core_states
                                            : of == "Thread state" ? &trace_.thread_states
                                                                   : nullptr;
    if (!values_.try_emplace(w[1], Value{w[2], states == nullptr ? 0 : static_cast<int>(states->size()), w[3]}).second)
      fail("a second value '" + w[1] + "'");
    if (states != nullptr) states->push_back({w[3], colour(w[4])});
  }

  // "0 0.45 0.70" as "#0073B3".
  std::string colour(const std::string& text) const {
    std::string hex = "#";
    const std::vector<std::string> parts = words_of(text);
    for (const std::string& part : parts) {
      const double share = number(part);
      if (!(share >= 0 && share <= 1)) fail("'" + text + "' is not a colour: three numbers from 0 to 1");
      hex += fmt::format("{:02X}", static_cast<int>(std::lround(share * 255)));
    }
    if (parts.size() != 3) fail("'" + text + "' is not a colour: three numbers from 0 to 1");
    return hex;
  }

  template <typename Number = double>
  Number number(std::string_view text) const {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) fail(fmt::format("'{}' is not a number", text));
    return value;
  }

  double time(const std::string& text) {
    const double t = number(text);
    if (!(t >= trace_.end) || !std::isfinite(t))
      fail(fmt::format("time goes back, from {:.12f} s to {}", trace_.end, text));
    return trace_.end = t;
  }

  Container& container(const std::string& alias) {
    const auto found = containers_.find(alias);
    if (found == containers_.end() || !found->second.open) fail("container '" + alias + "' does not exist here");
    return found->second;
  }

  void create(const std::vector<std::string>& w) {
    Container c{.type = type(w[3]), .since = time(w[1])};
    if (c.type == "Machine") {
      trace_.machine = w[5];
    } else if (c.type == "Core") {
      if (container(w[4]).type != "Node") fail("a core that is on no node");
      c.core = static_cast<int>(trace_.cores.size());
      trace_.cores.push_back({number_in(w[2]), number_in(w[4]), w[5], {}, {}});
    } else if (c.type == "Thread") {
      c.core = container(w[4]).core;
      if (c.core < 0) fail("a thread that is on no core");
      std::vector<PajeTrace::Thread>& threads = trace_.cores[c.core].threads;
      c.thread = static_cast<int>(threads.size());
      threads.push_back(thread_called(w[5], number_in(w[2])));
    } else if (c.type != "Node") {
      fail("no timeline of a simulation has a container of type '" + c.type + "'");
    }
    if (!containers_.try_emplace(w[2], c).second) fail("a second container '" + w[2] + "'");
  }

  // 17 for "c17".
  int number_in(const std::string& alias) const {
    return number<int>(std::string_view(alias).substr(std::min<size_t>(1, alias.size())));
  }

  PajeTrace::Thread thread_called(const std::string& name, int own) const {
    for (const bool progress : {false, true}) {
      const std::string_view begins = progress ? kProgressThread : kRank;
      if (!name.starts_with(begins)) continue;
      return {own, number<int>(std::string_view(name).substr(begins.size())), progress, {}};
    }
    fail("'" + name + "' is neither a rank nor a progress thread");
  }

  void destroy(const std::vector<std::string>& w) {
    const double now = time(w[1]);
    Container& c = container(w[3]);
    end_state(c, now);
    c.open = false;
  }

  void set_state(const std::vector<std::string>& w) {
    const double now = time(w[1]);
    Container& c = container(w[3]);
    const auto value = values_.find(w[4]);
    if (value == values_.end() || value->second.type != w[2])
      fail("no value '" + w[4] + "' of its type is defined above");
    if (type(w[2]) != (c.type == "Machine" ? "Phase" : c.type + " state")) fail("a " + c.type + " has no such state");
    end_state(c, now);
    c.state = value->second.index;
    if (c.type == "Machine") phase_ = value->second.name == kNoPhase ? "" : value->second.name;
  }

  void end_state(Container& c, double now) {
    if (c.state >= 0 && now > c.since) {
      if (c.thread >= 0) {
        trace_.cores[c.core].threads[c.thread].intervals.push_back({c.since, now, c.state});
      } else if (c.core >= 0) {
        trace_.cores[c.core].intervals.push_back({c.since, now, c.state});
      } else if (!phase_.empty()) {
        trace_.phases.push_back({phase_, c.since, now});
      }
    }
    c.since = now;
  }

  std::filesystem::path file_;
  int line_ = 0;
  std::map<std::string, std::string> events_;  // name by number
  std::map<std::string, std::string> types_;   // name by alias
  std::map<std::string, Value> values_;
  std::map<std::string, Container> containers_;
  std::string phase_;  // current phase of the machine; empty: none
  PajeTrace trace_;
};

}  // namespace

const std::vector<State>& paje_thread_states() {
  static const std::vector<State> states = {
      {"Idle", kPaleOrange}, {"Waiting", kRed}, {"Computation", kGreen}, {"Copy", kBlue}, {"Combination", kSkyBlue}};
  return states;
}

const std::vector<State>& paje_core_states() {
  static const std::vector<State> states = {{"Idle", kPaleOrange},   {"Waiting", kRed},
                                            {"Computation", kGreen}, {"Communication", kBlue},
                                            {"Both", kPurple},       {"Application communication", kSkyBlue}};
  return states;
}

std::string paje_quoted(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '"' || static_cast<unsigned char>(c) < ' '; }, '\'');
  return '"' + text + '"';
}

void write_paje(std::ostream& out, const PajeTrace& trace) {
  std::vector<Change> changes;
  std::vector<State> phase_states;
  add_phases(changes, trace, phase_states);
  out << kPajeEvents << kHeader;
  write_values(out, kMachine, phase_states);
  write_values(out, kCore, trace.core_states);
  write_values(out, kThread, trace.thread_states);

  std::vector<std::pair<char, int>> containers;  // type and number
  const auto create = [&](char type, int number, const std::string& parent, const std::string& name) {
    out << fmt::format("3 {} {}{} {} {} {}\n", time_text(0), type, number, type, parent, paje_quoted(name));
    containers.emplace_back(type, number);
  };
  create(kMachine, 0, "0", trace.machine);
  const PajeTrace::Core* last = nullptr;
  for (const PajeTrace::Core& core : trace.cores) {
    if (last == nullptr || last->node != core.node) create(kNode, core.node, "M0", fmt::format("node{}", core.node));
    create(kCore, core.number, fmt::format("{}{}", kNode, core.node), core.name);
    add_changes(changes, kCore, core.number, core.intervals);
    for (const PajeTrace::Thread& t : core.threads) {
      create(kThread, t.number, fmt::format("{}{}", kCore, core.number), thread_name(t));
      add_changes(changes, kThread, t.number, t.intervals);
    }
    last = &core;
  }

  std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) { return a.key() < b.key(); });
  for (const Change& c : changes) {
    out << fmt::format("5 {0} {1}s {1}{2} {1}v{3}\n", time_text(c.time), c.type, c.number, c.state);
  }
  for (auto c = containers.rbegin(); c != containers.rend(); ++c) {
    out << fmt::format("4 {} {} {}{}\n", time_text(trace.end), c->first, c->first, c->second);
  }
}

PajeTrace read_paje(const std::filesystem::path& file) { return Reader(file).read(); }

}  // namespace strata
