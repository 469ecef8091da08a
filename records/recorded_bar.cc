// SPDX-License-Identifier: LGPL-2.1-only
#include "records/recorded_bar.h"

#include <fmt/format.h>

#include "base/json_fields.h"

namespace strata {

template <class Fields, Either<BarFigure> T>
void list(Fields& fields, T& f) {
  fields("figure", f.figure);
  fields("value", f.value);
  fields("unit", f.unit);
  fields("plus_minus", f.plus_minus);
  fields("larger", f.larger);
  fields("smaller", f.smaller);
  fields("estimated", f.estimated);
}

template <class Fields, Either<RecordedBar> T>
void list(Fields& fields, T& b) {
  fields("low", b.low);
  fields("high", b.high);
  fields("without_interval", b.without_interval);
  fields("figures", b.figures);
}

std::string BarFigure::key() const { return fmt::format("{} {} {} +- {}", figure, value, unit, plus_minus); }

void to_json(Json& json, const RecordedBar& bar) {
  json = Json::object();
  JsonWriter writer(json);
  list(writer, bar);
}

void from_json(const Json& json, RecordedBar& bar) {
  JsonReader reader(json);
  list(reader, bar);
}

}  // namespace strata
