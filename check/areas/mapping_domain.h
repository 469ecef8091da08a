// SPDX-License-Identifier: LGPL-2.1-only
// The domain of the area "mapping", for mapping_area.h and for tests that apply its properties to wrong outcomes.
#pragma once

#include <string>
#include <vector>

#include "check/areas/mapping_case.h"
#include "check/areas/mapping_outcome.h"
#include "check/engine/domain.h"

namespace strata::check {

using MappingProperty = Property<MappingCase, MappingOutcome>;

/// All properties of the area.
std::vector<MappingProperty> mapping_properties();

/// Properties of the pattern, the place tree and its distances.
std::vector<MappingProperty> mapping_tree_properties();
/// Properties of the steps of treematch.
std::vector<MappingProperty> mapping_step_properties();

/// The machine's tree with the ranks before and after mapping, and the bytes between ranks.
Drawing draw_mapping(const MappingCase& c);

class MappingDomain : public Domain<MappingCase, MappingOutcome> {
 public:
  std::string name() const override { return "mapping"; }
  std::string about() const override;
  Bounds bounds(Effort effort) const override;
  long random_cases(Effort effort) const override;
  std::string remark(const Bounds& bounds) const override;
  std::vector<MappingProperty> properties() const override { return mapping_properties(); }
  void enumerate(const Bounds& bounds, const Visit& visit) const override;
  MappingCase random(const Bounds& bounds, Random& random) const override;
  std::uint64_t fingerprint(const MappingCase& c) const override { return check::fingerprint(c); }
  MappingOutcome run(const MappingCase& c) const override { return map_case(c); }
  std::string key(const MappingCase& c) const override { return mapping_key(c); }
  MappingCase read(const std::string& key) const override { return read_mapping(key); }
  std::vector<MappingCase> smaller(const MappingCase& c) const override { return smaller_mappings(c); }
  Drawing draw(const MappingCase& c) const override { return draw_mapping(c); }
};

}  // namespace strata::check
