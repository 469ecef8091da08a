// SPDX-License-Identifier: LGPL-2.1-only
// The JSON fields of a study and its parts. Only for source files of this room.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>

#include "base/json_fields.h"
#include "records/study.h"

namespace strata {

template <class E, std::size_t N>
E read_word(const Word<E> (&words)[N], const std::string& text) {
  const std::optional<E> value = find_word(words, text);
  if (!value) throw std::invalid_argument(fmt::format("'{}' is not one of {}", text, fmt::join(names_of(words), ", ")));
  return *value;
}

inline void to_json(Json& json, Over over) { json = word_of(kOverWords, over); }
inline void from_json(const Json& json, Over& over) { over = read_word(kOverWords, json.get<std::string>()); }
inline void to_json(Json& json, Relation relation) { json = word_of(kRelationWords, relation); }
inline void from_json(const Json& json, Relation& relation) {
  relation = read_word(kRelationWords, json.get<std::string>());
}

inline void to_json(Json& json, Missing missing) { json = word_of(kMissingWords, missing); }
inline void from_json(const Json& json, Missing& missing) {
  missing = read_word(kMissingWords, json.get<std::string>());
}

inline void to_json(Json& json, Engine engine) { json = word_of(kEngineWords, engine); }
inline void from_json(const Json& json, Engine& engine) { engine = read_word(kEngineWords, json.get<std::string>()); }

template <class Fields, Either<Axis> T>
void list(Fields& fields, T& a) {
  fields("name", a.name);
  fields("values", a.values);
  fields.unless_empty("cases", a.cases);
}

template <class Fields, Either<Metric> T>
void list(Fields& fields, T& m) {
  fields("name", m.name);
  fields("unit", m.unit);
  fields.unless_empty("pattern", m.pattern);
}

template <class Fields, Either<Derived> T>
void list(Fields& fields, T& d) {
  fields("name", d.name);
  fields("title", d.title);
  fields("axis", d.axis);
  fields("over", d.over);
  fields("under", d.under);
  fields.unless_empty("metric", d.metric);
}

template <class Fields, Either<ModelCheck> T>
void list(Fields& fields, T& m) {
  fields("model", m.model);
  fields("tolerance", m.tolerance);
}

template <class Fields, Either<Claim> T>
void list(Fields& fields, T& c) {
  fields("id", c.id);
  fields("paper", c.paper);
  fields("text", c.text);
  fields("quantity", c.quantity);
  fields("over", c.over);
  fields("where", c.where);
  fields("value", c.value);
  fields("relation", c.relation);
  fields("factor", c.factor);
  fields("note", c.note);
  fields.unless_empty("axis", c.axis);
  fields.unless_usual("missing", c.missing);
}

template <class Fields, Either<Plot> T>
void list(Fields& fields, T& p) {
  fields("name", p.name);
  fields("title", p.title);
  fields("x", p.x);
  fields("y", p.y);
  fields("series", p.series);
  fields("log_x", p.log_x);
  fields("log_y", p.log_y);
  fields.later("stack", p.stack);
  fields.unless_empty("rows", p.rows);
  fields.unless_empty("band", p.band);
}

template <class Fields, Either<Reference> T>
void list(Fields& fields, T& r) {
  fields("ranks", r.ranks);
  fields("arguments", r.arguments);
  fields("metric", r.metric);
  fields("option", r.option);
  fields("given", r.given);
}

// Version 0.1.0 did not write `also`, `stack`, `progress` and `traces`; 0.3.0 no `shim`; 0.4.0 no `traffic`.
template <class Fields, Either<Study> T>
void list(Fields& fields, T& s) {
  fields("scenario", s.scenario);
  fields("title", s.title);
  fields("program", s.program);
  fields.unless_empty("build", s.build);
  fields.unless_empty("folder", s.folder);
  fields("arguments", s.arguments);
  fields("metric", s.metric);
  fields("unit", s.unit);
  fields.unless_empty("pattern", s.pattern);
  fields("ranks", s.ranks);
  fields.later("also", s.also);
  fields("sweep", s.sweep);
  fields.unless_empty("varies", s.varies);
  fields.later("progress", s.progress);
  fields.later("shim", s.shim);
  fields.unless_empty("mpi", s.mpi);
  fields.unless_empty("mpi_rules", s.mpi_rules);
  fields.unless_empty("rule_hashes", s.rule_hashes);
  fields.unless_empty("allocation", s.allocation);
  fields.unless_empty("reference", s.reference);
  fields("derived", s.derived);
  fields("models", s.models);
  fields("claims", s.claims);
  fields("plots", s.plots);
  fields.later("traces", s.traces);
  fields.later("traffic", s.traffic);
  fields.unless_usual("engine", s.engine);
  fields.unless_usual("error_bars", s.error_bars);
  fields.unless_empty("figures", s.figures);
}

}  // namespace strata
