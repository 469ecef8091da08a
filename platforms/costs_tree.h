// SPDX-License-Identifier: LGPL-2.1-only
// The figures of a machine as nested JSON, in the places that they have in machine.yaml.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "platforms/machine_figures.h"

namespace strata {

/// The mapping `costs` with `leaf(figure)` for each figure; those without a leaf are left out. With names of levels,
/// and the words that are not the default.
nlohmann::ordered_json costs_tree(
    const Machine& machine, const std::vector<PlacedFigure>& figures,
    const std::function<std::optional<nlohmann::ordered_json>(const PlacedFigure&)>& leaf);

}  // namespace strata
