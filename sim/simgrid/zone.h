// SPDX-License-Identifier: LGPL-2.1-only
// A routing zone of our own that is the whole platform: hides the differences between SimGrid's versions in how such a
// zone is made, and how hosts and links are added to it.
#pragma once

#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/s4u.hpp>
#include <string>

#include "sim/simgrid/version.h"

namespace strata::sim {

class Zone : public simgrid::kernel::routing::NetZoneImpl {
 public:
#ifdef STRATA_SIMGRID_3_32
  explicit Zone(const std::string& name) : NetZoneImpl(name) {}
#else
  // 4.0 has a root zone of its own, which gives a zone its models. The first request for it starts SimGrid's tracing,
  // which must see this zone: so the request comes before this zone is made.
  explicit Zone(const std::string& name) : Zone(name, simgrid::s4u::Engine::get_instance()->get_netzone_root()) {}
#endif

 protected:
  /// `speed` in flop/s.
  simgrid::s4u::Host* make_host(const std::string& name, double speed) {
#ifdef STRATA_SIMGRID_3_32
    return create_host(name, {speed});
#else
    return add_host(name, {speed});
#endif
  }
  /// `bandwidth` in B/s.
  simgrid::s4u::Link* make_link(const std::string& name, double bandwidth) {
#ifdef STRATA_SIMGRID_3_32
    return create_link(name, {bandwidth});
#else
    return add_link(name, {bandwidth});
#endif
  }
  /// Programs look for it at the root zone.
  void set_root_property(const std::string& name, const std::string& value) {
#ifdef STRATA_SIMGRID_3_32
    set_property(name, value);  // this is the root
#else
    simgrid::s4u::Engine::get_instance()->get_netzone_root()->set_property(name, value);
#endif
  }

#ifdef STRATA_SIMGRID_4_0
 private:
  Zone(const std::string& name, const simgrid::s4u::NetZone* root) : NetZoneImpl(name) { set_parent(root->get_impl()); }
#endif
};

}  // namespace strata::sim
