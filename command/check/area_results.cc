// SPDX-License-Identifier: LGPL-2.1-only
#include "command/check/area_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <nlohmann/json.hpp>

#include "base/child.h"
#include "base/error.h"
#include "base/output_error.h"
#include "base/whole_file.h"
#include "command/check/text.h"
#include "command/print.h"
#include "console/progress.h"

namespace strata::command {
namespace {

using check::AreaResult;
using check::PropertyInfo;
using check::PropertyResult;
using check::Verdict;

// Sets the bound in "name=value" or "area.name=value". Returns whether the area has it.
bool set_bound(check::Bounds& bounds, const std::string& setting, const std::string& area) {
  const size_t equals = setting.find('=');
  long value = 0;
  const char *begin = setting.data() + equals + 1, *end = setting.data() + setting.size();
  if (equals == std::string::npos || begin == end || std::from_chars(begin, end, value).ptr != end)
    throw InputError("--bound " + setting, "is not a bound", "for example ranks=4, or hsplit.ranks=4 for one area");
  std::string name = setting.substr(0, equals);
  const size_t dot = name.find('.');
  if (dot != std::string::npos) {
    if (name.substr(0, dot) != area) return false;
    name.erase(0, dot + 1);
    bounds.set(name, value, area);
    return true;
  }
  if (!bounds.has(name)) return false;
  bounds.set(name, value, area);
  return true;
}

}  // namespace

void AreaOptions::add(cli::App& app) {
  app.add_flag("--quick", quick, "small bounds: takes seconds");
  app.add_option("--bound", bounds, "change a bound: NAME=VALUE, or AREA.NAME=VALUE for one area (--list shows them)")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  app.add_option("--random", random_cases, "number of random cases beyond the bounds, for each area")
      ->check(cli::Range(0L, 1'000'000'000L));
  app.add_option("--seed", seed, "seed of the random cases (default 1)");
  app.add_option(
         "--jobs", jobs,
         "number of cases, or executions of a program, at a time; results do not depend on it (default: one for "
         "each processor)")
      ->check(cli::Range(1, 1024));
  app.add_option(
         "--shard", shard,
         "with --json: look at part I of N of the cases of areas or the orders of programs, for as many machines: "
         "3/8 is the third of eight; strata submit merge puts the documents together")
      ->type_name("I/N");
}

std::vector<AreaQuestion> find_questions(const std::vector<std::unique_ptr<check::Area>>& areas,
                                         std::vector<std::string>& what) {
  std::vector<AreaQuestion> questions;
  const bool all = what.empty();
  for (const auto& area : areas) {
    AreaQuestion question{area.get(), {}};
    bool whole = all, asked = all;
    std::vector<std::string> others;
    for (const std::string& word : what) {
      const std::string name = word.substr(0, word.find('/'));
      if (name != area->name()) {
        others.push_back(word);
        continue;
      }
      asked = true;
      if (word == name) {
        whole = true;
      } else {
        question.properties.push_back(word.substr(name.size() + 1));
      }
    }
    what = others;
    if (whole) question.properties.clear();
    if (asked) questions.push_back(question);
  }
  return questions;
}

std::vector<AreaResult> check_areas(const std::vector<AreaQuestion>& questions, const AreaOptions& o,
                                    const std::function<void(const AreaResult&)>& done) {
  const check::Effort effort = o.quick ? check::Effort::kQuick : check::Effort::kFull;
  // Before anything runs, check that every --bound belongs to an area.
  std::vector<check::Bounds> bounds;
  std::vector<bool> used(o.bounds.size());
  for (const AreaQuestion& q : questions) {
    check::Bounds& b = bounds.emplace_back(q.area->bounds(effort));
    for (size_t i = 0; i < o.bounds.size(); ++i) {
      if (set_bound(b, o.bounds[i], q.area->name())) used[i] = true;
    }
  }
  for (size_t i = 0; i < used.size(); ++i) {
    if (!used[i])
      throw InputError("--bound " + o.bounds[i], "none of the areas to check has such a bound",
                       "`strata check --list` shows the bounds of each area");
  }
  const SignalGuard guard;
  console::Progress progress({.what = "", .total = questions.size(), .logged = false, .even = false});
  std::vector<AreaResult> results;
  for (size_t i = 0; i < questions.size(); ++i) {
    const check::Area& area = *questions[i].area;
    check::ExploreOptions options;
    options.effort = effort;
    if (!o.bounds.empty()) options.bounds = bounds[i];
    if (o.random_cases >= 0) options.random_cases = o.random_cases;
    options.seed = o.seed;
    options.jobs = o.jobs;
    if (!o.shard.empty()) options.shard = read_shard(o.shard);
    options.only = questions[i].properties;
    options.progress = [&](long cases) {
      progress.working(fmt::format("{}: {}", area.name(), counted(cases, "case")));
    };
    options.stop = [] { return SignalGuard::caught() != 0; };
    try {
      results.push_back(check::explore(area, options));
    } catch (const check::Stopped&) {
      SignalGuard::check();
    }
    progress.point_done("");
    progress.clear();
    done(results.back());
  }
  return results;
}

std::string text_of(const AreaResult& r, const std::string& again) {
  std::string text = fmt::format("{}: {}\n", r.name, r.about);
  text += fmt::format("  {} up to {}: {}, {} up to symmetry", r.holds() ? "no violation" : "VIOLATED", r.bounds.text(),
                      counted(r.cases, "case"), grouped(r.distinct));
  if (r.random_cases > 0) text += fmt::format("; {} beyond (seed {})", counted(r.random_cases, "random case"), r.seed);
  text += fmt::format("; {:.1f} s\n", r.seconds);
  if (!r.remark.empty()) text += fmt::format("  {}\n", r.remark);
  size_t width = 0;
  for (const PropertyResult& p : r.properties) width = std::max(width, p.info.name.size());
  for (const PropertyResult& p : r.properties) {
    text += fmt::format("  {:<11} {:<{}}  {:>11}  {}\n", name_of(p.verdict), p.info.name, width, grouped(p.asked),
                        p.info.statement);
    if (!p.counter_example) continue;
    text += text_of(*p.counter_example, p.info.source, again + " " + p.counter_example->key);
  }
  return text;
}

Json json_of(const AreaResult& r) {
  Json bounds = Json::object(), properties = Json::array();
  for (const check::Bound& b : r.bounds.all()) bounds[b.name] = b.value;
  for (const PropertyResult& p : r.properties) {
    Json property = {
        {"name", p.info.name},       {"statement", p.info.statement},
        {"source", p.info.source},   {"kind", p.info.kind == PropertyInfo::Kind::kAlways ? "always" : "sometimes"},
        {"cases", p.asked},          {"verdict", name_of(p.verdict)},
        {"counter_example", nullptr}};
    if (p.counter_example) property["counter_example"] = json_of(*p.counter_example);
    if (r.shard) property["first"] = p.first == check::Tally::kNever ? Json(nullptr) : Json(p.first);
    properties.push_back(std::move(property));
  }
  Json json = {{"name", r.name},         {"verdict", name_of(r.holds() ? Verdict::kHolds : Verdict::kViolated)},
               {"bounds", bounds},       {"cases", r.cases},
               {"distinct", r.distinct}, {"random_cases", r.random_cases},
               {"seed", r.seed},         {"seconds", r.seconds}};
  if (r.shard) json["all"] = {{"random_cases", r.random_asked}, {"usual_bounds", r.usual_bounds}};
  json["properties"] = std::move(properties);
  return json;
}

AreaResult area_result_from(const Json& json, const check::Area& area, const Shard& shard) {
  AreaResult r{.name = area.name(), .about = area.about(), .remark = ""};
  r.bounds = area.bounds(check::Effort::kFull);
  for (const auto& [name, value] : json.at("bounds").items()) r.bounds.set(name, value.get<long>(), area.name());
  r.remark = area.remark(r.bounds);
  json.at("cases").get_to(r.cases);
  json.at("distinct").get_to(r.distinct);
  json.at("random_cases").get_to(r.random_cases);
  json.at("seed").get_to(r.seed);
  json.at("seconds").get_to(r.seconds);
  json.at("all").at("random_cases").get_to(r.random_asked);
  json.at("all").at("usual_bounds").get_to(r.usual_bounds);
  r.shard = shard;
  for (const Json& property : json.at("properties")) {
    PropertyResult& p = r.properties.emplace_back();
    p.info = check::property_named(area, property.at("name").get<std::string>());
    property.at("cases").get_to(p.asked);
    if (!property.at("first").is_null()) property.at("first").get_to(p.first);
    const Json& c = property.at("counter_example");
    if (c.is_null()) continue;
    p.counter_example.emplace();
    c.at("key").get_to(p.counter_example->key);
    c.at("message").get_to(p.counter_example->message);
    c.at("drawing").get_to(p.counter_example->drawing.text);
    p.counter_example->found = c.value("met_as", "");
  }
  return r;
}

std::string verdict_of(const std::vector<AreaResult>& results) {
  long cases = 0, distinct = 0, random = 0, violated = 0, properties = 0;
  double seconds = 0;
  for (const AreaResult& r : results) {
    cases += r.cases;
    distinct += r.distinct;
    random += r.random_cases;
    seconds += r.seconds;
    properties += static_cast<long>(r.properties.size());
    violated +=
        std::count_if(r.properties.begin(), r.properties.end(), [&](const PropertyResult& p) { return r.counts(p); });
  }
  const std::string what = violated == 0 ? "no violation within these bounds"
                                         : fmt::format("{} of {} violated", violated, counted(properties, "property"));
  std::string text =
      fmt::format("{}: {}, {} ({} up to symmetry)", what, counted(static_cast<long>(results.size()), "area"),
                  counted(cases, "case"), grouped(distinct));
  if (random > 0) text += fmt::format(", {} beyond", counted(random, "random case"));
  return text + fmt::format(", {:.1f} s\n", seconds);
}

std::string list_of(const std::vector<std::unique_ptr<check::Area>>& areas) {
  std::string text;
  for (const auto& area : areas) {
    const check::Bounds full = area->bounds(check::Effort::kFull), quick = area->bounds(check::Effort::kQuick);
    text += fmt::format("{}: {}\n  bounds: {} (--quick: {})\n", area->name(), area->about(), full.text(), quick.text());
    for (const check::Bound& b : full.all())
      text += fmt::format("    {:<10} {} to {}: {}\n", b.name, b.least, b.most, b.about);
    size_t width = 0;
    for (const PropertyInfo& p : area->properties()) width = std::max(width, p.name.size());
    for (const PropertyInfo& p : area->properties()) {
      text +=
          fmt::format("  {:<{}}  {}{}\n  {:<{}}  ({})\n", p.name, width,
                      p.kind == PropertyInfo::Kind::kSometimes ? "sometimes: " : "", p.statement, "", width, p.source);
    }
  }
  return text;
}

int replay_area(const check::Area& area, const check::Key& key, bool here, bool json, const std::string& svg) {
  check::Replayed replayed;
  if (here) {
    replayed = check::replay_here(area, key);
  } else {
    const SignalGuard guard;
    check::ExploreOptions options;
    options.stop = [] { return SignalGuard::caught() != 0; };
    try {
      replayed = check::replay(area, key, options);
    } catch (const check::Stopped&) {
      SignalGuard::check();
    }
  }
  const std::string name = key.subject + "/" + key.property;
  const check::PropertyInfo& info = check::property_named(area, key.property);
  const bool holds = replayed.verdict == Verdict::kHolds;
  const check::CounterExample& run = replayed.run;
  if (json) {
    const Json document = {{"schema", "strata.check/1"},
                           {"verdict", name_of(replayed.verdict)},
                           {"property", name},
                           {"statement", info.statement},
                           {"source", info.source},
                           {"key", run.key},
                           {"message", holds ? Json(nullptr) : Json(run.message)},
                           {"drawing", run.drawing.text}};
    print(document);
  } else {
    fmt::print("{}: {}\nsource: {}\n\n{}\n{}\n", name, info.statement, info.source, run.drawing.text,
               holds ? name_of(replayed.verdict) : fmt::format("{}: {}", name_of(replayed.verdict), run.message));
  }
  if (!svg.empty() && !run.drawing.svg.empty()) {
    write_whole(svg, run.drawing.svg);
    std::fprintf(stderr, "wrote %s\n", svg.c_str());
  }
  return holds ? 0 : 1;
}

}  // namespace strata::command
