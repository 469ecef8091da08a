// SPDX-License-Identifier: LGPL-2.1-only
// Charges simulated time for computing and copying under SMPI. SMPI runs this work on the real machine at no simulated
// cost, so code that computes or copies calls these functions. Each occupies the core of the calling rank, which it
// shares with other work there. On a machine with figures of its memory (records/exchange/memory_work.h) it also takes
// its share of the memory near that core, unless its data stays in the core's cache.
//
// A combine reads two streams and writes one. That is the memory traffic of a copy whose writes allocate their lines
// (read the source, read the lines to be written, write them), and on current cores it hides the arithmetic. So a
// machine needs only its copy bandwidth to describe a combine, though it may state a separate figure.
#pragma once

#include <cstddef>

namespace strata::mpix {

/// Charges a combination of two operands of `bytes` each: bytes / combine_bandwidth seconds on the calling rank's core
/// under SMPI. combine_bandwidth is a property of its host, in B/s (Strata's platforms set it; copy_bandwidth if it is
/// missing; without both nothing is charged). Charges nothing under a real MPI, where the operation itself takes time.
/// `span` (B): what the rank has touched since it last touched the operands (records/exchange/buffer_reuse.h); 0: not
/// known.
void charge_combine(std::size_t bytes, double span = 0);

/// Charges a copy of `bytes` by the calling rank's core: bytes / copy_bandwidth seconds. As above.
void charge_copy(std::size_t bytes, double span = 0);

/// Charges the copy of a message within a node that is not eager. On a machine with figures of its memory, such a
/// message already includes its copy, and nothing is charged.
void charge_message_copy(std::size_t bytes);

/// Records that the calling rank's end of such a message has been moving since `start` (s, MPI_Wtime) and is complete.
/// On a machine with figures of its memory, timelines show that time as a copy; on other machines charge_message_copy
/// does so.
void end_message_copy(double start);

/// Charges arithmetic of `flops` (flop, not negative): flops / host speed (flop/s) on the calling rank's core under
/// SMPI. Charges nothing under a real MPI, where the arithmetic itself takes time.
void charge_flops(double flops);

/// The working set of a computation that goes through its data once.
inline constexpr double kAllOfIt = -1;

/// Charges arithmetic of `flops` while `bytes` move between memory and core: data read, data written, and the lines of
/// data that is written without being read, which are fetched first. The cost is the longer of the two, as either can
/// hide behind the other (the roofline model; S. Williams, A. Waterman, D. Patterson, CACM 52(4), 2009). Under SMPI the
/// bytes take bytes / (3 combine_bandwidth) seconds, since a combine moves three bytes for each byte of an operand. If
/// the host has no such property: as charge_flops. `working_set` (B) is the data that the computation and those around
/// it use repeatedly: on a machine with figures of its memory, the memory is not loaded if it stays in the core's
/// cache.
void charge_streaming(double flops, double bytes, double working_set = kAllOfIt);

/// As charge_streaming on a machine with figures of its memory; as charge_flops(flops) on any other.
void charge_flops_on(double flops, double bytes, double working_set);

/// Charges a computation that takes `seconds` (not negative) on the calling rank's core if it has the core to itself.
/// Under a real MPI it spins for that time.
void charge_seconds(double seconds);

}  // namespace strata::mpix
