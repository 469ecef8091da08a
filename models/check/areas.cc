#include "models/check/areas.h"

#include "models/check/hsplit_area.h"
#include "models/check/nodecart_area.h"

namespace strata::check {

std::vector<std::unique_ptr<Area>> all_areas() {
  std::vector<std::unique_ptr<Area>> areas;
  areas.push_back(hsplit_area());
  areas.push_back(nodecart_area());
  return areas;
}

}  // namespace strata::check
