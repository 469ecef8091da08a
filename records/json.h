// SPDX-License-Identifier: LGPL-2.1-only
// JSON whose objects keep the order of their keys: written documents then have one text. Declared only: who looks into
// a Json includes <nlohmann/json.hpp>, which takes a compiler seconds.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace strata {

using Json = nlohmann::ordered_json;

}  // namespace strata
