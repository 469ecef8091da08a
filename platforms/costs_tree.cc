// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/costs_tree.h"

#include <string>
#include <utility>
#include <variant>

#include "platforms/memory.h"

namespace strata {

using Json = nlohmann::ordered_json;

Json costs_tree(const Machine& machine, const std::vector<PlacedFigure>& figures,
                const std::function<std::optional<Json>(const PlacedFigure&)>& leaf) {
  Json tree;
  for (const PlacedFigure& figure : figures) {
    std::optional<Json> value = leaf(figure);
    if (!value) continue;
    if (std::get<std::string>(figure.path.front()) == "levels") {
      const int i = std::get<int>(figure.path[1]);
      Json& level = tree["levels"][i];
      if (level.is_null()) level["level"] = machine.levels[i].level;
    }
    Json* at = &tree;
    for (const std::variant<std::string, int>& step : figure.path) {
      if (const auto* key = std::get_if<std::string>(&step)) {
        at = &(*at)[*key];
      } else {
        at = &(*at)[std::get<int>(step)];
      }
    }
    *at = std::move(*value);
  }
  if (is_cached_by_buffers(machine)) tree["memory"]["cached"] = word_of(kCachedWords, CachedBy::kBuffers);
  if (!tree.contains("levels")) tree["levels"] = Json::array();
  return tree;
}

}  // namespace strata
