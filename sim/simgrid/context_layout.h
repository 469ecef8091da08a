// SPDX-License-Identifier: LGPL-2.1-only
// Layout of simgrid::kernel::context::Context in SimGrid 3.32 and 4.0, needed to leave an actor for good from the
// middle of its stack, as src/kernel/context/Context.hpp declares it (LGPL-2.1). Debian does not install that header.
//
// Only the table of virtual functions is used, in their order.
#pragma once

#include "sim/simgrid/version.h"

namespace simgrid::kernel::context {

class Context {
 public:
  virtual ~Context();
  virtual void stop();
  /// Switches to another actor. Does not return if this one has ended.
  virtual void suspend() = 0;

  /// The running actor's context.
  static Context* self();
};

}  // namespace simgrid::kernel::context
