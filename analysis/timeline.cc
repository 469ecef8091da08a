#include "analysis/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <optional>
#include <string_view>

#include "platforms/error.h"

namespace strata::analysis {
namespace {

constexpr const char* kRemedy = "the file may be damaged; make it again with `traces: true`";

class Reader {
 public:
  explicit Reader(std::filesystem::path file) : file_(std::move(file)) {}

  Timeline read() {
    std::error_code ignored;
    std::ifstream in(file_, std::ios::binary);
    if (!in || std::filesystem::is_directory(file_, ignored)) {
      throw InputError(file_.string(), std::strerror(in ? EISDIR : errno), "name a Paje trace of a simulation");
    }
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
    return std::move(timeline_);
  }

 private:
  // The states of a container: it has exactly one kind, except a node, which has none.
  struct Container {
    std::string type;  // "Core"
    int core = -1, thread = -1;
    double since = 0;
    int state = -1;  // none yet
    bool open = true;
  };
  struct Value {
    std::string type;  // alias of the type of state
    int index = 0;
    std::string name;
  };

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(fmt::format("{}:{}", file_.string(), line_), what, kRemedy);
  }

  // Words are separated by blanks; "..." is one word.
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

  // The fields of an event are taken as the writer orders them.
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
    std::vector<Timeline::State>* states = of == "Core state"     ? &timeline_.core_states
                                           : of == "Thread state" ? &timeline_.thread_states
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
      if (!(share >= 0 && share <= 1)) fail("'" + text + "' is no colour: three numbers from 0 to 1");
      hex += fmt::format("{:02X}", static_cast<int>(std::lround(share * 255)));
    }
    if (parts.size() != 3) fail("'" + text + "' is no colour: three numbers from 0 to 1");
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
    if (!(t >= timeline_.end) || !std::isfinite(t))
      fail(fmt::format("time goes back, from {:.12f} s to {}", timeline_.end, text));
    return timeline_.end = t;
  }

  Container& container(const std::string& alias) {
    const auto found = containers_.find(alias);
    if (found == containers_.end() || !found->second.open) fail("container '" + alias + "' does not exist here");
    return found->second;
  }

  void create(const std::vector<std::string>& w) {
    Container c{.type = type(w[3]), .since = time(w[1])};
    if (c.type == "Machine") {
      timeline_.machine = w[5];
    } else if (c.type == "Core") {
      c.core = static_cast<int>(timeline_.cores.size());
      timeline_.cores.push_back({w[5], {}, {}});
    } else if (c.type == "Thread") {
      c.core = container(w[4]).core;
      if (c.core < 0) fail("a thread that is on no core");
      std::vector<Timeline::Thread>& threads = timeline_.cores[c.core].threads;
      c.thread = static_cast<int>(threads.size());
      threads.push_back(thread_called(w[5]));
    } else if (c.type != "Node") {
      fail("no timeline of a simulation has a container of type '" + c.type + "'");
    }
    if (!containers_.try_emplace(w[2], c).second) fail("a second container '" + w[2] + "'");
  }

  Timeline::Thread thread_called(const std::string& name) const {
    for (const bool progress : {false, true}) {
      const std::string_view begins = progress ? "progress thread of " : "rank ";
      if (name.starts_with(begins)) return {number<int>(std::string_view(name).substr(begins.size())), progress, {}};
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
    if (c.type == "Machine") phase_ = value->second.name == "No phase" ? "" : value->second.name;
  }

  void end_state(Container& c, double now) {
    if (c.state >= 0 && now > c.since) {
      if (c.thread >= 0) {
        timeline_.cores[c.core].threads[c.thread].intervals.push_back({c.since, now, c.state});
      } else if (c.core >= 0) {
        timeline_.cores[c.core].intervals.push_back({c.since, now, c.state});
      } else if (!phase_.empty()) {
        timeline_.phases.push_back({phase_, c.since, now});
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
  std::string phase_;  // of the machine now; empty: none
  Timeline timeline_;
};

}  // namespace

Timeline read_timeline(const std::filesystem::path& file) { return Reader(file).read(); }

int find_state(const std::vector<Timeline::State>& states, const std::string& name) {
  const auto found =
      std::find_if(states.begin(), states.end(), [&](const Timeline::State& s) { return s.name == name; });
  return found == states.end() ? -1 : static_cast<int>(found - states.begin());
}

bool is_communication(const Timeline& timeline, const Timeline::Interval& of_thread) {
  const std::string& name = timeline.thread_states[of_thread.state].name;
  return name == "Copy" || name == "Combination";
}

Timeline::Phase find_phase(const Timeline& timeline, const std::string& name) {
  const auto named = std::find_if(timeline.phases.rbegin(), timeline.phases.rend(),
                                  [&](const Timeline::Phase& p) { return p.name == name; });
  if (named != timeline.phases.rend()) return *named;
  const int idle = find_state(timeline.core_states, "Idle");
  Timeline::Phase all{"", timeline.end, 0};
  for (const Timeline::Core& core : timeline.cores) {
    for (const Timeline::Interval& i : core.intervals) {
      if (i.state == idle) continue;
      all.from = std::min(all.from, i.from);
      all.to = std::max(all.to, i.to);
    }
  }
  return all.to > all.from ? all : Timeline::Phase{"", 0, timeline.end};
}

}  // namespace strata::analysis
