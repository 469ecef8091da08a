// SPDX-License-Identifier: LGPL-2.1-only
// JSON whose objects keep the order of their keys, so that a document always has the same text. This header only
// declares it. Files that access a Json include <nlohmann/json.hpp>, which takes the compiler seconds.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace strata {

using Json = nlohmann::ordered_json;

}  // namespace strata
