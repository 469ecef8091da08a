// SPDX-License-Identifier: LGPL-2.1-only
// The functions that this library exports, in place of UCX's libucp.so.0 and of the C library, in C's namespace.
#pragma once

#define STRATA_EXPORTED extern "C" __attribute__((visibility("default")))
#define STRATA_UCP STRATA_EXPORTED
