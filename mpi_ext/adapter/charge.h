// SPDX-License-Identifier: LGPL-2.1-only
// The simulated time of computing and copying under SMPI. SMPI runs them on the real machine and charges nothing, so
// code that computes or copies says so here. Each occupies the core that the calling rank runs on, shared with anything
// else that runs there. On a machine with figures of its memory (records/exchange/memory_work.h) it also takes its
// share of the memory near to that core, unless its data stay in the core's cache.
//
// A combine reads two streams and writes one, which is the memory traffic of a copy whose writes allocate their lines
// (read the source, read the lines to be written, write them); on the cores of today the arithmetic hides behind it. So
// a machine needs no figure for it beside its copy bandwidth, though it may state one.
#pragma once

#include <cstddef>

namespace strata::mpix {

/// A combination of two operands of `bytes` each. Under SMPI the calling rank's core computes for bytes /
/// combine_bandwidth seconds, its host's property of that name in B/s (Strata's platforms say it; copy_bandwidth where
/// that is missing; on any other platform nothing is charged). Under a real MPI, where the operation itself takes its
/// time, nothing.
void charge_combine(std::size_t bytes);

/// A copy of `bytes` by the calling rank's core: bytes / copy_bandwidth seconds. As above.
void charge_copy(std::size_t bytes);

/// The same for the copy of a message within a node that is not eager. Nothing on a machine with figures of its memory,
/// where such a message is its own copy.
void charge_message_copy(std::size_t bytes);

/// Says that the calling rank's end of such a message has been moving since `start` (s, MPI_Wtime) and is complete. On
/// a machine with figures of its memory timelines show that time as a copy; on any other they have charge_message_copy.
void end_message_copy(double start);

/// Arithmetic of `flops` (flop, not negative). Under SMPI the calling rank's core computes for flops / its host's speed
/// (flop/s); under a real MPI, where the arithmetic itself takes its time, nothing.
void charge_flops(double flops);

/// The working set of a computation that goes through its data once.
inline constexpr double kAllOfIt = -1;

/// Arithmetic of `flops` while `bytes` move between memory and core: what is read, what is written, and the lines of
/// what is written unread, which are read first. It takes the longer of the two, which either hides behind the other
/// (the roofline model; S. Williams, A. Waterman, D. Patterson, CACM 52(4), 2009). Under SMPI bytes / (3
/// combine_bandwidth) seconds, since a combine moves three bytes for one of an operand. As charge_flops where the host
/// does not say. `working_set` (B) is what the computation and those around it go through again and again: on a machine
/// with figures of its memory, no memory is loaded if it stays in the core's cache.
void charge_streaming(double flops, double bytes, double working_set = kAllOfIt);

/// The same on a machine with figures of its memory; as charge_flops(flops) on any other.
void charge_flops_on(double flops, double bytes, double working_set);

/// Computation that takes the calling rank's core, when it has it to itself, `seconds` (not negative). Under a real MPI
/// it spins for so long.
void charge_seconds(double seconds);

}  // namespace strata::mpix
