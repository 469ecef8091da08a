// SPDX-License-Identifier: LGPL-2.1-only
// The functions of a PMIx server by which a rank starts others, connects jobs, and publishes names: MPI_Comm_spawn,
// MPI_Comm_accept and MPI_Comm_connect, MPI_Publish_name. libpmix calls them in its thread.
//
// Source: the PMIx standard 4.1, sections 16.3.8 to 16.3.12.
#pragma once

#include <pmix_server.h>

#include <functional>

#include "native/launch/spawn_order.h"

namespace strata::native {

/// Sets them in `module`. `spawn` is called with the process that asks, and its order.
void add_dynamic_functions(pmix_server_module_t& module, std::function<void(const pmix_proc_t&, SpawnOrder)> spawn);

/// A new run begins: nothing is published.
void forget_published_names();

}  // namespace strata::native
