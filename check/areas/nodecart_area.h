// SPDX-License-Identifier: LGPL-2.1-only
// The area nodecart: where in a Cartesian mesh each process goes, by every method (mpi_ext/cart/mapping.h), and what
// these are made of: meshes, blocks, partners, dimensions.
#pragma once

#include <memory>

#include "check/areas/nodecart_properties.h"
#include "check/engine/area.h"

namespace strata::check {

class NodecartDomain : public Domain<NodecartCase, NodecartOutcome> {
 public:
  std::string name() const override { return "nodecart"; }
  std::string about() const override;
  Bounds bounds(Effort effort) const override;
  long random_cases(Effort effort) const override;
  std::string remark(const Bounds& bounds) const override;
  std::vector<Property<Case, Outcome>> properties() const override { return nodecart_properties(); }

  /// By the number of positions; of each all meshes, of each mesh all places.
  void enumerate(const Bounds& bounds, const Visit& visit) const override;
  /// Up to a thousand processes or so (nodecart_inputs.h), half of them on machines of two or three levels.
  Case random(const Bounds& bounds, Random& random) const override;
  /// The same for meshes that differ only in the order of their dimensions. The methods need not treat them alike,
  /// since ties go to the first dimension; so all are checked.
  std::uint64_t fingerprint(const Case& c) const override;
  Outcome run(const Case& c) const override { return run_nodecart(c); }

  std::string key(const Case& c) const override { return key_of(c); }
  Case read(const std::string& key) const override { return read_nodecart_key(key); }
  std::vector<Case> smaller(const Case& c) const override { return simpler_cases(c); }
  /// The node and the rank of each position before, by cart, and by every other method.
  Drawing draw(const Case& c) const override;
};

std::unique_ptr<Area> nodecart_area();

}  // namespace strata::check
