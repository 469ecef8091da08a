// SPDX-License-Identifier: LGPL-2.1-only
// Whether the program calls functions of MPI that this library does not see, so that the tables of handles are not
// complete and nothing can be said about leaks:
//
//   PMPI_Comm_free(&comm)     goes directly to libsimgrid
#pragma once

namespace strata::mpix {

/// Whether there are such calls. To be called when the program is loaded.
bool has_unseen_calls();

}  // namespace strata::mpix
