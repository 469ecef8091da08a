// SPDX-License-Identifier: LGPL-2.1-only
// The checks, each in a file of its own, as functions of a call. None of them may say that a correct program is wrong:
// where a check does not know enough, it says nothing.
#pragma once

#include "mpi_ext/preload/checks/call.h"
#include "mpi_ext/preload/checks/report.h"

namespace strata::mpix {

/// Before the call. Returns an error code of MPI if the call has an argument with which it would crash, and must not be
/// made; otherwise MPI_SUCCESS.
int before(const Call& call);

/// After a call that has returned `code`.
void after(const Call& call, int code);

// --- arguments.cc ---

int check_arguments(const Call& call);

// --- leaks.cc: what is made and freed ---

void note_before(const Call& call);  // what it will free
void note_after(const Call& call);
void check_leaks(const Call& finalize);
/// Calls before MPI_Init and after MPI_Finalize.
void check_lifecycle(const Call& call);

// --- collectives.cc ---

void check_collective(const Call& call);

// --- messages.cc: where a send and a receive meet ---

/// The call in which the calling rank is, for the requests that it starts.
void enter_messages(const Call& call);
void leave_messages(int rank);

// --- buffers.cc ---

void check_buffers(const Call& call);
void note_buffers(const Call& call);
/// The call has completed, or frees, a request.
void end_buffers(const Call& call, MPI_Request request);
void forget_buffers(int rank, MPI_Request request);

// --- windows.cc ---

void check_window(const Call& call);
void note_window(const Call& call);
/// The call has completed a request, perhaps that of MPI_Rput.
void end_window_request(const Call& call, MPI_Request request);

}  // namespace strata::mpix
