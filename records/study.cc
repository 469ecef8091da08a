#include "records/study.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "platforms/units.h"

namespace strata {

bool is_for_launcher(const std::string& parameter) {
  return parameter == kRanksAxis || parameter == kProgressAxis || parameter == kShimAxis;
}

std::optional<Traffic> traffic_of(const std::string& text) {
  if (text == "off" || text == "false") return Traffic{};
  if (text == "on" || text == "true") return Traffic{.kept = true};
  if (text == "messages") return Traffic{.kept = true, .messages = true};
  double period = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, period);
  std::string unit(at, end);
  unit.erase(0, unit.find_first_not_of(' '));
  const double factor = unit_factor("time", unit);
  if (error != std::errc() || !std::isfinite(period) || period <= 0 || factor == 0) return std::nullopt;
  return Traffic{.kept = true, .period_s = period * factor};
}

std::vector<Metric> Study::metrics() const {
  std::vector<Metric> all = {{metric, unit}};
  all.insert(all.end(), also.begin(), also.end());
  return all;
}

std::vector<Json> Study::points() const {
  std::vector<Json> points = {Json::object()};
  for (const Axis& axis : sweep) {
    std::vector<Json> longer;
    longer.reserve(points.size() * axis.values.size());
    for (const Json& point : points) {
      for (const Json& value : axis.values) {
        longer.push_back(point);
        longer.back()[axis.name] = value;
      }
    }
    points = std::move(longer);
  }
  return points;
}

Json Study::parameters_of(const Json& point) const {
  Json parameters = Json::object();
  for (const auto& [name, value] : point.items()) {
    const auto axis =
        std::find_if(sweep.begin(), sweep.end(), [&, &name = name](const Axis& a) { return a.name == name; });
    if (axis == sweep.end() || axis->cases.empty()) {
      parameters[name] = value;
    } else {
      parameters.update(axis->cases.at(value.get<std::string>()));
    }
  }
  return parameters;
}

bool Study::sweeps(const std::string& parameter) const {
  return std::any_of(sweep.begin(), sweep.end(), [&](const Axis& a) {
    return a.cases.empty() ? a.name == parameter : a.cases.begin()->second.contains(parameter);
  });
}

std::string Study::ranks_text() const {
  if (ranks != 0) return std::to_string(ranks);
  std::vector<int> numbers;
  for (const Json& point : points()) {
    const Json parameters = parameters_of(point);
    if (!parameters.contains(kRanksAxis)) return "0";
    numbers.push_back(parameters[kRanksAxis]);
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  if (numbers.size() > 2) return std::to_string(numbers.front()) + " to " + std::to_string(numbers.back());
  std::string text;
  for (const int n : numbers) text += (text.empty() ? "" : ", ") + std::to_string(n);
  return text;
}

Json to_json(const Study& s) {
  Json j = {{"scenario", s.scenario}, {"title", s.title}, {"program", s.program}, {"arguments", s.arguments},
            {"metric", s.metric},     {"unit", s.unit},   {"ranks", s.ranks}};
  j["also"] = Json::array();
  for (const Metric& m : s.also) j["also"].push_back({{"name", m.name}, {"unit", m.unit}});
  j["sweep"] = Json::array();
  for (const Axis& a : s.sweep) {
    j["sweep"].push_back({{"name", a.name}, {"values", a.values}});
    if (!a.cases.empty()) j["sweep"].back()["cases"] = a.cases;
  }
  if (!s.varies.empty()) j["varies"] = s.varies;
  j["progress"] = s.progress;
  j["shim"] = s.shim;
  if (s.reference) {
    j["reference"] = {{"ranks", s.reference->ranks},
                      {"arguments", s.reference->arguments},
                      {"metric", s.reference->metric},
                      {"option", s.reference->option},
                      {"given", s.reference->given ? Json(*s.reference->given) : Json()}};
  }
  j["derived"] = Json::array();
  for (const Derived& d : s.derived) {
    j["derived"].push_back(
        {{"name", d.name}, {"title", d.title}, {"axis", d.axis}, {"over", d.over}, {"under", d.under}});
    if (!d.metric.empty()) j["derived"].back()["metric"] = d.metric;
  }
  j["models"] = Json::array();
  for (const ModelCheck& m : s.models) j["models"].push_back({{"model", m.model}, {"tolerance", m.tolerance}});
  j["claims"] = Json::array();
  for (const Claim& c : s.claims) {
    j["claims"].push_back({{"id", c.id},
                           {"paper", c.paper},
                           {"text", c.text},
                           {"quantity", c.quantity},
                           {"over", c.over},
                           {"where", c.where},
                           {"value", c.value},
                           {"relation", c.relation},
                           {"factor", c.factor},
                           {"note", c.note}});
    if (!c.axis.empty()) j["claims"].back()["axis"] = c.axis;
  }
  j["plots"] = Json::array();
  for (const Plot& p : s.plots) {
    j["plots"].push_back({{"name", p.name},
                          {"title", p.title},
                          {"x", p.x},
                          {"y", p.y},
                          {"series", p.series},
                          {"log_x", p.log_x},
                          {"log_y", p.log_y},
                          {"stack", p.stack}});
    if (!p.rows.empty()) j["plots"].back()["rows"] = p.rows;
  }
  j["traces"] = s.traces;
  j["traffic"] = s.traffic;
  return j;
}

Study study_from_json(const Json& j) {
  Study s;
  j.at("scenario").get_to(s.scenario);
  j.at("title").get_to(s.title);
  j.at("program").get_to(s.program);
  j.at("arguments").get_to(s.arguments);
  j.at("metric").get_to(s.metric);
  j.at("unit").get_to(s.unit);
  // Version 0.1.0 wrote neither `also`, `stack`, `progress` nor `traces`, 0.3.0 no `shim`, 0.4.0 no `traffic`.
  for (const Json& m : j.value("also", Json::array())) s.also.push_back({m.at("name"), m.at("unit")});
  j.at("ranks").get_to(s.ranks);
  for (const Json& a : j.at("sweep")) {
    s.sweep.push_back(
        {a.at("name"), a.at("values").get<std::vector<Json>>(), a.value("cases", std::map<std::string, Json>{})});
  }
  s.varies = j.value("varies", std::vector<std::string>{});
  s.progress = j.value("progress", "");
  s.shim = j.value("shim", kShimOff);
  if (j.contains("reference")) {
    const Json& r = j.at("reference");
    s.reference = {r.at("ranks"), r.at("arguments").get<std::vector<std::string>>(), r.at("metric"), r.at("option"),
                   r.at("given").is_null() ? std::nullopt : std::optional(r.at("given").get<double>())};
  }
  for (const Json& d : j.at("derived")) {
    s.derived.push_back(
        {d.at("name"), d.at("title"), d.at("axis"), d.at("over"), d.at("under"), d.value("metric", "")});
  }
  for (const Json& m : j.at("models")) s.models.push_back({m.at("model"), m.at("tolerance")});
  for (const Json& c : j.at("claims")) {
    s.claims.push_back({c.at("id"), c.at("paper"), c.at("text"), c.at("quantity"), c.at("over"), c.at("where"),
                        c.at("value"), c.at("relation"), c.at("factor"), c.at("note"), c.value("axis", "")});
  }
  for (const Json& p : j.at("plots")) {
    s.plots.push_back({p.at("name"), p.at("title"), p.at("x"), p.at("y"),
                       p.at("series").get<std::vector<std::string>>(), p.at("log_x"), p.at("log_y"),
                       p.value("stack", std::vector<std::string>{}), p.value("rows", "")});
  }
  s.traces = j.value("traces", false);
  s.traffic = j.value("traffic", "off");
  return s;
}

}  // namespace strata
