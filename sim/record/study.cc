#include "sim/record/study.h"

namespace strata {

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

Json to_json(const Study& s) {
  Json j = {{"scenario", s.scenario}, {"title", s.title}, {"program", s.program}, {"arguments", s.arguments},
            {"metric", s.metric},     {"unit", s.unit},   {"ranks", s.ranks}};
  j["also"] = Json::array();
  for (const Metric& m : s.also) j["also"].push_back({{"name", m.name}, {"unit", m.unit}});
  j["sweep"] = Json::array();
  for (const Axis& a : s.sweep) j["sweep"].push_back({{"name", a.name}, {"values", a.values}});
  j["derived"] = Json::array();
  for (const Derived& d : s.derived) {
    j["derived"].push_back(
        {{"name", d.name}, {"title", d.title}, {"axis", d.axis}, {"over", d.over}, {"under", d.under}});
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
  }
  j["traces"] = s.traces;
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
  // Version 0.1.0 wrote neither `also`, `stack` nor `traces`.
  for (const Json& m : j.value("also", Json::array())) s.also.push_back({m.at("name"), m.at("unit")});
  j.at("ranks").get_to(s.ranks);
  for (const Json& a : j.at("sweep")) s.sweep.push_back({a.at("name"), a.at("values").get<std::vector<Json>>()});
  for (const Json& d : j.at("derived")) {
    s.derived.push_back({d.at("name"), d.at("title"), d.at("axis"), d.at("over"), d.at("under")});
  }
  for (const Json& m : j.at("models")) s.models.push_back({m.at("model"), m.at("tolerance")});
  for (const Json& c : j.at("claims")) {
    s.claims.push_back({c.at("id"), c.at("paper"), c.at("text"), c.at("quantity"), c.at("over"), c.at("where"),
                        c.at("value"), c.at("relation"), c.at("factor"), c.at("note")});
  }
  for (const Json& p : j.at("plots")) {
    s.plots.push_back({p.at("name"), p.at("title"), p.at("x"), p.at("y"),
                       p.at("series").get<std::vector<std::string>>(), p.at("log_x"), p.at("log_y"),
                       p.value("stack", std::vector<std::string>{})});
  }
  s.traces = j.value("traces", false);
  return s;
}

}  // namespace strata
