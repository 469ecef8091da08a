// SPDX-License-Identifier: LGPL-2.1-only
#include "check/areas/areas.h"

#include "check/areas/hsplit_area.h"
#include "check/areas/mapping_area.h"
#include "check/areas/nodecart_area.h"
#include "check/areas/progress_area.h"
#include "check/areas/schedule_area.h"
#include "check/areas/sessions_area.h"
#include "check/areas/trees_area.h"

namespace strata::check {

std::vector<std::unique_ptr<Area>> all_areas() {
  std::vector<std::unique_ptr<Area>> areas;
  areas.push_back(hsplit_area());
  areas.push_back(nodecart_area());
  areas.push_back(mapping_area());
  areas.push_back(trees_area());
  areas.push_back(schedule_area());
  areas.push_back(progress_area());
  areas.push_back(sessions_area());
  return areas;
}

}  // namespace strata::check
