// SPDX-License-Identifier: LGPL-2.1-only
// How a rank waits: UCP's users call ucp_worker_progress again and again until what they wait for has happened. A rank
// that found nothing several times in a row is blocked until a message arrives, or, in MPI_Test and its like, for the
// time of a poll.
#pragma once

#include <cstddef>
#include <cstdint>

namespace strata::native {

/// The rank has done something other than look for messages, so it is not idle.
void something_happens();

/// Copies bytes into the arena, for a message. Returns the block; 0 without bytes. `bytes` null: it stays as it is.
std::uint64_t keep_payload(const void* bytes, std::size_t length);

/// Takes what has been delivered. Returns how many messages that was.
unsigned take_messages();

/// Looks once for messages, and blocks the rank if it is idle. Returns how many there were.
unsigned progress();

/// A look at something that another rank may change: takes the time of a test for a message. Time must be virtual.
void poll();

/// Blocks until `done` returns true.
template <class Done>
void progress_until(Done&& done) {
  while (!done()) progress();
}

}  // namespace strata::native
