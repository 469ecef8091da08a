// SPDX-License-Identifier: LGPL-2.1-only
// MPICH sends messages between ranks of a node through memory that they share, where no model sees them. A control
// variable turns that off only together with its knowledge of nodes, so it is turned off where it is kept.
//
// MPICH (ch4, src/mpid/ch4/src/ch4_types.h: MPIDI_av_entry_t) has an entry for each rank:
//
//   { the handle of UCP's endpoint [8 bytes or more]  ...  is_local [1 byte] ... }
//
// and passes the address of the handle to ucp_ep_create. So the entries' size is known, and is_local is looked for in
// the 8 bytes at their end: it must say for each rank what the machine says. If that does not hold, nothing is changed,
// and the run ends with a line.
#pragma once

namespace strata::native {

/// A library keeps the handle of its endpoint of `rank` here.
void remember_handle(int rank, void* where);

/// Called at the end of MPI_Init of MPICH: from now on all messages go through UCP.
void send_all_through_ucp();

}  // namespace strata::native
