// SPDX-License-Identifier: LGPL-2.1-only
#include "scenarios/quantities.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/printed_number.h"
#include "base/words.h"
#include "scenarios/sweep.h"

namespace strata {
namespace {

// An item of a list, with the part of its study that has been read.
template <class Item>
struct Within {
  Item item = {};
  const Study& study;
};

bool is_among(const std::string& name, const std::vector<std::string>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// A key for a text field of an item.
template <class Item>
KeyOf<Within<Item>> text_key(Key key, std::string Item::*text) {
  return {std::move(key), [text](const YamlReader& at, Within<Item>& in) { in.item.*text = at.text(); }};
}

std::string known_quantity(const YamlReader& at, const Study& s) {
  const std::vector<std::string> names = quantities_of(s);
  if (!is_among(at.text(), names))
    at.fail("unknown quantity '" + at.text() + "'", fmt::format("known quantities are {}", fmt::join(names, ", ")));
  return at.text();
}

// The name of a new quantity.
std::string new_quantity(const YamlReader& at, const Study& s) {
  if (is_among(at.text(), quantities_of(s))) at.fail("duplicate quantity '" + at.text() + "'", "choose another name");
  return at.text();
}

Metric named_metric(const YamlReader& at, const Study& s) {
  std::vector<std::string> names;
  for (const Metric& m : s.metrics()) {
    if (m.name == at.text()) return m;
    names.push_back(m.name);
  }
  at.fail("unknown metric '" + at.text() + "'", fmt::format("known metrics are {}", fmt::join(names, ", ")));
}

// The parameter named in a plot: an axis, or a parameter that the program itself varies.
std::string named_parameter(const YamlReader& at, const Study& s) {
  return is_among(at.text(), s.varies) ? at.text() : named_axis(at, s).name;
}

// --- metrics -------------------------------------------------------------------------------------------------------

Keys<Metric> metric_keys() {
  return {
      {{.name = "name",
        .value = Value::text(),
        .meaning = "What results call it. The program prints it by this name after `@strata` "
                   "(`scenarios/programs/measurement.h`), unless `pattern` finds it. `simulated_time`, in s, is the "
                   "simulator's own: when the last rank ended.",
        .missing = "add it"},
       [](const YamlReader& at, Metric& m) { m.name = at.text(); }},
      {{.name = "unit",
        .value = Value::text(),
        .meaning = "The unit that the program prints. `\"1\"` is a plain number.",
        .missing = "add it"},
       [](const YamlReader& at, Metric& m) { m.unit = at.text(); }},
      {{.name = "pattern",
        .value = Value::text("regular expression"),
        .meaning = "Finds the number in what the program prints on stdout anyway: a regular expression (RE2's, "
                   "like Perl's) for a line or part of it, whose group 1 is the number. The last line that matches "
                   "counts. In double quotes, YAML wants each backslash twice.",
        .example = "pattern: 'FOM\\s*=\\s*(\\S+)'"},
       [](const YamlReader& at, Metric& m) {
         m.pattern = at.text();
         if (const std::optional<std::string> fault = pattern_fault(m.pattern))
           at.fail("'" + m.pattern + "' cannot be used: " + *fault, "write for example 'FOM = (\\S+)'");
       }}};
}

void read_metric(const YamlReader& at, Study& s) {
  Metric m;
  read_keys(at, metric_keys(), m);
  s.metric = m.name;
  s.unit = m.unit;
  s.pattern = m.pattern;
}

void read_also(const YamlReader& list, Study& s) {
  for (const YamlReader& item : list.items()) {
    Metric m;
    read_keys(item, metric_keys(), m);
    new_quantity(item.at("name"), s);
    s.also.push_back(m);
  }
}

// --- derived quantities --------------------------------------------------------------------------------------------

Keys<Within<Derived>> derived_keys() {
  using In = Within<Derived>;
  return {
      {{.name = "axis",
        .value = Value::text("name of an axis"),
        .meaning = "The points of the ratio differ in this parameter only.",
        .example = "axis: variant",
        .missing = "add it"},
       [](const YamlReader& at, In& in) { in.item.axis = named_axis(at, in.study).name; }},
      {{.name = "name",
        .value = Value::text(),
        .meaning = "What plots and claims call the ratio.",
        .example = "name: enhancement",
        .missing = "add it"},
       [](const YamlReader& at, In& in) { in.item.name = in.item.title = new_quantity(at, in.study); }},
      text_key<Derived>(
          {.name = "title", .value = Value::text(), .meaning = "What plots write beside the axis. Left out: the name."},
          &Derived::title),
      {{.name = "over",
        .value = Value::scalar("value of the axis"),
        .meaning = "The metric is divided where the axis has this value. Left out: for every other value than "
                   "`under`, a ratio each.",
        .example = "over: native"},
       [](const YamlReader& at, In& in) { in.item.over = axis_value(at, *find_axis(in.study, in.item.axis)); }},
      {{.name = "under",
        .value = Value::scalar("value of the axis"),
        .meaning = "By the metric where the axis has this value.",
        .example = "under: hierarchical",
        .missing = "add it"},
       [](const YamlReader& at, In& in) { in.item.under = axis_value(at, *find_axis(in.study, in.item.axis)); }},
      {{.name = "metric",
        .value = Value::text("name of a metric"),
        .meaning = "The metric, where it is not the scenario's own but one of `also`."},
       [](const YamlReader& at, In& in) { in.item.metric = named_metric(at, in.study).name; }}};
}

void read_derived(const YamlReader& list, Study& s) {
  for (const YamlReader& item : list.items()) {
    Within<Derived> in{.study = s};
    read_keys(item, derived_keys(), in);
    s.derived.push_back(in.item);
  }
}

// --- models --------------------------------------------------------------------------------------------------------

void read_models(const YamlReader& models, Study& s) {
  for (const std::string& name : models.keys()) {
    if (std::any_of(s.models.begin(), s.models.end(), [&](const ModelCheck& m) { return m.model == name; })) {
      models.fail("duplicate model '" + name + "'", "keep one");
    }
    const double tolerance = models.at(name).number();
    if (tolerance <= 0 || tolerance >= 1) {
      models.at(name).fail("is not a relative tolerance", "write for example 0.02 for 2 %");
    }
    s.models.push_back({name, tolerance});
  }
}

// --- plots ---------------------------------------------------------------------------------------------------------

Keys<Within<Plot>> plot_keys() {
  using In = Within<Plot>;
  return {
      {{.name = "name",
        .value = Value::text(),
        .meaning = "The plot's file: letters, digits, `_` and `-`.",
        .example = "name: fig5",
        .missing = "add it"},
       [](const YamlReader& at, In& in) {
         in.item.name = at.text();
         if (!is_plain(in.item.name))
           at.fail("a plot cannot be called '" + at.text() + "'", "use letters, digits, _ and -: plots are files");
         if (std::any_of(in.study.plots.begin(), in.study.plots.end(),
                         [&](const Plot& other) { return other.name == in.item.name; })) {
           at.fail("duplicate plot '" + at.text() + "'", "choose another name");
         }
       }},
      text_key<Plot>({.name = "title", .value = Value::text(), .meaning = "Above the plot.", .missing = "add it"},
                     &Plot::title),
      {{.name = "x",
        .value = Value::text("parameter"),
        .meaning = "An axis of the sweep, or one of `varies`.",
        .example = "x: elements",
        .missing = "add it"},
       [](const YamlReader& at, In& in) { in.item.x = named_parameter(at, in.study); }},
      text_key<Plot>({.name = "y",
                      .value = Value::text("metric or derived quantity"),
                      .meaning = "What is drawn over x; of a stack what its parts add up to; of a heat map the "
                                 "parameter of its rows.",
                      .example = "y: enhancement",
                      .missing = "add it"},
                     &Plot::y),
      {{.name = "series",
        .value = Value::list(Value::text("parameters")),
        .meaning = "A line for each combination of their values. Parameters that are neither here nor x make a plot "
                   "for each combination.",
        .example = "series: [algorithm]"},
       [](const YamlReader& at, In& in) {
         for (const YamlReader& axis : at.items()) in.item.series.push_back(named_parameter(axis, in.study));
       }},
      {{.name = "log_x", .value = Value::truth(), .meaning = "A logarithmic axis.", .usual = "true"},
       [](const YamlReader& at, In& in) { in.item.log_x = at.boolean(); }},
      {{.name = "log_y", .value = Value::truth(), .meaning = "A logarithmic axis.", .usual = "true"},
       [](const YamlReader& at, In& in) { in.item.log_y = at.boolean(); }},
      {{.name = "stack",
        .value = Value::list(Value::text("metrics")),
        .meaning = "Bars instead of lines: for each value of x these metrics upon each other, from the bottom. They "
                   "have the unit of y.",
        .example = "stack: [computing, communicating]"},
       [](const YamlReader& at, In& in) {
         for (const YamlReader& metric : at.items()) in.item.stack.push_back(named_metric(metric, in.study).name);
       }},
      {{.name = "band",
        .value = Value::text("parameter"),
        .meaning = "A band instead of a line for each of this parameter's values: from the least to the largest, the "
                   "line being that of its first value.",
        .example = "band: allocation"},
       [](const YamlReader& at, In& in) { in.item.band = named_parameter(at, in.study); }},
      {{.name = "heat",
        .value = Value::text("metric or derived quantity"),
        .meaning = "A heat map instead of lines: the colours of its cells, red below 0 and green above.",
        .example = "heat: gain"},
       [](const YamlReader& at, In& in) { known_quantity(at, in.study); }}};
}

void refuse_beside(const YamlReader& plot, const std::string& kind, std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    if (plot.has(key)) plot.at(key).fail("does not go with `" + kind + "`", "leave one out");
  }
}

// Checks that the stack consists of metrics with the unit of `y`, which must also be a metric.
void check_stack(const YamlReader& plot, const Study& s) {
  refuse_beside(plot, "stack", {"series", "band", "log_x", "log_y"});
  const Metric total = named_metric(plot.at("y"), s);
  std::vector<std::string> parts;
  for (const YamlReader& item : plot.at("stack").items()) {
    const Metric part = named_metric(item, s);
    if (is_among(part.name, parts)) item.fail("duplicate metric '" + part.name + "'", "keep one");
    if (part.unit != total.unit) {
      item.fail("'" + part.name + "' is in '" + part.unit + "', '" + total.name + "' in '" + total.unit + "'",
                "stack metrics of one unit");
    }
    parts.push_back(part.name);
  }
  if (parts.empty()) plot.at("stack").fail("is empty", "name the metrics that a bar is made of, or leave it out");
}

void read_plots(const YamlReader& list, Study& s) {
  for (const YamlReader& item : list.items()) {
    Within<Plot> in{.study = s};
    read_keys(item, plot_keys(), in);
    Plot& p = in.item;
    if (item.has("heat")) {
      refuse_beside(item, "heat", {"series", "stack", "band", "log_x", "log_y"});
      p.rows = named_parameter(item.at("y"), s);
      p.y = item.at("heat").text();
      if (p.rows == p.x) item.at("y").fail("is '" + p.x + "', as x is", "name another parameter of the sweep");
    } else {
      known_quantity(item.at("y"), s);
    }
    if (item.has("stack")) check_stack(item, s);
    if (!p.band.empty() && (p.band == p.x || is_among(p.band, p.series)))
      item.at("band").fail("is x, or among the series, too", "name another parameter of the sweep");
    s.plots.push_back(p);
  }
}

// --- claims --------------------------------------------------------------------------------------------------------

// The points to which a claim applies: for each axis that it names a value, or a list of possible values.
Json read_where(const YamlReader& where, const Study& s) {
  Json conditions = Json::object();
  for (const std::string& key : where.keys()) {
    const Axis* axis = find_axis(s, key);
    if (axis == nullptr) where.fail("the sweep has no axis '" + key + "'", "the axes are " + axes_of(s));
    const YamlReader value = where.at(key);
    if (value.is_sequence()) {
      conditions[key] = Json::array();
      for (const YamlReader& one : value.items()) conditions[key].push_back(axis_value(one, *axis));
    } else {
      conditions[key] = axis_value(value, *axis);
    }
  }
  return conditions;
}

// Without the word for claims that do not state a cause.
std::vector<std::string> missing_words() {
  std::vector<std::string> words = names_of(kMissingWords);
  words.erase(words.begin());
  return words;
}

Keys<Within<Claim>> claim_keys() {
  using In = Within<Claim>;
  const Value of_axis = Value::scalar("value of the axis");
  return {
      text_key<Claim>(
          {.name = "id", .value = Value::text(), .meaning = "What results call the claim.", .missing = "add it"},
          &Claim::id),
      text_key<Claim>({.name = "paper",
                       .value = Value::text(),
                       .meaning = "Where the claim is made.",
                       .example = "paper: \"RR-9077, Section 7.2, Figure 5\"",
                       .missing = "name paper, section, figure or table"},
                      &Claim::paper),
      text_key<Claim>({.name = "text", .value = Value::text(), .meaning = "What it says.", .missing = "add it"},
                      &Claim::text),
      {{.name = "quantity",
        .value = Value::text("metric or derived quantity"),
        .meaning = "What it is about.",
        .example = "quantity: enhancement",
        .missing = "add it"},
       [](const YamlReader& at, In& in) { in.item.quantity = known_quantity(at, in.study); }},
      {{.name = "over",
        .value = Value::word(names_of(kOverWords)),
        .meaning = "How the values of the points become one: the largest, the least, the largest divided by the least, "
                   "the share of the ratios above 1.01, or the value of `axis` where the least is.",
        .missing = "add it"},
       [](const YamlReader& at, In& in) { in.item.over = *find_word(kOverWords, at.text()); }},
      {{.name = "axis",
        .value = Value::text("name of an axis"),
        .meaning = "Required with `over: argmin`, and of it alone: an axis of numbers.",
        .example = "axis: ranks"},
       [](const YamlReader& at, In& in) { in.item.axis = named_axis(at, in.study).name; }},
      {{.name = "where",
        .value = Value::by_name("axis", Value::either({of_axis, Value::list(of_axis)})),
        .meaning = "The points that it is about; of a list of values any will do. Left out: all points.",
        .example = "where: {algorithm: linear, elements: [1, 10]}"},
       [](const YamlReader& at, In& in) { in.item.where = read_where(at, in.study); }},
      {{.name = "value", .value = Value::number(), .meaning = "The paper's number.", .missing = "add it"},
       [](const YamlReader& at, In& in) { in.item.value = at.number(); }},
      {{.name = "relation",
        .value = Value::word(names_of(kRelationWords)),
        .meaning = "How ours must be to the paper's number.",
        .usual = "about"},
       [](const YamlReader& at, In& in) { in.item.relation = *find_word(kRelationWords, at.text()); }},
      {{.name = "factor",
        .value = Value::at_least(1),
        .meaning = "Required with the relation `about`, and of it alone: ours counts as reproduced from the paper's "
                   "number divided by it to the number times it.",
        .example = "factor: 2"},
       [](const YamlReader& at, In& in) {
         in.item.factor = at.number();
         if (in.item.factor < 1) at.fail("is below 1", "write 2 for 'between half and twice'");
       }},
      text_key<Claim>({.name = "note", .value = Value::text(), .meaning = "What is known of a difference."},
                      &Claim::note),
      {{.name = "missing",
        .value = Value::word(missing_words()),
        .meaning =
            "Why it is not reproduced: `memory`, the memory that cores share, and caches; `mechanism`, something "
            "else of the hardware or the MPI that the simulation does not have; `parameter`, a figure or a "
            "setting that no source gives; `paper`, which leaves it open, or contradicts itself; `impossible` on "
            "any machine as described; `ours`, our implementation differs. Reports count by it.",
        .example = "missing: memory"},
       [](const YamlReader& at, In& in) { in.item.missing = *find_word(kMissingWords, at.text()); }}};
}

void read_claims(const YamlReader& list, Study& s) {
  for (const YamlReader& item : list.items()) {
    Within<Claim> in{.study = s};
    read_keys(item, claim_keys(), in);
    if (in.item.over == Over::kArgmin) {
      item.at("axis", "name the axis whose value is meant");
    } else if (item.has("axis")) {
      item.at("axis").fail("is only for `over: argmin`", "leave it out");
    }
    if (in.item.relation == Relation::kAbout) {
      item.at("factor", "say within which factor of the paper's value ours counts as reproduced");
    } else if (item.has("factor")) {
      item.at("factor").fail("is only for the relation `about`", "leave it out");
    }
    s.claims.push_back(in.item);
  }
}

}  // namespace

std::vector<std::string> quantities_of(const Study& s) {
  std::vector<std::string> names;
  for (const Metric& m : s.metrics()) names.push_back(m.name);
  for (const Derived& d : s.derived) names.push_back(d.name);
  return names;
}

Keys<Study> quantity_keys() {
  const Value metric = Value::mapping("Metric", [] { return rows_of(metric_keys()); });
  return {
      {{.name = "metric",
        .value = metric,
        .meaning = "What is measured at each point. Required with a program of the catalog; with one of yours, where "
                   "it is left out, the simulated time.",
        .example = "metric: {name: fom, pattern: 'FOM = (\\S+)', unit: z/s}"},
       read_metric},
      {{.name = "also",
        .value = Value::list(metric),
        .meaning = "What else is measured at each point; derived quantities, plots and claims may name it.",
        .example = "also: [{name: computing, unit: s}]"},
       read_also},
      {{.name = "derived",
        .value = Value::list(Value::mapping("Derived quantity", [] { return rows_of(derived_keys()); })),
        .meaning = "Ratios of a metric between points.",
        .example = "derived: [{name: enhancement, axis: variant, over: native, under: hierarchical}]"},
       read_derived},
      {{.name = "models",
        .value = Value::by_name("model", Value::between(0, 1)),
        .meaning = "Predictions that the metric is compared with (`hockney`, `loggp`, `max-rate`, `split-tree`), and "
                   "how far from them, relatively, it may be.",
        .example = "models: {hockney: 0.02, loggp: 0.02}"},
       read_models},
      {{.name = "plots",
        .value = Value::list(Value::mapping("Plot", [] { return rows_of(plot_keys()); })),
        .meaning = "What `strata report` draws.",
        .example = "plots: [{name: fig5, title: Broadcast, x: elements, y: time, series: [algorithm]}]"},
       read_plots},
      {{.name = "claims",
        .value = Value::list(Value::mapping("Claim", [] { return rows_of(claim_keys()); })),
        .meaning = "What a paper says of the quantities; `strata report` says whether it is reproduced."},
       read_claims},
  };
}

}  // namespace strata
