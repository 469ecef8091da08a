// SPDX-License-Identifier: LGPL-2.1-only
#include "check/areas/mapping_area.h"

#include <fmt/format.h>

#include "check/areas/mapping_domain.h"

namespace strata::check {
namespace {

MappingBounds bounds_of(const Bounds& bounds) {
  return {
      .ranks = bounds["ranks"], .size = bounds["size"], .directed = bounds["directed"], .weighted = bounds["weighted"]};
}

}  // namespace

std::string MappingDomain::about() const {
  return "rank mapping by communication matrix: treematch and its steps, scotch, roundrobin, random, identity";
}

Bounds MappingDomain::bounds(Effort effort) const {
  const bool full = effort == Effort::kFull;
  return {{"ranks", full ? 5 : 4, 1, 6, "processes"},
          {"size", full ? 6 : 5, 1, 8, "processes and levels of the machine below its root, together"},
          {"directed", 3, 0, 3, "processes up to which two may send each other different amounts"},
          {"weighted", 4, 0, 5,
           fmt::format("processes up to which entries are 0, 1 or {} bytes, beyond 0 or 1", kLargeEntry)}};
}

long MappingDomain::random_cases(Effort effort) const { return effort == Effort::kFull ? 1000 : 60; }

std::string MappingDomain::remark(const Bounds& bounds) const {
  return fmt::format("{} where ranks' names are told apart", named_mappings(bounds_of(bounds)));
}

void MappingDomain::enumerate(const Bounds& bounds, const Visit& visit) const {
  for_each_mapping(bounds_of(bounds), visit);
}

MappingCase MappingDomain::random(const Bounds&, Random& random) const { return random_mapping(random); }

std::unique_ptr<Area> mapping_area() { return area_of(std::make_unique<MappingDomain>()); }

}  // namespace strata::check
