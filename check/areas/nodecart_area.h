// SPDX-License-Identifier: LGPL-2.1-only
// Area "nodecart": the position of each process in a Cartesian mesh, for every method (mpi_ext/cart/cart_mapping.h),
// and the functions that the methods use: meshes, blocks, partners, dimensions.
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

  /// By number of positions; for each, all meshes; for each mesh, all places.
  void enumerate(const Bounds& bounds, const Visit& visit) const override;
  /// Up to about a thousand processes (nodecart_inputs.h), half of them on machines of two or three levels.
  Case random(const Bounds& bounds, Random& random) const override;
  /// Equal for meshes that differ only in the order of their dimensions. Methods may treat them differently, because
  /// ties go to the first dimension; so all of them are checked.
  std::uint64_t fingerprint(const Case& c) const override;
  Outcome run(const Case& c) const override { return run_nodecart(c); }

  std::string key(const Case& c) const override { return key_of(c); }
  Case read(const std::string& key) const override { return read_nodecart_key(key); }
  std::vector<Case> smaller(const Case& c) const override { return simpler_cases(c); }
  /// For each position, the node and the rank: before, with cart, and with every other method.
  Drawing draw(const Case& c) const override;
};

std::unique_ptr<Area> nodecart_area();

}  // namespace strata::check
