#include "models/check/areas.h"

#include "models/check/hsplit_area.h"
#include "models/check/mapping_area.h"
#include "models/check/nodecart_area.h"
#include "models/check/progress_area.h"
#include "models/check/schedule_area.h"
#include "models/check/sessions_area.h"
#include "models/check/trees_area.h"

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
