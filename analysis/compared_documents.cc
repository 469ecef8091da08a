// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/compared_documents.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

#include "analysis/format.h"

namespace strata::analysis {
namespace {

// Collects quantities.
class List {
 public:
  explicit List(std::vector<Quantity>& into) : into_(into) {}

  void amount(const std::string& metric, const std::string& at, const std::string& unit, double value) {
    into_.push_back({.metric = metric, .at = at, .unit = unit, .better = better_of(unit), .value = value});
  }
  void count(const std::string& metric, const std::string& at, double value) {
    into_.push_back({.metric = metric, .at = at, .unit = "", .better = Better::kSame, .value = value, .exact = true});
  }
  void text(const std::string& metric, const std::string& at, const std::string& value) {
    into_.push_back({.metric = metric, .at = at, .unit = "", .better = Better::kSame, .value = value});
  }
  Quantity& last() { return into_.back(); }

 private:
  std::vector<Quantity>& into_;
};

void add_fact(Sides& sides, const std::string& name, const std::string& base, const std::string& now) {
  if (base != now) sides.different.push_back({name, base, now});
}

std::string json_text(const Document& d) { return d.json().is_string() ? d.text() : d.json().dump(); }

void add_facts(Sides& sides, const Document& base, const Document& now, const std::vector<std::string>& keys) {
  for (const std::string& key : keys) {
    const auto text = [&](const Document& d) {
      return d.has(key.c_str()) ? json_text(d.at(key)) : std::string("none");
    };
    add_fact(sides, key, text(base), text(now));
  }
}

// --- error bars of strata.exec/1 and strata.replay/1 ---

// Nothing if no figure of the machine has an interval.
std::optional<FigureEffects> effects_of(const Document& d) {
  if (!d.has("error_bar") || d.at("error_bar").at("figures").size() == 0) return {};
  FigureEffects effects;
  for (const Document& f : d.at("error_bar").at("figures").items()) {
    const BarFigure figure{.figure = f.at("figure").text(),
                           .value = f.at("value").amount(),
                           .unit = f.at("unit").text(),
                           .plus_minus = f.at("plus_minus").amount()};
    effects[figure.key()] = {f.at("larger").number(), f.at("smaller").number()};
  }
  return effects;
}

// --- strata.exec/1 ---

std::string arguments_of(const Document& d) {
  std::vector<std::string> words;
  for (const Document& word : d.at("arguments").items()) words.push_back(word.text());
  return words.empty() ? "none" : shell_text(words);
}

std::vector<double> repeats_of(const Document& d, double time) {
  std::vector<double> times;
  if (d.has("repeats") && d.at("repeats").has("times")) {
    for (const Document& t : d.at("repeats").at("times").items()) times.push_back(t.amount());
  }
  return times.empty() ? std::vector<double>{time} : times;
}

void add_exec_details(const Document& d, bool measured, List& list) {
  const auto detail = [&](const std::string& metric, const std::string& at, const std::string& unit, double value) {
    list.amount(metric, at, unit, value);
    list.last().judged = false;
    if (measured) list.last().repeats = {value};
  };
  for (const char* part : {"computing", "communicating", "waiting"})
    detail("time", part, "s", d.at("time").at(part).amount());
  for (const Document& c : d.at("calls").items()) {
    const std::string call = c.at("call").text();
    list.count("call.count", call, c.at("count").amount());
    list.last().judged = false;
    detail("call.seconds", call, "s", c.at("seconds").amount());
    detail("call.waiting", call, "s", c.at("waiting").amount());
  }
  for (const Document& l : d.at("fullest_links").items()) {
    const std::string link = l.at("link").text() + " " + l.at("direction").text();
    detail("link.bytes", link, "B", l.at("bytes").amount());
    detail("link.utilisation", link, "", l.at("utilisation").amount());
  }
  if (d.has("critical_path")) {
    const Document kinds = d.at("critical_path").at("by_kind");
    for (const std::string& kind : kinds.keys()) detail("critical_path", kind, "s", kinds.at(kind).amount());
  }
  if (d.has("phases")) {
    for (const Document& p : d.at("phases").items()) {
      const std::string phase = p.at("phase").json().is_null() ? "the whole run" : p.at("phase").text();
      detail("phase", phase, "s", p.at("seconds").at("most").amount());
    }
  }
  if (d.has("before_reordering")) detail("before_reordering", "", "s", d.at("before_reordering").at("value").amount());
}

void add_exec(const Document& d, std::vector<Quantity>& into) {
  List list(into);
  const bool measured = d.at("compute").text() == "measured";
  const double time = d.at("simulated_time").at("value").amount();
  list.amount("simulated_time", "", d.at("simulated_time").at("unit").text(), time);
  if (measured) {
    list.last().repeats = repeats_of(d, time);
    list.last().value = median_of(list.last().repeats);
  }
  list.last().effects = effects_of(d);
  list.count("exit_code", "", d.at("exit_code").amount());
  list.text("failure", "", d.has("failure") ? d.at("failure").text() : "none");
  list.count("messages", "", d.at("messages").at("count").amount());
  list.amount("bytes", "", "B", d.at("messages").at("bytes").amount());
  for (const Document& l : d.at("levels").items()) {
    list.count("messages", l.at("level").text(), l.at("messages").amount());
    list.amount("bytes", l.at("level").text(), "B", l.at("bytes").amount());
  }
  add_exec_details(d, measured, list);
}

Sides exec_sides(const Document& base, const Document& now) {
  Sides sides;
  add_facts(sides, base, now, {"program", "machine", "ranks", "compute"});
  add_fact(sides, "arguments", arguments_of(base), arguments_of(now));
  add_exec(base, sides.base);
  add_exec(now, sides.now);
  return sides;
}

// --- strata.replay/1 ---

void add_replay(const Document& d, std::vector<Quantity>& into) {
  List list(into);
  list.amount("simulated_time", "", d.at("simulated_time").at("unit").text(),
              d.at("simulated_time").at("value").amount());
  list.last().effects = effects_of(d);
  list.count("messages", "", d.at("messages").amount());
  list.amount("bytes", "", "B", d.at("bytes").amount());
}

Sides replay_sides(const Document& base, const Document& now) {
  Sides sides;
  add_facts(sides, base, now, {"program", "machine", "ranks"});
  add_replay(base, sides.base);
  add_replay(now, sides.now);
  return sides;
}

// --- lists by rank ---

// A quantity for each index at which two lists differ; equal entries are only counted.
void add_lists(const Document& base, const Document& now, const std::string& metric, const std::string& where,
               Sides& sides) {
  for (std::size_t i = 0; i < std::max(base.size(), now.size()); ++i) {
    if (i < base.size() && i < now.size() && base.json()[i] == now.json()[i]) {
      ++sides.equal;
      continue;
    }
    const auto add = [&](const Document& from, std::vector<Quantity>& into) {
      if (i < from.size()) List(into).text(metric, fmt::format("{} {}", where, i), json_text(from.item(i)));
    };
    add(base, sides.base);
    add(now, sides.now);
  }
}

// --- strata.hsplit/1 ---

std::string communicator_text(const Document& level) {
  std::string text = fmt::format("{} {}/{}: ranks {}", level.at("type").text(), level.at("index").amount(),
                                 level.at("num_comms").amount(), rank_ranges(level.at("members").json()));
  const Document roots = level.at("roots");
  if (!roots.json().is_null()) text += ", roots " + rank_ranges(roots.json());
  return text;
}

void require_ranks(const Document& list) {
  if (list.json().is_null()) return;
  for (const Document& rank : list.items()) rank.amount();
}

std::vector<std::string> communicators_of(const Document& rank) {
  std::vector<std::string> all;
  for (const Document& level : rank.at("levels").items()) {
    require_ranks(level.at("members"));
    require_ranks(level.at("roots"));
    all.push_back(communicator_text(level));
  }
  return all;
}

Sides hsplit_sides(const Document& base, const Document& now) {
  Sides sides;
  add_facts(sides, base, now, {"np"});
  const Document left = base.at("ranks"), right = now.at("ranks");
  for (std::size_t r = 0; r < std::max(left.size(), right.size()); ++r) {
    if (r < left.size() && r < right.size() && left.json()[r] == right.json()[r]) {
      ++sides.equal;
      continue;
    }
    const auto add = [&](const Document& list, std::vector<Quantity>& into) {
      if (r >= list.size()) return;
      const Document of_rank = list.item(r);
      const std::string rank = fmt::format("rank {}", r);
      List(into).text("place", rank,
                      fmt::format("node {}, PUs {}", of_rank.at("node").amount(), of_rank.at("cpuset").text()));
      const std::vector<std::string> communicators = communicators_of(of_rank);
      for (std::size_t l = 0; l < communicators.size(); ++l)
        List(into).text("communicator", fmt::format("{}, level {}", rank, l), communicators[l]);
    };
    add(left, sides.base);
    add(right, sides.now);
  }
  return sides;
}

// --- strata.nodecart/1 ---

// The method other than MPI's own order, or the latter if it is alone.
std::string method_of(const Document& d) {
  for (const char* method : {"blocks", "nodecart", "auto", "multilevel", "hyperplane", "kdtree", "strips"}) {
    if (d.has(method)) return method;
  }
  return "cart";
}

void add_partners(const Document& d, const std::string& at, const char* near, const char* far, List& list) {
  for (const auto& [key, better] : {std::pair{near, Better::kMore}, std::pair{far, Better::kLess}}) {
    for (const char* part : {"min", "max", "avg"}) {
      list.amount(std::string("partners.") + key, at + ", " + part, "", d.at(key).at(part).amount());
      list.last().better = better;
    }
  }
}

void add_nodecart(const Document& d, std::vector<Quantity>& into) {
  List list(into);
  std::vector<std::string> methods = {"cart"};
  if (method_of(d) != "cart") methods.push_back(method_of(d));
  for (const std::string& method : methods) add_partners(d.at(method), method, "on_node", "off_node", list);
  for (const char* shape : {"intradims", "interdims"}) list.text(shape, "", json_text(d.at(shape)));
  if (d.has("chosen")) list.text("chosen", "", d.at("chosen").text());
  if (!d.has("levels")) return;
  for (const Document& level : d.at("levels").items()) {
    for (const std::string& method : methods)
      add_partners(level.at(method), level.at("level").text() + ", " + method, "inside", "outside", list);
  }
}

Sides nodecart_sides(const Document& base, const Document& now) {
  Sides sides;
  add_facts(sides, base, now, {"dims", "ppn", "nodes", "np", "node_sizes"});
  add_fact(sides, "method", method_of(base), method_of(now));
  add_nodecart(base, sides.base);
  add_nodecart(now, sides.now);
  add_lists(base.at("new_rank"), now.at("new_rank"), "new_rank", "process", sides);
  return sides;
}

// --- strata.map/1 ---

Sides map_sides(const Document& base, const Document& now) {
  Sides sides;
  add_facts(sides, base, now, {"algorithm"});
  const auto ranks = [](const Document& d) { return std::to_string(d.at("new_rank").size()); };
  add_fact(sides, "ranks", ranks(base), ranks(now));
  const auto add = [](const Document& d, std::vector<Quantity>& into) {
    List list(into);
    for (const char* order : {"identity", "mapped"}) {
      list.amount("hop_bytes", order, "", d.at("cost").at(order).at("hop_bytes").amount());  // or hop-messages
      list.last().better = Better::kLess;
    }
    const double seconds = d.at("seconds").amount();
    list.amount("seconds", "", "s", seconds);  // wall time on this computer
    list.last().judged = false;
    list.last().repeats = {seconds};
  };
  add(base, sides.base);
  add(now, sides.now);
  add_lists(base.at("new_rank"), now.at("new_rank"), "new_rank", "process", sides);
  return sides;
}

// --- strata.check/1 ---

void add_cases(const Document& d, const std::string& at, List& list) {
  list.count("cases", at, d.at("cases").amount());
  list.last().better = Better::kMore;
}

void add_area(const Document& area, List& list) {
  const std::string name = area.at("name").text();
  list.text("verdict", name, area.at("verdict").text());
  add_cases(area, name, list);
  for (const Document& p : area.at("properties").items()) {
    const std::string property = name + "/" + p.at("name").text();
    list.text("verdict", property, p.at("verdict").text());
    add_cases(p, property, list);
  }
}

void add_program(const Document& program, List& list) {
  std::vector<std::string> words = {program.at("name").text()};
  for (const Document& word : program.at("arguments").items()) words.push_back(word.text());
  const std::string name = fmt::format("{}, {} ranks, buffering {}", shell_text(words), program.at("ranks").amount(),
                                       program.at("buffering").text());
  list.text("verdict", name, program.at("verdict").text());
  for (const char* count : {"states", "transitions", "executions"}) {
    list.count(count, name, program.at(count).amount());
    list.last().judged = false;
  }
}

// A replay covers a single case, and has neither areas nor scenarios.
void require_report(const Document& d) {
  if (!d.has("areas")) d.fail("is a replay of one counter-example, not a report of verdicts");
}

void add_check(const Document& d, std::vector<Quantity>& into) {
  require_report(d);
  List list(into);
  for (const Document& area : d.at("areas").items()) add_area(area, list);
  for (const Document& program : d.at("programs").items()) add_program(program, list);
  for (const Document& scenario : d.at("scenarios").items()) {
    const std::string name = scenario.at("scenario").text() + ": ";
    for (Quantity& q : verdicts_of(scenario)) {
      q.at.insert(0, name);
      into.push_back(std::move(q));
    }
  }
}

Sides check_sides(const Document& base, const Document& now) {
  Sides sides;
  add_check(base, sides.base);
  add_check(now, sides.now);
  std::map<std::string, std::string> machines;
  for (const Document& s : base.at("scenarios").items()) machines[s.at("scenario").text()] = s.at("machine").text();
  for (const Document& s : now.at("scenarios").items()) {
    const auto known = machines.find(s.at("scenario").text());
    if (known != machines.end()) add_fact(sides, "machine of " + known->first, known->second, s.at("machine").text());
  }
  return sides;
}

const std::vector<std::pair<std::string, Sides (*)(const Document&, const Document&)>> kKinds = {
    {"exec", exec_sides},         {"replay", replay_sides}, {"hsplit", hsplit_sides},
    {"nodecart", nodecart_sides}, {"map", map_sides},       {"check", check_sides}};

}  // namespace

std::vector<Quantity> verdicts_of(const Document& scenario) {
  std::vector<Quantity> all;
  for (const Document& c : scenario.at("checks").items())
    List(all).text(c.at("kind").text(), c.at("name").text(), c.at("verdict").text());
  return all;
}

Sides document_sides(const std::string& kind, const Document& base, const Document& now) {
  const auto found = std::find_if(kKinds.begin(), kKinds.end(), [&](const auto& k) { return k.first == kind; });
  return found->second(base, now);
}

const std::vector<std::string>& document_kinds() {
  static const std::vector<std::string> kinds = [] {
    std::vector<std::string> names;
    for (const auto& [kind, sides] : kKinds) names.push_back(kind);
    return names;
  }();
  return kinds;
}

}  // namespace strata::analysis
