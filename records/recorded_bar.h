// SPDX-License-Identifier: LGPL-2.1-only
// The error bar of a value, as a record keeps it (schemas/record.schema.json). For example
//
//   {"low":2.1e-05,"high":2.5e-05,"without_interval":31,"figures":[{"figure":"Package.latency","value":0.6,"unit":"us",
//     "plus_minus":0.1,"larger":2e-06,"smaller":-2e-06,"estimated":false}]}
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/json.h"

namespace strata {

/// The effect of a figure's interval on the value. `larger` and `smaller` are changes of the value, in its unit, with
/// the figure at the upper and lower end.
struct BarFigure {
  std::string figure;
  double value = 0;
  std::string unit;
  double plus_minus = 0;
  double larger = 0, smaller = 0;
  bool estimated = false;  // replay/error_bar.h

  /// Equal for the same figure of the same machine: "Package.latency 0.6 us +- 0.1".
  std::string key() const;
};

/// The value is from `low` to `high` in 95 % of cases, by the intervals of the machine's figures.
struct RecordedBar {
  double low = 0, high = 0;          // in the value's unit
  std::size_t without_interval = 0;  // how many figures have none
  std::vector<BarFigure> figures;    // those with an effect, in the order of machine.yaml
};

void to_json(Json& json, const RecordedBar& bar);
/// Throws nlohmann's exceptions if a field is missing or has a different type.
void from_json(const Json& json, RecordedBar& bar);

}  // namespace strata
