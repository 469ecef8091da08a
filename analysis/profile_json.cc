// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/profile_json.h"

#include <nlohmann/json.hpp>

namespace strata::analysis {

Json calls_json(const Profile& profile) {
  Json calls = Json::array();
  for (const CallProfile& c : profile.calls)
    calls.push_back({{"call", c.call}, {"count", c.count}, {"seconds", c.seconds}, {"waiting", c.waiting}});
  return calls;
}

Json levels_json(const std::vector<LevelMessages>& levels) {
  Json json = Json::array();
  for (const LevelMessages& l : levels)
    json.push_back({{"level", l.level}, {"messages", l.messages}, {"bytes", l.bytes}});
  return json;
}

}  // namespace strata::analysis
