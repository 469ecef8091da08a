// SPDX-License-Identifier: LGPL-2.1-only
// Where SMPI's ranks are, and time that passes for the calling rank. For libraries that wrap functions of libsimgrid.
#pragma once

#include <dlfcn.h>

#include <simgrid/kernel/routing/NetPoint.hpp>
#include <simgrid/s4u.hpp>

namespace strata::mpix {

/// The function of that mangled name in the libraries that are loaded after the calling one.
template <class Function>
Function* behind(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

/// -1: there is no such actor, or it has ended.
inline int core_of(aid_t actor) {
  const simgrid::s4u::ActorPtr found = simgrid::s4u::Actor::by_pid(actor);
  return found == nullptr ? -1 : static_cast<int>(found->get_host()->get_netpoint()->id());
}

/// Waits as SMPI does. Libraries that are preloaded before this one do not see it, because the time belongs to a
/// message.
inline void sleep_for(double seconds) {
  static const auto sleep = behind<void(double)>("_ZN7simgrid3s4u10this_actor9sleep_forEd");
  sleep(seconds);
}

}  // namespace strata::mpix
