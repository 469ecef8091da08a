#include "scenarios/scenario.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>

#include "mpi_ext/cart/mapping.h"
#include "platforms/error.h"
#include "platforms/yaml_reader.h"

namespace strata {
namespace {

constexpr const char* kSchema = "strata.scenario/1";

constexpr long kMostRanks = 100'000'000;
constexpr long kMostSeed = 1L << 53;  // what a double, and thus any reader of JSON, holds
constexpr long kMostSeconds = 10'000'000;

constexpr const char* kRanksRemedy = "give a number, or `all` for one rank a core";

// What smpirun, a shell script, does not hand on as it is.
constexpr const char* kNotForSmpirun = " \t\n'\"*?[";

constexpr const char* kTrafficRemedy = "give off, on, messages, or a period as 10 ms";

// A value of the sweep: a whole number, a number or a text. 1e6 is a whole number too: programs count elements in ints.
Json value_of(const std::string& text) {
  long whole = 0;
  const char* end = text.data() + text.size();
  if (const auto [at, error] = std::from_chars(text.data(), end, whole); error == std::errc() && at == end)
    return whole;
  double number = 0;
  const auto [at, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || at != end || !std::isfinite(number)) return text;
  constexpr double kMostWhole = 1L << 53;
  if (number == std::floor(number) && std::abs(number) <= kMostWhole) return static_cast<long>(number);
  return number;
}

// What a text says of the Cartesian shim: off, on, or a method, which is on too. YAML has more words for on and off.
// Nothing where it says none of these.
std::optional<std::string> shim_of(const std::string& text) {
  if (text == "off" || text == "false") return kShimOff;
  if (text == "on" || text == "true") return kShimOn;
  return mpix::find_cart_method(text) ? std::optional(text) : std::nullopt;
}

std::string shim_remedy() { return "give off, on or a method: " + mpix::cart_method_list(); }

// A value of a parameter: the same of all but the shim.
Json value_of(const std::string& parameter, const std::string& text) {
  if (parameter == kShimAxis) return shim_of(text).value_or(text);
  return value_of(text);
}

const Axis* find_axis(const Study& s, const std::string& name) {
  const auto at = std::find_if(s.sweep.begin(), s.sweep.end(), [&](const Axis& a) { return a.name == name; });
  return at == s.sweep.end() ? nullptr : &*at;
}

bool is_among(const std::string& name, const std::vector<std::string>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string axes_of(const Study& s) {
  std::string names;
  for (const Axis& a : s.sweep) names += (names.empty() ? "" : ", ") + a.name;
  return names.empty() ? "none" : names;
}

// Fit for an option of a program and for the name of a file.
bool is_plain(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(),
                                      [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-'; });
}

void check_axis_name(const YamlReader& at, const std::string& name) {
  if (!is_plain(name)) at.fail("an axis cannot be called '" + name + "'", "use letters, digits, _ and -");
}

struct Fault {
  std::string what, remedy;
};

// What is wrong with a value of a parameter; nothing where it is right.
std::optional<Fault> value_fault(const std::string& parameter, const Json& value) {
  if (value.is_string() && value.get<std::string>().find_first_of(kNotForSmpirun) != std::string::npos) {
    return Fault{"value " + value.dump() + " has blanks, quotes or wildcards",
                 "leave them out: smpirun takes arguments apart there"};
  }
  if (parameter == kRanksAxis &&
      (!value.is_number_integer() || value.get<long>() < 1 || value.get<long>() > kMostRanks)) {
    return Fault{value.dump() + " is no number of ranks", "give whole numbers from 1 to " + std::to_string(kMostRanks)};
  }
  if (parameter == kShimAxis && !shim_of(value))
    return Fault{value.dump() + " says nothing of the shim", shim_remedy()};
  return std::nullopt;
}

Json read_value(const YamlReader& at, const std::string& parameter) {
  Json value = value_of(parameter, at.text());
  if (const std::optional<Fault> fault = value_fault(parameter, value)) at.fail(fault->what, fault->remedy);
  return value;
}

std::set<std::string> keys_of(const Json& object) {
  std::set<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.insert(key);
  return keys;
}

// Values that are names of several parameters that go together: `ours: {steps: auto, progress: numa}`.
void read_cases(const YamlReader& values, Axis& axis) {
  for (const std::string& name : values.keys()) {
    const YamlReader parameters = values.at(name);
    if (!is_plain(name) || !value_of(name).is_string()) {
      parameters.fail("a case cannot be called '" + name + "'", "use letters, digits, _ and -, and no number");
    }
    Json& meaning = axis.cases[name];
    meaning = Json::object();
    for (const std::string& parameter : parameters.keys()) {
      check_axis_name(parameters, parameter);
      meaning[parameter] = read_value(parameters.at(parameter), parameter);
    }
    if (meaning.empty()) parameters.fail("has no parameters", "write as {steps: 0, progress: bind}");
    for (const auto& [other, its] : axis.cases) {
      if (keys_of(its) != keys_of(meaning)) {
        parameters.fail("has other parameters than case '" + other + "'", "give all cases the same");
      }
    }
    axis.values.emplace_back(name);
  }
}

Axis read_axis(const YamlReader& sweep, const std::string& name) {
  const YamlReader values = sweep.at(name);
  Axis axis{name, {}};
  check_axis_name(values, name);
  if (values.is_map()) {
    read_cases(values, axis);
  } else if (values.is_scalar()) {
    axis.values.push_back(read_value(values, name));
  } else {
    for (const YamlReader& v : values.items()) axis.values.push_back(read_value(v, name));
  }
  if (axis.values.empty()) values.fail("has no values", "write at least one, or leave the axis out");
  for (size_t i = 0; i < axis.values.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (axis.values[i] == axis.values[j]) values.fail("value " + axis.values[i].dump() + " stands twice", "keep one");
    }
  }
  return axis;
}

// The parameters that an axis sets: itself, or those of its cases.
std::set<std::string> parameters_set_by(const Axis& axis) {
  return axis.cases.empty() ? std::set<std::string>{axis.name} : keys_of(axis.cases.begin()->second);
}

void read_sweep(const YamlReader& sweep, Study& s) {
  std::set<std::string> set;  // by the axes so far
  for (const std::string& name : sweep.keys()) {
    if (find_axis(s, name) != nullptr) sweep.fail("axis '" + name + "' stands twice", "keep one");
    s.sweep.push_back(read_axis(sweep, name));
    for (const std::string& parameter : parameters_set_by(s.sweep.back())) {
      if (!set.insert(parameter).second) sweep.at(name).fail("two axes set '" + parameter + "'", "keep one");
    }
  }
}

std::vector<std::string> read_arguments(const YamlReader& list) {
  std::vector<std::string> arguments;
  for (const YamlReader& a : list.items()) {
    if (a.text().find_first_of(kNotForSmpirun) != std::string::npos) {
      a.fail("'" + a.text() + "' has blanks, quotes or wildcards",
             "leave them out: smpirun takes arguments apart there");
    }
    arguments.push_back(a.text());
  }
  return arguments;
}

// A number of ranks; 0 for `all`.
int read_ranks(const YamlReader& at) { return at.text() == "all" ? 0 : static_cast<int>(at.integer(1, kMostRanks)); }

void read_reference(const YamlReader& reference, Study& s) {
  reference.only({"ranks", "arguments", "metric", "option"});
  Reference r;
  r.ranks = read_ranks(reference.at("ranks", kRanksRemedy));
  if (reference.has("arguments")) r.arguments = read_arguments(reference.at("arguments"));
  r.metric = reference.at("metric", "name what the program prints").text();
  const YamlReader option = reference.at("option", "name the program's option that gets the value, without --");
  r.option = option.text();
  if (!is_plain(r.option) || r.option.front() == '-')
    option.fail("'" + r.option + "' is no option", "write its name without --, as `work`");
  for (const Axis& axis : s.sweep) {
    if (parameters_set_by(axis).count(r.option) != 0) option.fail("an axis sets '" + r.option + "' too", "keep one");
  }
  s.reference = r;
}

void read_mapping(const YamlReader& mapping, Scenario& s) {
  mapping.only({"map_by", "bind_to", "oversubscribe", "bindings", "progress"});
  if (mapping.has("map_by")) s.mapping.map_by = mapping.at("map_by").text();
  if (mapping.has("bind_to")) s.mapping.bind_to = mapping.at("bind_to").text();
  if (mapping.has("oversubscribe")) s.mapping.oversubscribe = mapping.at("oversubscribe").boolean();
  if (mapping.has("progress")) s.study.progress = mapping.at("progress").text();
  if (!mapping.has("bindings")) return;
  for (const char* key : {"map_by", "bind_to", "oversubscribe"}) {
    if (mapping.has(key)) mapping.fail("has bindings and a policy", "give one or the other");
  }
  s.bindings = s.file.parent_path() / mapping.at("bindings").text();
}

// Who says how many ranks there are, and where: one.
void check_ranks(const YamlReader& yaml, const Scenario& s) {
  if (!s.study.sweeps_ranks()) {
    yaml.at("ranks", kRanksRemedy);
  } else if (yaml.has("ranks")) {
    yaml.at("ranks").fail("stands in the sweep too", "keep one");
  }
  if (!s.study.progress.empty() && s.study.sweeps_progress()) {
    yaml.at("mapping").at("progress").fail("stands in the sweep too", "keep one");
  }
  if (yaml.has("shim") && s.study.sweeps_shim()) yaml.at("shim").fail("stands in the sweep too", "keep one");
}

// A value that an axis must have, as a derived quantity or a claim names it.
Json axis_value(const YamlReader& at, const Axis& axis) {
  Json value = value_of(axis.name, at.text());
  if (std::find(axis.values.begin(), axis.values.end(), value) == axis.values.end()) {
    std::string known;
    for (const Json& v : axis.values) known += (known.empty() ? "" : ", ") + v.dump();
    at.fail("axis " + axis.name + " has no value " + value.dump(), "it has " + known);
  }
  return value;
}

const Axis& named_axis(const YamlReader& at, const Study& s) {
  const Axis* axis = find_axis(s, at.text());
  if (axis == nullptr) at.fail("no axis of the sweep is called '" + at.text() + "'", "the axes are " + axes_of(s));
  return *axis;
}

// The metrics and the derived quantities.
std::vector<std::string> quantities_of(const Study& s) {
  std::vector<std::string> names;
  for (const Metric& m : s.metrics()) names.push_back(m.name);
  for (const Derived& d : s.derived) names.push_back(d.name);
  return names;
}

void check_quantity(const YamlReader& at, const Study& s) {
  const std::vector<std::string> names = quantities_of(s);
  if (is_among(at.text(), names)) return;
  std::string known;
  for (const std::string& name : names) known += (known.empty() ? "" : ", ") + name;
  at.fail("no quantity is called '" + at.text() + "'", "known are " + known);
}

// The name of one more quantity.
std::string new_quantity(const YamlReader& at, const Study& s) {
  if (is_among(at.text(), quantities_of(s))) {
    at.fail("another quantity is called '" + at.text() + "'", "name it otherwise");
  }
  return at.text();
}

void read_also(const YamlReader& list, Study& s) {
  for (const YamlReader& item : list.items()) {
    item.only({"name", "unit"});
    s.also.push_back({new_quantity(item.at("name"), s), item.at("unit").text()});
  }
}

Metric named_metric(const YamlReader& at, const Study& s) {
  for (const Metric& m : s.metrics()) {
    if (m.name == at.text()) return m;
  }
  std::string known;
  for (const Metric& m : s.metrics()) known += (known.empty() ? "" : ", ") + m.name;
  at.fail("no metric is called '" + at.text() + "'", "known are " + known);
}

void read_derived(const YamlReader& list, Study& s) {
  for (const YamlReader& item : list.items()) {
    item.only({"name", "title", "axis", "over", "under", "metric"});
    const Axis& axis = named_axis(item.at("axis"), s);
    const std::string name = new_quantity(item.at("name"), s);
    s.derived.push_back({name, item.has("title") ? item.at("title").text() : name, axis.name,
                         item.has("over") ? axis_value(item.at("over"), axis) : Json(),
                         axis_value(item.at("under"), axis),
                         item.has("metric") ? named_metric(item.at("metric"), s).name : ""});
  }
}

// Metrics of the unit of `y`, which is a metric too.
std::vector<std::string> read_stack(const YamlReader& plot, const Study& s) {
  for (const char* key : {"series", "log_x", "log_y"}) {
    if (plot.has(key)) plot.at(key).fail("does not go with `stack`", "leave one out");
  }
  const Metric total = named_metric(plot.at("y"), s);
  std::vector<std::string> parts;
  for (const YamlReader& item : plot.at("stack").items()) {
    const Metric part = named_metric(item, s);
    if (is_among(part.name, parts)) item.fail("'" + part.name + "' stands twice", "keep one");
    if (part.unit != total.unit) {
      item.fail("'" + part.name + "' is in '" + part.unit + "', '" + total.name + "' in '" + total.unit + "'",
                "stack metrics of one unit");
    }
    parts.push_back(part.name);
  }
  if (parts.empty()) plot.at("stack").fail("is empty", "name the metrics that a bar is made of, or leave it out");
  return parts;
}

// The parameter that a plot names: an axis, or what the program itself varies.
std::string named_parameter(const YamlReader& at, const Study& s) {
  return is_among(at.text(), s.varies) ? at.text() : named_axis(at, s).name;
}

void read_plots(const YamlReader& list, Study& s) {
  for (const YamlReader& item : list.items()) {
    item.only({"name", "title", "x", "y", "series", "log_x", "log_y", "stack", "heat"});
    Plot p;
    p.name = item.at("name").text();
    if (!is_plain(p.name)) {
      item.at("name").fail("a plot cannot be called '" + p.name + "'", "use letters, digits, _ and -: plots are files");
    }
    if (std::any_of(s.plots.begin(), s.plots.end(), [&](const Plot& other) { return other.name == p.name; })) {
      item.at("name").fail("another plot is called '" + p.name + "'", "name it otherwise");
    }
    p.title = item.at("title").text();
    p.x = named_parameter(item.at("x"), s);
    const bool heat = item.has("heat");
    check_quantity(item.at(heat ? "heat" : "y"), s);
    p.y = item.at(heat ? "heat" : "y").text();
    if (heat) {
      p.rows = named_parameter(item.at("y"), s);
      if (p.rows == p.x) item.at("y").fail("is '" + p.x + "', as x is", "name another parameter of the sweep");
      for (const char* key : {"series", "stack", "log_x", "log_y"}) {
        if (item.has(key)) item.at(key).fail("does not go with heat", "leave it out");
      }
    }
    if (item.has("series")) {
      for (const YamlReader& axis : item.at("series").items()) p.series.push_back(named_parameter(axis, s));
    }
    if (item.has("log_x")) p.log_x = item.at("log_x").boolean();
    if (item.has("log_y")) p.log_y = item.at("log_y").boolean();
    if (item.has("stack")) p.stack = read_stack(item, s);
    s.plots.push_back(p);
  }
}

void read_claims(const YamlReader& list, Study& s) {
  for (const YamlReader& item : list.items()) {
    item.only({"id", "paper", "text", "quantity", "over", "axis", "where", "value", "relation", "factor", "note"});
    Claim c;
    c.id = item.at("id").text();
    c.paper = item.at("paper", "name paper, section, figure or table").text();
    c.text = item.at("text").text();
    check_quantity(item.at("quantity"), s);
    c.quantity = item.at("quantity").text();
    c.over = item.at("over").text();
    if (!is_among(c.over, {"max", "min", "spread", "share_gaining", "argmin"})) {
      item.at("over").fail("is none of max, min, spread, share_gaining, argmin", "write one");
    }
    if (c.over == "argmin") c.axis = named_axis(item.at("axis", "name the axis whose value is meant"), s).name;
    if (c.over != "argmin" && item.has("axis")) item.at("axis").fail("goes with `over: argmin`", "leave it out");
    if (item.has("where")) {
      for (const std::string& key : item.at("where").keys()) {
        const Axis* axis = find_axis(s, key);
        if (axis == nullptr) item.at("where").fail("no axis is called '" + key + "'", "the axes are " + axes_of(s));
        const YamlReader value = item.at("where").at(key);
        if (value.is_sequence()) {
          c.where[key] = Json::array();
          for (const YamlReader& one : value.items()) c.where[key].push_back(axis_value(one, *axis));
        } else {
          c.where[key] = axis_value(value, *axis);
        }
      }
    }
    c.value = item.at("value").number();
    if (item.has("relation")) c.relation = item.at("relation").text();
    if (c.relation != "about" && c.relation != "at_least" && c.relation != "at_most") {
      item.at("relation").fail("is none of about, at_least, at_most", "write one; about is the default");
    }
    if (c.relation == "about") {
      c.factor = item.at("factor", "say within which factor of the paper's value ours counts as reproduced").number();
      if (c.factor < 1) item.at("factor").fail("is below 1", "write 2 for 'between half and twice'");
    } else if (item.has("factor")) {
      item.at("factor").fail("goes with relation `about`", "leave it out");
    }
    if (item.has("note")) c.note = item.at("note").text();
    s.claims.push_back(c);
  }
}

void read_what_ifs(const YamlReader& list, std::vector<WhatIf>& what_ifs) {
  for (const YamlReader& item : list.items()) {
    item.only({"figure", "times", "value", "unit", "source"});
    WhatIf w;
    w.where = item.where();
    w.figure = item.at("figure", "name it as LEVEL.latency, core.speed or eager_limit").text();
    if (item.has("times")) {
      for (const char* key : {"value", "unit"}) {
        if (item.has(key)) item.at(key).fail("does not go with `times`", "leave one out");
      }
      w.value = item.at("times").number();
    } else {
      w.value = item.at("value", "give `times`, a factor, or `value` and `unit`").number();
      w.unit = item.at("unit", "give the unit of `value`, or `times` for a factor").text();
    }
    w.source =
        item.at("source", "say where it comes from: `measured`, `published: <where>` or `assumed: <why>`").text();
    if (!names_source(w.source)) {
      item.at("source").fail("'" + w.source + "' names no source",
                             "begin with `measured`, `published: <where>` or `assumed: <why>`");
    }
    what_ifs.push_back(std::move(w));
  }
}

// `what_if.FIGURE=0.25x` or `what_if.FIGURE=8KiB`; replaces what the file says of that figure.
void set_what_if(const std::string& figure, const std::string& value, const std::string& where, Scenario& s) {
  WhatIf w{.where = where, .figure = figure, .value = 0, .unit = "", .source = "assumed: given on the command line"};
  const char* end = value.data() + value.size();
  const auto [at, error] = std::from_chars(value.data(), end, w.value);
  w.unit = std::string(at, end);
  w.unit.erase(0, w.unit.find_first_not_of(' '));
  if (error != std::errc() || !std::isfinite(w.value) || w.unit.empty()) {
    throw InputError(where, "'" + value + "' is no figure",
                     "write a number with its unit, as 0.4us, or a factor, as 0.25x");
  }
  if (w.unit == "x") w.unit.clear();
  std::erase_if(s.what_ifs, [&](const WhatIf& other) { return other.figure == figure; });
  s.what_ifs.push_back(std::move(w));
}

long whole_setting(const std::string& setting, const std::string& text, long low, long high) {
  const Json value = value_of(text);
  if (!value.is_number_integer() || value.get<long>() < low || value.get<long>() > high) {
    throw InputError("--set " + setting,
                     "'" + text + "' is not a whole number from " + std::to_string(low) + " to " + std::to_string(high),
                     "write one");
  }
  return value;
}

double number_setting(const std::string& setting, const std::string& text) {
  const Json value = value_of(text);
  if (!value.is_number()) throw InputError("--set " + setting, "'" + text + "' is not a number", "write one");
  return value;
}

bool truth_of(const std::string& value, const std::string& where) {
  if (value != "true" && value != "false") throw InputError(where, "is neither true nor false", "write one");
  return value == "true";
}

void apply_setting(const std::string& setting, Scenario& s) {
  const size_t equals = setting.find('=');
  const std::string key = setting.substr(0, equals);
  const std::string value = equals == std::string::npos ? "" : setting.substr(equals + 1);
  const std::string where = "--set " + setting;
  if (value.empty()) throw InputError(where, "is not key=value", "write for example --set elements=1,1000");
  const auto axis =
      std::find_if(s.study.sweep.begin(), s.study.sweep.end(), [&](const Axis& a) { return a.name == key; });
  if (axis != s.study.sweep.end()) {
    axis->values.clear();
    std::istringstream words(value);
    for (std::string word; std::getline(words, word, ',');) {
      if (word.empty() || word.find_first_of(kNotForSmpirun) != std::string::npos) {
        throw InputError(where, "'" + word + "' is no value",
                         "separate values by commas, without blanks, quotes or wildcards");
      }
      const Json v = value_of(key, word);
      if (!axis->cases.empty() && (!v.is_string() || axis->cases.count(v) == 0)) {
        throw InputError(where, "axis " + key + " has no case '" + word + "'", "write it into the scenario");
      }
      if (const std::optional<Fault> fault = value_fault(key, v)) throw InputError(where, fault->what, fault->remedy);
      if (std::find(axis->values.begin(), axis->values.end(), v) != axis->values.end()) {
        throw InputError(where, "value " + word + " stands twice", "keep one");
      }
      axis->values.push_back(v);
    }
    return;
  }
  constexpr std::string_view kWhatIf = "what_if.";
  if (key.rfind(kWhatIf, 0) == 0) {
    set_what_if(key.substr(kWhatIf.size()), value, where, s);
  } else if (key == "machine") {
    s.machine = value;
    s.xml.clear();
  } else if (key == "program") {
    s.study.program = s.program = value;
  } else if (key == "ranks") {
    if (s.study.sweeps_ranks()) throw InputError(where, "stands in the sweep", "narrow the axis instead");
    s.study.ranks = value == "all" ? 0 : static_cast<int>(whole_setting(setting, value, 1, kMostRanks));
  } else if (key == "map_by") {
    s.mapping.map_by = value;
    s.bindings.clear();  // what is said last is meant
  } else if (key == "bind_to") {
    s.mapping.bind_to = value;
    s.bindings.clear();
  } else if (key == "oversubscribe") {
    s.mapping.oversubscribe = truth_of(value, where);
  } else if (key == "traces") {
    s.study.traces = truth_of(value, where);
  } else if (key == "traffic") {
    if (!traffic_of(value)) throw InputError(where, "'" + value + "' says nothing of traffic", kTrafficRemedy);
    s.study.traffic = value;
  } else if (key == "bindings") {
    s.bindings = value;
  } else if (key == "progress") {
    if (s.study.sweeps_progress()) throw InputError(where, "stands in the sweep", "narrow the axis instead");
    s.study.progress = value;
  } else if (key == kShimAxis) {
    if (s.study.sweeps_shim()) throw InputError(where, "stands in the sweep", "narrow the axis instead");
    const std::optional<std::string> shim = shim_of(value);
    if (!shim) throw InputError(where, "'" + value + "' says nothing of the shim", shim_remedy());
    s.study.shim = *shim;
  } else if (s.study.reference && key == s.study.reference->option) {
    s.study.reference->given = number_setting(setting, value);
  } else if (key == "seed") {
    s.seed = static_cast<std::uint64_t>(whole_setting(setting, value, 0, kMostSeed));
  } else if (key == "time_limit") {
    s.time_limit_s = static_cast<double>(whole_setting(setting, value, 1, kMostSeconds));
  } else {
    throw InputError(
        where, "unknown key '" + key + "'",
        "known are the axes (" + axes_of(s.study) +
            ") and machine, what_if.FIGURE, program, ranks, map_by, bind_to, oversubscribe, bindings, progress, "
            "shim, traces, traffic, seed, time_limit" +
            (s.study.reference ? ", " + s.study.reference->option : ""));
  }
}

// After a setting has narrowed an axis: what names a value that is gone has nothing to say any more.
void drop_what_is_gone(Study& s) {
  const auto has = [&](const std::string& name, const Json& value) {
    const Axis* axis = find_axis(s, name);
    const auto known = [&](const Json& v) {
      return std::find(axis->values.begin(), axis->values.end(), v) != axis->values.end();
    };
    return axis != nullptr && (value.is_array() ? std::all_of(value.begin(), value.end(), known) : known(value));
  };
  std::erase_if(s.derived, [&](const Derived& d) {
    const bool over = d.over.is_null() ? find_axis(s, d.axis)->values.size() > 1 : has(d.axis, d.over);
    return !over || !has(d.axis, d.under);
  });
  const auto known = [&](const std::string& quantity) { return is_among(quantity, quantities_of(s)); };
  std::erase_if(s.plots, [&](const Plot& p) { return !known(p.y); });
  std::erase_if(s.claims, [&](const Claim& c) {
    return !known(c.quantity) ||
           std::any_of(c.where.items().begin(), c.where.items().end(),
                       [&](const auto& condition) { return !has(condition.key(), condition.value()); });
  });
}

}  // namespace

Scenario load_scenario(const std::filesystem::path& file, const std::vector<std::string>& settings) {
  const YamlReader yaml(file.string(), load_yaml(file));
  if (yaml.at("schema", std::string("begin with `schema: ") + kSchema + "`").text() != kSchema) {
    yaml.at("schema").fail("is not " + std::string(kSchema), "this version reads " + std::string(kSchema));
  }
  yaml.only({"schema",  "name",  "title",  "machine", "what_if",   "program", "arguments", "ranks",
             "mapping", "shim",  "sweep",  "varies",  "reference", "metric",  "also",      "derived",
             "models",  "plots", "claims", "traces",  "traffic",   "seed",    "time_limit"});
  Scenario s;
  s.file = file;
  s.study.scenario = yaml.at("name").text();
  s.study.title = yaml.at("title").text();
  const YamlReader machine = yaml.at("machine", "name a machine of the catalog, or {xml: FILE, nodes: N}");
  if (machine.is_map()) {
    machine.only({"xml", "nodes"});
    s.xml = file.parent_path() / machine.at("xml").text();
    s.nodes = static_cast<int>(machine.at("nodes").integer(1, 1'000'000));
  } else {
    s.machine = machine.text();
    // A path is relative to the file that names it, a name is the catalog's.
    if (s.machine.find('/') != std::string::npos) s.machine = (file.parent_path() / s.machine).string();
  }
  if (yaml.has("what_if")) read_what_ifs(yaml.at("what_if"), s.what_ifs);
  s.study.program = yaml.at("program", "name a program of the catalog, or the path of one built with smpicc").text();
  s.program = s.study.program;
  if (s.program.find('/') != std::string::npos) s.program = (file.parent_path() / s.program).string();
  if (yaml.has("arguments")) s.study.arguments = read_arguments(yaml.at("arguments"));
  if (yaml.has("ranks")) s.study.ranks = read_ranks(yaml.at("ranks"));
  if (yaml.has("mapping")) read_mapping(yaml.at("mapping"), s);
  if (yaml.has("shim")) s.study.shim = read_value(yaml.at("shim"), kShimAxis);
  if (yaml.has("sweep")) read_sweep(yaml.at("sweep"), s.study);
  check_ranks(yaml, s);
  if (yaml.has("reference")) read_reference(yaml.at("reference"), s.study);
  if (yaml.has("varies")) {
    for (const YamlReader& name : yaml.at("varies").items()) {
      check_axis_name(name, name.text());
      if (find_axis(s.study, name.text()) != nullptr) name.fail("an axis of the sweep is called so", "leave it out");
      s.study.varies.push_back(name.text());
    }
  }
  const YamlReader metric = yaml.at("metric", "give `{name: time, unit: s}`");
  metric.only({"name", "unit"});
  s.study.metric = metric.at("name").text();
  s.study.unit = metric.at("unit").text();
  if (yaml.has("also")) read_also(yaml.at("also"), s.study);
  if (yaml.has("derived")) read_derived(yaml.at("derived"), s.study);
  if (yaml.has("models")) {
    const YamlReader models = yaml.at("models");
    for (const std::string& name : models.keys()) {
      if (std::any_of(s.study.models.begin(), s.study.models.end(),
                      [&](const ModelCheck& m) { return m.model == name; })) {
        models.fail("model '" + name + "' stands twice", "keep one");
      }
      const double tolerance = models.at(name).number();
      if (tolerance <= 0 || tolerance >= 1) {
        models.at(name).fail("is no relative tolerance", "write for example 0.02 for 2 %");
      }
      s.study.models.push_back({name, tolerance});
    }
  }
  if (yaml.has("plots")) read_plots(yaml.at("plots"), s.study);
  if (yaml.has("claims")) read_claims(yaml.at("claims"), s.study);
  if (yaml.has("traces")) s.study.traces = yaml.at("traces").boolean();
  if (yaml.has("traffic")) {
    const YamlReader traffic = yaml.at("traffic");
    s.study.traffic = traffic.text();
    if (!traffic_of(s.study.traffic)) traffic.fail("'" + s.study.traffic + "' says nothing of traffic", kTrafficRemedy);
  }
  if (yaml.has("seed")) s.seed = static_cast<std::uint64_t>(yaml.at("seed").integer(0, kMostSeed));
  if (yaml.has("time_limit")) s.time_limit_s = static_cast<double>(yaml.at("time_limit").integer(1, kMostSeconds));
  for (const std::string& setting : settings) apply_setting(setting, s);
  drop_what_is_gone(s.study);
  return s;
}

std::vector<std::string> scenario_names(const std::filesystem::path& catalog) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(catalog, error)) {
    if (entry.path().extension() != ".yaml") continue;
    std::filesystem::path name = entry.path().lexically_relative(catalog);
    names.push_back(name.replace_extension().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::filesystem::path find_scenario(const std::string& spec, const std::filesystem::path& catalog) {
  const std::vector<std::string> names = scenario_names(catalog);
  if (std::find(names.begin(), names.end(), spec) != names.end()) return catalog / (spec + ".yaml");
  std::error_code ignored;
  if (std::filesystem::exists(spec, ignored)) return spec;
  std::string known;
  for (const std::string& n : names) known += (known.empty() ? "" : ", ") + n;
  throw InputError("scenario '" + spec + "'", "is neither in the catalog nor a file", "the catalog has " + known);
}

}  // namespace strata
